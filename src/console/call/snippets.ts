/** Formats a call as a curl command, as code for the official clients, and as a test. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { buildRule } from '../scenario/scenario-rule.ts'

export interface SnippetCall extends Pick<CallDetails, 'method' | 'path' | 'endpoint' | 'key' | 'session' | 'body'> {
  /** The headers of the request besides those of every call; the journal has none. */
  readonly requestHeaders?: Readonly<Record<string, string>>
}

const headersOf = ({ session, requestHeaders = {} }: SnippetCall): Readonly<Record<string, string>> =>
  session === undefined ? requestHeaders : { ...requestHeaders, 'x-mock-session': session }

const KEY_NOTE = 'The key comes from the variable OPENAI_API_KEY.'

/** The method of the official client for an endpoint. */
const METHODS: Readonly<Record<string, string>> = {
  chat: 'chat.completions.create',
  responses: 'responses.create',
  embeddings: 'embeddings.create',
}

/** The parameters that the Python client takes by name; others go into `extra_body`. */
const PYTHON_PARAMETERS = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata
  modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning_effort response_format
  safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
  verbosity web_search_options input dimensions encoding_format include instructions max_output_tokens max_tool_calls
  previous_response_id prompt_cache_retention reasoning text truncation`.split(/\s+/),
)

/**
 * The method of the official client and its base URL, which is the part of the path before the endpoint's.
 * @throws Error for a call that has no code; its message is for the user.
 */
function findMethod(
  { endpoint, path, body }: Pick<SnippetCall, 'endpoint' | 'path' | 'body'>,
  origin: string,
): { method: string; baseUrl: string; body: JsonObject } {
  const method = METHODS[endpoint]
  if (method === undefined) throw new Error('Code is written for calls to chat, responses and embeddings only.')
  if (body === undefined) throw new Error('The journal has no body for this call.')
  return { method, baseUrl: origin + path.replace(/\/(?:chat\/completions|responses|embeddings)\/?$/, ''), body }
}

/**
 * @param key the key to write into the code. Default: that of the variable OPENAI_API_KEY.
 * @example formatPython(call, 'http://127.0.0.1:4010')
 */
export function formatPython(call: SnippetCall, origin: string, key?: string): string {
  const { method, baseUrl, body } = findMethod(call, origin)
  const entries = Object.entries(body)
  const others = Object.fromEntries(entries.filter(([name]) => !PYTHON_PARAMETERS.has(name)))
  const parameters: [string, unknown][] = entries.filter(([name]) => PYTHON_PARAMETERS.has(name))
  if (Object.keys(others).length > 0) parameters.push(['extra_body', others])
  const headers = headersOf(call)
  if (Object.keys(headers).length > 0) parameters.push(['extra_headers', headers])
  const options = Object.entries({ base_url: baseUrl, ...(key !== undefined && { api_key: key }) })
  return [
    'from openai import OpenAI',
    '',
    ...(key === undefined ? [`# ${KEY_NOTE}`] : []),
    `client = OpenAI(${options.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')})`,
    `response = client.${method}(`,
    ...parameters.map(([name, value]) => `    ${name}=${pythonValue(value, 1)},`),
    ')',
    ...(body.stream === true ? ['for event in response:', '    print(event)'] : ['print(response)']),
    '',
  ].join('\n')
}

/** A JSON value as a Python literal. The escapes of JSON strings mean the same in Python. */
function pythonValue(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Object.entries(value).map(([name, item]) => {
    const text = pythonValue(item, depth + 1)
    return Array.isArray(value) ? text : `${JSON.stringify(name)}: ${text}`
  })
  const isShort = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  if (isShort || items.length === 0) return `${open}${items.join(', ')}${close}`
  const indent = '    '.repeat(depth)
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${close}`
}

/**
 * @param key the key to write into the code. Default: that of the variable OPENAI_API_KEY.
 * @example formatTypeScript(call, 'http://127.0.0.1:4010')
 */
export function formatTypeScript(call: SnippetCall, origin: string, key?: string): string {
  const { method, baseUrl, body } = findMethod(call, origin)
  const added = headersOf(call)
  const headers = Object.keys(added).length === 0 ? '' : `, { headers: ${scriptValue(added)} }`
  const options = Object.entries({ baseURL: baseUrl, ...(key !== undefined && { apiKey: key }) })
  return [
    "import OpenAI from 'openai'",
    '',
    ...(key === undefined ? [`// ${KEY_NOTE}`] : []),
    `const client = new OpenAI({ ${options.map(([name, value]) => `${name}: ${scriptValue(value)}`).join(', ')} })`,
    `const response = await client.${method}(${scriptValue(body)}${headers})`,
    body.stream === true ? 'for await (const event of response) console.log(event)' : 'console.log(response)',
    '',
  ].join('\n')
}

/** The call as a test for Vitest: a mock with a rule for it, and the answer that the app's client gets. */
export function formatTest(call: CallDetails): string {
  const act = formatCreation(call, 'answer')
  const { rule } = buildRule(call)
  const { attempt: _, ...when } = rule.when
  const { number, endpoint, status } = call
  const received = `  expect(mock).toHaveReceived({ endpoint: '${endpoint}', status: ${status}, times: 1 })`
  return writeTest(`call ${number} gets a ${status}`, scriptValue({ replies: [{ ...rule, when }] }), [act, received])
}

/** True for a call that a test can make again and that ends. */
export const isRepeatable = ({ endpoint, method, body, status, reason, outcome }: CallDetails): boolean =>
  method === 'POST' &&
  METHODS[endpoint] !== undefined &&
  body !== undefined &&
  status !== 0 &&
  reason.by !== 'key' &&
  (outcome === 'complete' || outcome === 'cut')

/** The calls as one test for Vitest, with the scenario in a file. */
export function formatTests(calls: readonly CallDetails[], scenario: string): string {
  const test = writeTest('the session is answered as before', `await loadScenario('${scenario}')`, [
    ...calls.map((call) => formatCreation(call, `answer${call.number}`)),
    `  expect(mock.calls().map(({ status }) => status)).toEqual([${calls.map(({ status }) => status).join(', ')}])`,
    '  expect(mock).toHaveNoUnmatchedCalls()',
  ])
  return `import { loadScenario } from 'llm-api-mock/node'\n${test}`
}

const writeTest = (title: string, scenario: string, statements: readonly string[]): string =>
  `import { useMock } from 'llm-api-mock/vitest'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const mock = useMock(${scenario})

test('${title}', async () => {
  // Replace this with the code of your app.
  const client = new OpenAI({ apiKey: mock.key, maxRetries: 0 })
${statements.join('\n')}
})
`

/** The statements that make a call and read its answer, or expect its failure. */
function formatCreation(call: CallDetails, answer: string): string {
  const { method, body } = findMethod(call, '')
  const isStream = body.stream === true
  // A stream that was cut with a regular end is no error for the client.
  const isError = call.status >= 400 || (call.outcome === 'cut' && call.timeline?.at(-1)?.type !== 'end')
  const created = `client.${method}(${scriptValue(body, isError && isStream ? 2 : 1)})`
  const read = `for await (const event of ${answer}) void event`
  if (!isError) return `  const ${answer} = await ${created}\n  ${isStream ? read : `expect(${answer}).toBeDefined()`}`
  if (!isStream) return `  await expect(${created}).rejects.toThrow()`
  return `  await expect(async () => {
    const ${answer} = await ${created}
    ${read}
  }).rejects.toThrow()`
}

/** A JSON value as a script literal: names that need no quotes have none. */
function scriptValue(value: unknown, depth = 0): string {
  const text = JSON.stringify(value, null, 2).replace(
    /^(\s*)"([A-Za-z_$][\w$]*)": /gm,
    (all, space: string, name: string) => (name === '__proto__' ? all : `${space}${name}: `),
  )
  return text.replaceAll('\n', `\n${'  '.repeat(depth)}`)
}

/**
 * A call as a command for bash, zsh or sh.
 * @param ownKey the key to write into the command. Default: that of the variable, or `spare` where the variable is not set.
 * @example formatCurl(call, 'http://127.0.0.1:4010')
 */
export function formatCurl(call: SnippetCall, origin: string, ownKey?: string, spare = ''): string {
  const { method, path, key, body } = call
  // A spare key with other characters could end the expansion.
  const variable = /^[\w.-]+$/.test(spare) ? `\${OPENAI_API_KEY:-${spare}}` : '$OPENAI_API_KEY'
  /** In single quotes only the quote itself is special. A masked key is replaced with the variable. */
  const quoted = (text: string): string => {
    const plain = `'${text.replaceAll("'", "'\\''")}'`
    return key.includes('****') ? plain.replaceAll(key, () => `'"${variable}"'`) : plain
  }
  const isPost = method === 'POST'
  // -N shows a stream as it arrives; -g keeps curl from expanding brackets in the path.
  const flags = `${body?.stream === true ? '-N ' : ''}${/[[\]{}]/.test(path) ? '-g ' : ''}`
  const parts = [`curl ${flags}${quoted(origin + path)}`]
  if (!isPost || body === undefined) parts.push(`-X ${quoted(method)}`)
  if (ownKey !== undefined) parts.push(`-H ${quoted(`Authorization: Bearer ${ownKey}`)}`)
  else if (key !== '') parts.push(`-H "Authorization: Bearer ${variable}"`)
  for (const [name, value] of Object.entries(headersOf(call))) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (isPost) parts.push(`-H 'Content-Type: application/json'`)
  if (body !== undefined) parts.push(`-d ${quoted(JSON.stringify(body))}`)
  else if (isPost) parts.push('-d @body.json')
  const isMissing = isPost && body === undefined
  const comment = isMissing ? '# The journal has no body for this call. Put one into body.json.\n' : ''
  return comment + parts.join(' \\\n  ')
}
