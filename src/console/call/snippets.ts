/**
 * A call as code that makes it again: a curl command, or a script for an official client.
 *
 *     curl 'http://127.0.0.1:4010/v1/chat/completions' \
 *       -H "Authorization: Bearer $OPENAI_API_KEY" \
 *       -H 'Content-Type: application/json' \
 *       -d '{"model":"echo-1","messages":[{"role":"user","content":"Hello!"}]}'
 *
 * The journal masks keys, so the code reads them from the variable OPENAI_API_KEY.
 */
import type { CallDetails } from '../../core/journal/call-details.ts'

interface SnippetCall extends Pick<CallDetails, 'method' | 'path' | 'endpoint' | 'key' | 'session' | 'body'> {
  /** The headers of the request besides those of every call; the journal has none. */
  readonly requestHeaders?: Readonly<Record<string, string>>
}

interface Language {
  readonly name: string
  readonly title: string
  /** The keyboard shortcut that copies the open call, if there is one. */
  readonly key?: string
  /**
   * @param ownKey the key to write into the code. Default: the variable OPENAI_API_KEY.
   * @param spareKey the key to use where the variable is not set, in a language that can say so.
   */
  readonly format: (call: SnippetCall, origin: string, ownKey?: string, spareKey?: string) => string
}

export const LANGUAGES: readonly Language[] = [
  { name: 'curl', title: 'curl', key: 'c', format: formatCurl },
  { name: 'python', title: 'Python', format: formatPython },
  { name: 'typescript', title: 'TypeScript', format: formatTypeScript },
]

const headersOf = ({ session, requestHeaders }: SnippetCall): Readonly<Record<string, string>> => ({
  ...requestHeaders,
  ...(session !== undefined && { 'x-mock-session': session }),
})

/**
 * A call as a command for bash, zsh or sh.
 * @example formatCurl(call, 'http://127.0.0.1:4010')
 */
export function formatCurl(call: SnippetCall, origin: string, ownKey?: string, spareKey = ''): string {
  const { method, path, key, body } = call
  const isPost = method === 'POST'
  // A spare key with other characters could end the expansion of the variable.
  const variable = /^[\w.-]+$/.test(spareKey) ? `\${OPENAI_API_KEY:-${spareKey}}` : '$OPENAI_API_KEY'
  /** In single quotes only the quote itself is special. A masked key is replaced with the variable. */
  const quoted = (text: string): string => {
    const plain = `'${text.replaceAll("'", "'\\''")}'`
    return key.includes('****') ? plain.replaceAll(key, () => `'"${variable}"'`) : plain
  }
  // -N shows a stream as it arrives; -g keeps curl from expanding brackets in the path.
  const flags = `${body?.stream === true ? '-N ' : ''}${/[[\]{}]/.test(path) ? '-g ' : ''}`
  const parts = [`curl ${flags}${quoted(origin + path)}`]
  // With -d and a body, curl posts anyway.
  if (!isPost || body === undefined) parts.push(`-X ${quoted(method)}`)
  if (ownKey !== undefined) parts.push(`-H ${quoted(`Authorization: Bearer ${ownKey}`)}`)
  else if (key !== '') parts.push(`-H "Authorization: Bearer ${variable}"`)
  for (const [name, value] of Object.entries(headersOf(call))) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (isPost) parts.push(`-H 'Content-Type: application/json'`)
  const lacksBody = isPost && body === undefined
  if (body !== undefined) parts.push(`-d ${quoted(JSON.stringify(body))}`)
  if (lacksBody) parts.push('-d @body.json')
  const note = lacksBody ? '# The journal has no body for this call. Put one into body.json.\n' : ''
  return note + parts.join(' \\\n  ')
}

/** The method of the official clients for an endpoint. */
export const METHODS: Readonly<Record<string, string>> = {
  chat: 'chat.completions.create',
  responses: 'responses.create',
  embeddings: 'embeddings.create',
}

/**
 * The call as the official clients make it. Their base URL is the part of the path before the endpoint's.
 * @throws Error for a call that has no code; its message is for the user.
 */
export function readClientCall({ endpoint, path, body }: SnippetCall) {
  const method = METHODS[endpoint]
  if (method === undefined) throw new Error('Code is written for calls to chat, responses and embeddings only.')
  if (body === undefined) throw new Error('The journal has no body for this call.')
  return { method, basePath: path.replace(/\/(?:chat\/completions|responses|embeddings)\/?$/, ''), body }
}

const KEY_NOTE = 'The key comes from the variable OPENAI_API_KEY.'

/** The parameters that the Python client takes by name; others go into `extra_body`. */
const PYTHON_PARAMETERS = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata
  modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning_effort response_format
  safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
  verbosity web_search_options input dimensions encoding_format include instructions max_output_tokens max_tool_calls
  previous_response_id prompt_cache_retention reasoning text truncation`.split(/\s+/),
)

/** @example formatPython(call, 'http://127.0.0.1:4010') */
export function formatPython(call: SnippetCall, origin: string, ownKey?: string): string {
  const { method, basePath, body } = readClientCall(call)
  const isNamed = ([name]: [string, unknown]): boolean => PYTHON_PARAMETERS.has(name)
  const fields = Object.entries(body)
  const otherFields = Object.fromEntries(fields.filter((field) => !isNamed(field)))
  const extras = Object.entries({ extra_body: otherFields, extra_headers: headersOf(call) })
  const parameters = [...fields.filter(isNamed), ...extras.filter(([, extra]) => Object.keys(extra).length > 0)]
  const apiKey = ownKey === undefined ? '' : `, api_key=${JSON.stringify(ownKey)}`
  return `from openai import OpenAI

${ownKey === undefined ? `# ${KEY_NOTE}\n` : ''}client = OpenAI(base_url=${JSON.stringify(origin + basePath)}${apiKey})
response = client.${method}(
${parameters.map(([name, value]) => `    ${name}=${pythonValue(value, 1)},\n`).join('')})
${body.stream === true ? 'for event in response:\n    print(event)' : 'print(response)'}
`
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

/** @example formatTypeScript(call, 'http://127.0.0.1:4010') */
export function formatTypeScript(call: SnippetCall, origin: string, ownKey?: string): string {
  const { method, basePath, body } = readClientCall(call)
  const headers = headersOf(call)
  const apiKey = ownKey === undefined ? '' : `, apiKey: ${JSON.stringify(ownKey)}`
  const options = Object.keys(headers).length === 0 ? '' : `, { headers: ${scriptValue(headers)} }`
  return `import OpenAI from 'openai'

${ownKey === undefined ? `// ${KEY_NOTE}\n` : ''}const client = new OpenAI({ baseURL: ${JSON.stringify(origin + basePath)}${apiKey} })
const response = await client.${method}(${scriptValue(body)}${options})
${body.stream === true ? 'for await (const event of response) console.log(event)' : 'console.log(response)'}
`
}

/**
 * A JSON value as a script literal: names that need no quotes have none.
 * @example scriptValue({ model: 'echo-1', 'x-y': 1 }) // { model: "echo-1", "x-y": 1 }, in several lines
 */
export function scriptValue(value: unknown, depth = 0): string {
  // `__proto__` without quotes would set the prototype.
  const text = JSON.stringify(value, null, 2).replace(
    /^(\s*)"([A-Za-z_$][\w$]*)": /gm,
    (all, space: string, name: string) => (name === '__proto__' ? all : `${space}${name}: `),
  )
  return text.replaceAll('\n', `\n${'  '.repeat(depth)}`)
}
