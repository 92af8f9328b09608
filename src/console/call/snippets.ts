/** Formats a call as code for the official clients, and as a test. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { buildRule } from '../scenario/scenario-rule.ts'

type Snippet = { readonly text: string } | { readonly impossible: string }
type Call = Pick<CallDetails, 'path' | 'endpoint' | 'session' | 'body'>

const NO_BODY: Snippet = { impossible: 'The journal has no body for this call.' }
const OTHER_ENDPOINT: Snippet = { impossible: 'Code is written for calls to chat and embeddings only.' }

/** The method of the official client for an endpoint. */
const METHODS: Readonly<Record<string, string>> = { chat: 'chat.completions.create', embeddings: 'embeddings.create' }

/** The parameters that the Python client takes by name; others go into `extra_body`. */
const PYTHON_PARAMETERS = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata
  modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning_effort response_format
  safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
  verbosity web_search_options input dimensions encoding_format`.split(/\s+/),
)

/** The base URL of the client that made a call: the part of its path before the endpoint's. */
const baseUrlOf = (path: string, origin: string): string =>
  origin + path.replace(/\/(?:chat\/completions|embeddings)\/?$/, '')

/**
 * @param key the key to write into the code. Default: that of the variable OPENAI_API_KEY.
 * @example formatPython(call, 'http://127.0.0.1:4010')
 */
export function formatPython({ path, endpoint, session, body }: Call, origin: string, key?: string): Snippet {
  const method = METHODS[endpoint]
  if (method === undefined) return OTHER_ENDPOINT
  if (body === undefined) return NO_BODY
  const named = Object.entries(body).filter(([name]) => PYTHON_PARAMETERS.has(name))
  const others = Object.fromEntries(Object.entries(body).filter(([name]) => !PYTHON_PARAMETERS.has(name)))
  const parameters = [
    ...named.map(([name, value]) => `    ${name}=${pythonValue(value, 1)},`),
    ...(Object.keys(others).length === 0 ? [] : [`    extra_body=${pythonValue(others, 1)},`]),
    ...(session === undefined ? [] : [`    extra_headers=${pythonValue({ 'x-mock-session': session }, 1)},`]),
  ]
  const read = body.stream === true ? ['for event in response:', '    print(event)'] : ['print(response)']
  return {
    text: [
      'from openai import OpenAI',
      '',
      ...(key === undefined ? ['# The key comes from the variable OPENAI_API_KEY.'] : []),
      `client = OpenAI(base_url=${JSON.stringify(baseUrlOf(path, origin))}${key === undefined ? '' : `, api_key=${JSON.stringify(key)}`})`,
      `response = client.${method}(`,
      ...parameters,
      ')',
      ...read,
      '',
    ].join('\n'),
  }
}

/** A JSON value as a Python literal. The escapes of JSON strings mean the same in Python. */
function pythonValue(value: unknown, depth: number): string {
  const indent = '    '.repeat(depth)
  const wrap = (open: string, items: readonly string[], close: string): string =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${close}`
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object'))
      return `[${value.map((item) => pythonValue(item, 0)).join(', ')}]`
    return wrap(
      '[',
      value.map((item) => pythonValue(item, depth + 1)),
      ']',
    )
  }
  const items = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonValue(item, depth + 1)}`)
  return wrap('{', items, '}')
}

/**
 * @param key the key to write into the code. Default: that of the variable OPENAI_API_KEY.
 * @example formatTypeScript(call, 'http://127.0.0.1:4010')
 */
export function formatTypeScript({ path, endpoint, session, body }: Call, origin: string, key?: string): Snippet {
  const method = METHODS[endpoint]
  if (method === undefined) return OTHER_ENDPOINT
  if (body === undefined) return NO_BODY
  const headers = session === undefined ? '' : `, { headers: ${scriptValue({ 'x-mock-session': session })} }`
  const read =
    body.stream === true ? ['for await (const event of response) console.log(event)'] : ['console.log(response)']
  return {
    text: [
      "import OpenAI from 'openai'",
      '',
      ...(key === undefined ? ['// The key comes from the variable OPENAI_API_KEY.'] : []),
      `const client = new OpenAI({ baseURL: ${scriptValue(baseUrlOf(path, origin))}${key === undefined ? '' : `, apiKey: ${scriptValue(key)}`} })`,
      `const response = await client.${method}(${scriptValue(body)}${headers})`,
      ...read,
      '',
    ].join('\n'),
  }
}

/** The call as a test for Vitest: a mock with a rule for it, and what the app's client gets. */
export function formatTest(call: CallDetails): Snippet {
  const { number, endpoint, status, body } = call
  const method = METHODS[endpoint]
  if (method === undefined) return OTHER_ENDPOINT
  if (body === undefined) return NO_BODY
  const result = buildRule(call)
  if ('impossible' in result) return result
  const { attempt: _, ...when } = result.rule.when
  const rule = { ...result.rule, when }
  const created = `client.${method}(${scriptValue(body, 1)})`
  const outcome = body.stream === true ? '  for await (const event of answer) void event' : undefined
  const isError = status >= 400 || call.outcome === 'cut'
  const act =
    isError && outcome === undefined
      ? [`  await expect(${created}).rejects.toThrow()`]
      : isError
        ? [
            '  const ask = async () => {',
            `    const answer = await ${created}`,
            `  ${outcome}`,
            '  }',
            '  await expect(ask()).rejects.toThrow()',
          ]
        : [`  const answer = await ${created}`, outcome ?? '  expect(answer).toBeDefined()']
  return {
    text: [
      "import { useMock } from 'llm-api-mock/vitest'",
      "import OpenAI from 'openai'",
      "import { expect, test } from 'vitest'",
      '',
      `const mock = useMock({ replies: [${scriptValue(rule)}] })`,
      '',
      `test('call ${number} gets a ${status}', async () => {`,
      '  // Replace this with the code of your app that makes the call.',
      `  const client = new OpenAI({ apiKey: mock.key, maxRetries: 0 })`,
      ...act,
      `  expect(mock).toHaveReceived({ endpoint: '${endpoint}', status: ${status}, times: 1 })`,
      '})',
      '',
    ].join('\n'),
  }
}

/** A JSON value as a script literal: names that need no quotes have none. */
function scriptValue(value: unknown, depth = 0): string {
  const text = JSON.stringify(value, null, 2).replace(
    /^(\s*)"([A-Za-z_$][\w$]*)": /gm,
    (all, space: string, name: string) => (name === '__proto__' ? all : `${space}${name}: `),
  )
  return text.replaceAll('\n', `\n${'  '.repeat(depth)}`)
}

const KEY = '$OPENAI_API_KEY'

/**
 * @param ownKey the key to write into the command. Default: that of the variable.
 * @example formatCurl(call, 'http://127.0.0.1:4010')
 */
export function formatCurl(
  call: Pick<CallDetails, 'method' | 'path' | 'key' | 'session' | 'body'>,
  origin: string,
  ownKey?: string,
): string {
  const { method, path, key, session, body } = call
  const quoted = (text: string): string => quote(text, key)
  const isPost = method === 'POST'
  const parts = [
    // -N shows a stream as it arrives; -g keeps curl from expanding brackets in the path.
    `curl ${body?.stream === true ? '-N ' : ''}${/[[\]{}]/.test(path) ? '-g ' : ''}${quoted(origin + path)}`,
    ...(isPost && body !== undefined ? [] : [`-X ${quoted(method)}`]),
    ...(ownKey === undefined ? [] : [`-H ${quoted(`Authorization: Bearer ${ownKey}`)}`]),
    ...(key === '' || ownKey !== undefined ? [] : [`-H "Authorization: Bearer ${KEY}"`]),
    ...(session === undefined ? [] : [`-H 'x-mock-session: ${session}'`]),
    ...(isPost ? [`-H 'Content-Type: application/json'`] : []),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ]
  if (!isPost || body !== undefined) return parts.join(' \\\n  ')
  return `# The journal has no body for this call. Put one into body.json.\n${[...parts, '-d @body.json'].join(' \\\n  ')}`
}

/**
 * Quotes a text for a shell: in single quotes only the quote itself is special. A masked key is replaced with the
 * variable.
 */
function quote(text: string, key: string): string {
  const plain = `'${text.replaceAll("'", "'\\''")}'`
  return key.includes('****') ? plain.replaceAll(key, () => `'"${KEY}"'`) : plain
}
