/**
 * Reads the content of an answer, streamed or not, of a chat or a response.
 *
 *     data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}
 *                                                                    -> { text: 'Hello', finish: 'stop' }
 *     data: {"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}
 *
 * A fault may have broken the answer, so nothing about its form is certain.
 */
import { isObject, parseJson } from '../lib/text/json.ts'
import type { CallDetails } from './call-details.ts'
import type { JournalEntry } from './entry.ts'

/** The most choices that the service gives. */
const MAX_CHOICES = 128

/** The content of a choice of a chat, or of a response. */
export interface AnswerContent {
  readonly text?: string
  readonly refusal?: string
  readonly calls?: readonly ReadCall[]
  /** The transcript of requested audio. */
  readonly transcript?: string
  readonly finish?: string
}

/** The body of an answer, all chunks joined; undefined when the journal does not have all of it. */
export function joinBody({ timeline, isWhole }: Pick<CallDetails, 'timeline' | 'isWhole'>): string | undefined {
  if (timeline === undefined || isWhole !== true) return undefined
  return timeline.map((step) => (step.type === 'send' ? (step.data ?? '') : '')).join('')
}

/** The part of an answer that was sent so far, as far as the journal has it; undefined when it has nothing of it. */
export function sentBody({ timeline }: Pick<CallDetails, 'timeline'>): string | undefined {
  if (timeline === undefined) return undefined
  const isMeasured = timeline.some(({ atMs }) => atMs !== undefined)
  return timeline
    .map((step) => (step.type === 'send' && (!isMeasured || step.atMs !== undefined) ? (step.data ?? '') : ''))
    .join('')
}

/** The content of the first choice of an answer; undefined unless a chat or a response succeeded. */
export const readAnswer = (body: string): AnswerContent | undefined => readChoices(body)[0]

/** The contents of the choices of an answer, in order; empty unless a chat or a response succeeded. */
export function readChoices(body: string): AnswerContent[] {
  const texts = isEventStream(body) ? body.split('\n\n') : [body]
  const chunks = texts.flatMap((text) => readChunk(text) ?? [])
  const response = readResponse(chunks)
  if (response !== undefined) return [response]
  // A whole answer has one part for each choice, and a stream has many.
  const parts = chunks.flatMap(({ choices }) => choices ?? [])
  const indexes = [...new Set(parts.map(({ index = 0 }) => index))].slice(0, MAX_CHOICES).sort((a, b) => a - b)
  return indexes.flatMap((choice) => readChoice(parts.filter(({ index = 0 }) => index === choice)) ?? [])
}

/** The content in the parts of one choice of a chat; undefined if they have none. */
function readChoice(parts: readonly ChoicePart[]): AnswerContent | undefined {
  const messages = parts.map(({ message, delta }) => message ?? delta ?? {})
  const text = joinTexts(messages.map(({ content }) => content))
  const refusal = joinTexts(messages.map((message) => message.refusal))
  const transcript = joinTexts(messages.map(({ audio }) => audio?.transcript))
  const finish = parts.flatMap(({ finish_reason: reason }) => reason ?? []).at(-1)
  const ending = finish !== undefined && { finish }
  const calls = joinToolCalls(messages)
  if (calls.length > 0) return { ...(text && { text }), calls, ...ending }
  if (refusal !== undefined) return { refusal }
  if (text === undefined && transcript === undefined) return undefined
  return { ...(text !== undefined && { text }), ...(transcript !== undefined && { transcript }), ...ending }
}

/** The tool calls of a message, or of the parts of one. A part names its call by the index, and adds to the name and input. */
function joinToolCalls(messages: readonly ChunkMessage[]): readonly ReadCall[] {
  const calls: ReadCall[] = []
  for (const message of messages) {
    for (const [place, part] of (message.tool_calls ?? []).entries()) {
      const { name, input } = readToolCall(part)
      // A whole message has no indexes.
      const index = part.index ?? place
      const before = calls[index] ?? { name: '', input: '' }
      calls[index] = { name: before.name + name, input: before.input + input }
    }
  }
  // A stream that lost a chunk can leave holes.
  return calls.filter(Boolean)
}

/** The content of a response, or of the events of its stream; undefined for anything else. */
function readResponse(chunks: readonly AnswerChunk[]): AnswerContent | undefined {
  const texts: unknown[] = []
  const refusals: unknown[] = []
  /** The calls by the index of their item. */
  const calls = new Map<number | undefined, ReadCall>()
  let last: ResponseObject | undefined
  for (const chunk of chunks) {
    const { type, delta = '', output_index: index, item } = chunk
    const response = chunk.response ?? chunk
    if (response.object === 'response') last = response
    if (type === 'response.output_text.delta') texts.push(delta)
    else if (type === 'response.refusal.delta') refusals.push(delta)
    else if (type === 'response.output_item.added' && item?.name !== undefined) {
      calls.set(index, { name: item.name, input: '' })
    } else if (type === 'response.function_call_arguments.delta') {
      const call = calls.get(index)
      if (call !== undefined) calls.set(index, { name: call.name, input: call.input + delta })
    }
    // The last event of a stream repeats the output inside `response`; only a whole response is read from it.
    if (chunk.object !== 'response') continue
    for (const [place, { name, arguments: input = '', content = [] }] of (chunk.output ?? []).entries()) {
      if (name !== undefined) calls.set(place, { name, input })
      texts.push(...content.map(({ text }) => text))
      refusals.push(...content.map(({ refusal }) => refusal))
    }
  }
  if (last === undefined) return undefined
  const reason = last.incomplete_details?.reason ?? last.status
  const ending = reason !== undefined && { finish: reason === 'max_output_tokens' ? 'length' : reason }
  const [text, refusal] = [joinTexts(texts), joinTexts(refusals)]
  if (calls.size > 0) return { ...(text !== undefined && { text }), calls: [...calls.values()], ...ending }
  return refusal === undefined ? { text: text ?? '', ...ending } : { refusal }
}

/** All texts among the values, joined; undefined without any. */
function joinTexts(values: readonly unknown[]): string | undefined {
  const texts = values.filter((value) => typeof value === 'string')
  return texts.length === 0 ? undefined : texts.join('')
}

/** The wait that an answer asks for in its headers; undefined when it asks for none. */
export function retryAfterMs({ headers }: Pick<JournalEntry, 'headers'>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms)) return ms
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/**
 * A short form of sent data: the content that a stream chunk adds, or else the data itself.
 * @example summarizeChunk('data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n') // "Hel", in quotes
 */
export const summarizeChunk = (data: string): string =>
  data
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => summarizeEvent(event) ?? event)
    .join(' ')

/** Undefined for an event that is neither of a chat nor of a response. */
function summarizeEvent(event: string): string | undefined {
  const chunk = readChunk(event)
  if (chunk?.type !== undefined) return summarizeResponseEvent(chunk)
  const choices = chunk?.choices
  if (choices === undefined || choices.some(({ delta }) => delta === undefined)) return undefined
  if (choices.length === 0) return 'usage'
  const parts: string[] = []
  for (const { delta = {}, finish_reason: finish } of choices) {
    const { content, refusal, tool_calls: calls } = delta
    if (typeof content === 'string' && content !== '') parts.push(JSON.stringify(content))
    if (typeof refusal === 'string') parts.push(`refusal ${JSON.stringify(refusal)}`)
    for (const { name, input } of (calls ?? []).map(readToolCall)) parts.push(`${name}(${input}`)
    if (typeof finish === 'string') parts.push(`finish: ${finish}`)
  }
  return parts.length === 0 ? 'start' : parts.join(' ')
}

/** An event of a response: its content, or its name. */
function summarizeResponseEvent({ type = '', delta, item }: AnswerChunk): string {
  const name = type.replace(/^response\./, '')
  if (name === 'output_text.delta') return JSON.stringify(delta)
  if (name === 'refusal.delta') return `refusal ${JSON.stringify(delta)}`
  if (name === 'function_call_arguments.delta') return String(delta)
  if (name === 'output_item.added' && item?.name !== undefined) return `${item.name}(`
  return /^(?:completed|incomplete|failed)$/.test(name) ? `finish: ${name}` : name
}

/** True if an event carries a part of the answer's content: not the first chunk with the role nor the closing ones. */
export function hasContent(event: string): boolean {
  if (!isEventStream(event)) return false
  const type = readChunk(event)?.type
  if (type !== undefined) return /^response\.(?:output_text|refusal|function_call_arguments)\.delta$/.test(type)
  return !/^(?:start|usage|finish: \w+|data: \[DONE\])$/.test(summarizeChunk(event))
}

/** True for server-sent events. */
export const isEventStream = (body: string): boolean => /^(?:data|event):/.test(body)

/** The JSON in an event. */
export const dataOf = (event: string): string => event.replace(/^(?:event: [^\n]*\n)?data: ?/, '')

// The parts of answers that are read here

/** A whole answer, or an event of a stream: of a chat with `choices`, or of a response. */
interface AnswerChunk extends ResponseObject {
  readonly choices?: readonly ChoicePart[]
  readonly type?: string
  readonly delta?: string
  readonly output_index?: number
  readonly item?: ResponseItem
  readonly response?: ResponseObject
}
interface ResponseObject {
  readonly object?: string
  readonly status?: string
  readonly incomplete_details?: { readonly reason?: string } | null
  readonly output?: readonly ResponseItem[]
}
interface ResponseItem {
  readonly name?: string
  readonly arguments?: string
  readonly content?: readonly { readonly text?: unknown; readonly refusal?: unknown }[]
}
interface ChoicePart {
  readonly index?: number
  readonly message?: ChunkMessage
  readonly delta?: ChunkMessage
  readonly finish_reason?: string | null
}
interface ChunkMessage {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly audio?: { readonly transcript?: unknown } | null
  readonly tool_calls?: readonly ChunkToolCall[]
}
interface ChunkToolCall {
  readonly index?: number
  readonly function?: { readonly name?: string; readonly arguments?: string }
  readonly custom?: { readonly name?: string; readonly input?: string }
}

/** The name and the input of a call, as far as they were sent. */
interface ReadCall {
  readonly name: string
  readonly input: string
}

const readToolCall = ({ function: called, custom }: ChunkToolCall): ReadCall => ({
  name: called?.name ?? custom?.name ?? '',
  input: called?.arguments ?? custom?.input ?? '',
})

/** The JSON of a body or of an event; undefined for anything else. */
function readChunk(text: string): AnswerChunk | undefined {
  const value = parseJson(dataOf(text))
  return isObject(value) ? value : undefined
}
