/** The call in the form of the view to try the mock, as a request in the dialect of its endpoint. */
import type { JsonObject } from '../../core/lib/text/json.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'

/** The endpoints that answer a message, by their names. */
export const PATHS = { chat: '/v1/chat/completions', responses: '/v1/responses' } as const
export type TriedEndpoint = keyof typeof PATHS

/** The fields of the form. An empty text stands for a value that the form suggests, or for a part that is left out. */
export interface TryDraft {
  readonly message: string
  readonly model: string
  readonly key: string
  readonly isStream: boolean
  readonly endpoint: TriedEndpoint
  readonly system: string
  /** A list of functions as JSON, in the form of either dialect or without a type. */
  readonly tools: string
  /** A JSON Schema for the answer. */
  readonly schema: string
  /** A header in each line: `x-mock-fault: rate-limit`. */
  readonly headers: string
  /** The whole body in place of the fields above; undefined unless it is edited. */
  readonly raw: string | undefined
}

export const EMPTY_DRAFT: TryDraft = {
  message: '',
  model: '',
  key: '',
  isStream: true,
  endpoint: 'chat',
  system: '',
  tools: '',
  schema: '',
  headers: '',
  raw: undefined,
}

/** A request that is ready to be sent. */
export interface TriedRequest {
  readonly method: 'POST'
  readonly path: string
  readonly endpoint: TriedEndpoint
  readonly model: string
  readonly key: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Undefined when the text is not a JSON object. */
  readonly body: JsonObject | undefined
  readonly text: string
  /** The reasons why fields cannot be sent. */
  readonly problems: readonly string[]
}

/** The request of a draft, with the suggested values in the place of empty texts. */
export function buildRequest(
  draft: TryDraft,
  suggested: { readonly model: string; readonly key: string },
): TriedRequest {
  const { endpoint, raw } = draft
  const model = draft.model || suggested.model
  const problems: string[] = []
  const requestHeaders = readHeaders(draft.headers, problems)
  const built = buildBody({ ...draft, model }, problems)
  const given = raw === undefined ? built : parseJson(raw)
  return {
    method: 'POST',
    path: PATHS[endpoint],
    endpoint,
    model,
    key: draft.key || suggested.key,
    requestHeaders,
    body: isObject(given) ? (given as JsonObject) : undefined,
    text: raw ?? JSON.stringify(built),
    problems,
  }
}

function buildBody({ message, model, isStream, endpoint, system, tools, schema }: TryDraft, problems: string[]) {
  const isChat = endpoint === 'chat'
  const content = message || 'Hello!'
  const messages = [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content }]
  const asked = isChat ? { messages } : { ...(system !== '' && { instructions: system }), input: content }
  const declared = readField('Tools', tools, problems)
  const format = readField('Schema', schema, problems)
  const named = { name: 'answer', schema: format }
  const shape = isChat
    ? { response_format: { type: 'json_schema', json_schema: named } }
    : { text: { format: { type: 'json_schema', ...named } } }
  return {
    model,
    ...asked,
    ...(declared !== undefined && { tools: [declared].flat().map((tool) => toolFor(isChat, tool)) }),
    ...(format !== undefined && shape),
    ...(isStream && { stream: true }),
  }
}

/** A function in the form of the dialect; any other tool as it is. */
function toolFor(isChat: boolean, tool: unknown): unknown {
  if (!isObject(tool) || (tool.type ?? 'function') !== 'function') return tool
  const { type = 'function', function: inner, ...flat } = tool
  const declared = isObject(inner) ? inner : flat
  return isChat ? { type, function: declared } : { type, ...declared }
}

function readField(name: string, text: string, problems: string[]): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    problems.push(`${name}: expected JSON. ${(error as Error).message}`)
    return undefined
  }
}

function readHeaders(text: string, problems: string[]): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === '') problems.push(`Headers: expected a line such as x-mock-fault: rate-limit, got ${line}`)
    return [name.toLowerCase(), value] as const
  })
  return Object.fromEntries(headers.filter(([name]) => name !== ''))
}
