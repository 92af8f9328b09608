/**
 * The fields of the form that tries the mock, and the request that they make in the dialect of their endpoint:
 *
 *     { message: 'Hi!', system: 'Be brief.', endpoint: 'chat', … }
 *     { model: 'echo-1', messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hi!' }], … }
 */
import { isObject, type JsonObject, parseJson } from '../../core/lib/text/json.ts'

/** The endpoints that answer a message, by their names. */
export const PATHS = { chat: '/v1/chat/completions', responses: '/v1/responses' } as const
type TriedEndpoint = keyof typeof PATHS

/** The fields of the form. An empty text stands for a value that the form suggests, or for a part that is left out. */
export const EMPTY_DRAFT = {
  message: '',
  model: '',
  key: '',
  isStream: true,
  endpoint: 'chat' as TriedEndpoint,
  system: '',
  /** A list of functions as JSON, in the form of either dialect or without a type. */
  tools: '',
  /** A JSON Schema for the answer. */
  schema: '',
  /** A header in each line: `x-mock-fault: rate-limit`. */
  headers: '',
  /** The whole body in place of the fields above; undefined unless it is edited. */
  raw: undefined as string | undefined,
}
export type TryDraft = Readonly<typeof EMPTY_DRAFT>

/** A request that is ready to be sent, unless it has problems. */
export type TriedRequest = ReturnType<typeof buildRequest>

/** The request of a draft, with the suggested values in the place of empty texts. */
export function buildRequest(draft: TryDraft, suggested: Pick<TryDraft, 'model' | 'key'>) {
  const { endpoint, raw } = draft
  const model = draft.model || suggested.model
  /** The reasons why fields cannot be sent. */
  const problems: string[] = []
  const requestHeaders = readHeaders(draft.headers, problems)
  const built = buildBody({ ...draft, model }, problems)
  const body = raw === undefined ? built : parseJson(raw)
  return {
    method: 'POST',
    path: PATHS[endpoint],
    endpoint,
    model,
    key: draft.key || suggested.key,
    requestHeaders,
    /** Undefined when the text is not a JSON object: it can be sent, but not written as code. */
    body: isObject(body) ? (body as JsonObject) : undefined,
    /** The body as it is sent. */
    text: raw ?? JSON.stringify(built),
    problems,
  }
}

function buildBody({ model, isStream, endpoint, system, ...texts }: TryDraft, problems: string[]) {
  const content = texts.message || 'Hello!'
  const declared = readField('Tools', texts.tools, problems)
  const schema = readField('Schema', texts.schema, problems)
  const tools = declared !== undefined && { tools: [declared].flat().map((tool) => toolFor(endpoint, tool)) }
  const stream = isStream && { stream: true }
  if (endpoint === 'responses') {
    const format = { type: 'json_schema', name: 'answer', schema }
    const instructions = system !== '' && { instructions: system }
    return {
      model,
      ...instructions,
      input: content,
      ...tools,
      ...(schema !== undefined && { text: { format } }),
      ...stream,
    }
  }
  const messages = [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content }]
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema } }
  return { model, messages, ...tools, ...(schema !== undefined && { response_format: format }), ...stream }
}

/** A function in the form of the dialect: chat has its fields in `function`. Any other tool stays as it is. */
function toolFor(endpoint: TriedEndpoint, tool: unknown): unknown {
  if (!isObject(tool) || (tool.type ?? 'function') !== 'function') return tool
  const { type = 'function', function: inner, ...flat } = tool
  const declared = isObject(inner) ? inner : flat
  return endpoint === 'chat' ? { type, function: declared } : { type, ...declared }
}

/** The JSON of a field; undefined for an empty field, and for other texts, which are added to the problems. */
function readField(name: string, text: string, problems: string[]): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    problems.push(`${name}: expected JSON. ${(error as Error).message}`)
    return undefined
  }
}

/** The headers of the field. Lines of another form are added to the problems. */
function readHeaders(text: string, problems: string[]): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const headers = lines.flatMap((line) => {
    const [, name, value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) return [[name.toLowerCase(), value] as const]
    problems.push(`Headers: expected a line such as x-mock-fault: rate-limit, got ${line}`)
    return []
  })
  return Object.fromEntries(headers)
}
