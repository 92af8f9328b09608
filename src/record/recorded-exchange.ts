/**
 * An exchange as a cassette keeps it: the `request` and the `answer` of a rule, without secrets.
 *
 *     200, text/event-stream, after 412 ms: data: {"id":...}     ->     { wait: 412ms, events: [{ at: 412ms, data: '{"id":...}' }] }
 */
import { isUtf8 } from 'node:buffer'
import { goDuration } from '../core/lib/text/duration.ts'
import { isObject, parseJson } from '../core/lib/text/json.ts'
import { defaultContentType } from '../core/scenario/compile/recorded-answer.ts'
import { REDACTED } from '../core/scenario/conditions/request-condition.ts'
import type { AnswerSource } from '../core/scenario/scenario-source.ts'
import { extractVectors } from './extract-vectors.ts'
import type { Redactor } from './redact/redact.ts'
import { checkLogprobs, redactStream, type TimedText } from './redact/redact-stream.ts'

/**
 * The `request` of a rule: a map if the body is a JSON object, or else its text.
 * @throws when it is not text, when it already contains the text that replaces secrets, or when a secret cannot be removed.
 */
export function recordedRequest(body: Uint8Array, redactor: Redactor): unknown {
  if (!isUtf8(body)) throw new Error('the request is not UTF-8 text')
  const text = new TextDecoder().decode(body)
  if (text.includes(REDACTED)) {
    throw new Error(`the request contains ${REDACTED}, which stands for any text in a recording. Send another text`)
  }
  const parsed = parseJson(text)
  return isObject(parsed) ? redactor.redactValue(parsed) : redactor.redactJson(text)
}

/** JSON with sorted keys: equal for equal requests. */
export function canonicalJson(value: unknown): string {
  const sortKeys = (_: string, part: unknown): unknown =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part
  return JSON.stringify(value, sortKeys)
}

/** An answer as it was received. */
export interface ReceivedAnswer {
  readonly status: number
  readonly contentType: string
  /** Time that the upstream asked the client to wait; undefined if it did not ask. */
  readonly retryAfterMs: number | undefined
  /** Time from the call to the head of a stream, or to the end of any other body. */
  readonly waitMs: number
  /** The events of a stream, or the text of any other body. */
  readonly body: string | readonly TimedText[]
  /** True if the connection broke before the end. */
  readonly isCut: boolean
}

/**
 * The `answer` of a rule.
 * @throws when a secret cannot be removed.
 */
export function recordedAnswer(received: ReceivedAnswer, redactor: Redactor): AnswerSource {
  const { status, retryAfterMs, waitMs, body, isCut } = received
  // The media type and its charset, without other parameters.
  const match = /^([\w.+-]+\/[\w.+-]+)\s*(?:;.*?charset=("?)([\w-]+)\2)?/i.exec(received.contentType)
  const [, media = 'application/octet-stream', , charset] = match ?? []
  const contentType = charset === undefined ? media : `${media}; charset=${charset}`
  const head = {
    ...(status !== 200 && { status }),
    ...(contentType !== defaultContentType(typeof body !== 'string') && { contentType }),
    ...(retryAfterMs !== undefined && { retryAfter: formatDuration(retryAfterMs) }),
    ...(waitMs >= 1 && { wait: formatDuration(waitMs) }),
  }
  const end = isCut && { cut: true as const }
  if (typeof body === 'string') {
    if (body.includes('"logprobs"')) checkLogprobs([parseJson(body)], redactor)
    const extracted = extractVectors(body)
    return { ...head, ...extracted, body: redactor.redactJson(extracted.body), ...end }
  }
  const events = redactStream(body, redactor).map(({ atMs, text }) => {
    const at = formatDuration(atMs)
    const [, data] = DATA_LINE.exec(text) ?? []
    return data === undefined ? { at, text } : { at, data }
  })
  return { ...head, events, ...end }
}

/** An event with nothing but one line of data. */
const DATA_LINE = /^data: ([^\r\n]*)\n\n$/

// The scenario grammar allows no longer durations.
const MAX_DURATION_MS = 86_400_000
const formatDuration = (ms: number): string => (ms < 1 ? '0ms' : goDuration(Math.min(ms, MAX_DURATION_MS)))

/** Time that an answer asks the client to wait; undefined if it does not. */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>): number | undefined {
  const { 'retry-after-ms': exact, 'retry-after': seconds } = headers
  if (typeof exact === 'string' && exact !== '' && Number(exact) >= 0) return Number(exact)
  if (typeof seconds !== 'string' || seconds === '') return undefined
  const ms = Number.isNaN(Number(seconds)) ? Date.parse(seconds) - Date.now() : Number(seconds) * 1000
  return ms >= 0 ? ms : undefined
}

/** Splits the text of a stream into server-sent events, each with the time it was received. */
export class EventSplitter {
  readonly events: TimedText[] = []
  #rest = ''

  /** Chunks may end anywhere. */
  add(text: string, atMs: number): void {
    this.#rest += text
    let from = 0
    // A \r at the end of a chunk may be half of a line end, so it waits for the next chunk.
    for (const { index, 0: end } of this.#rest.matchAll(/\r\n\r\n|\n\n|\r\r(?=[^\n])/g)) {
      this.events.push({ atMs, text: this.#rest.slice(from, index + end.length) })
      from = index + end.length
    }
    this.#rest = this.#rest.slice(from)
  }

  /** The text after the last complete event becomes a separate event. */
  end(atMs: number): readonly TimedText[] {
    if (this.#rest !== '') this.events.push({ atMs, text: this.#rest })
    this.#rest = ''
    return this.events
  }
}
