/** An exchange as a cassette keeps it: the `request` and the `answer` of a rule, without secrets. */
import { isUtf8 } from 'node:buffer'
import { bodyOf } from '../core/decide/pipeline/replay.ts'
import { encodeBase64 } from '../core/lib/embeddings/float32.ts'
import { goDuration } from '../core/lib/text/duration.ts'
import { isObject, parseJson } from '../core/lib/text/json.ts'
import { defaultContentType, type VectorSource } from '../core/scenario/compile/recorded-answer.ts'
import { VECTOR_PLACE } from '../core/scenario/compile/template.ts'
import { REDACTED } from '../core/scenario/conditions/request-condition.ts'
import type { AnswerSource } from '../core/scenario/scenario-source.ts'
import type { Redactor } from './redact/redact.ts'
import { checkLogprobs, redactStream, type TimedText } from './redact/redact-stream.ts'

/**
 * A map if the body is a JSON object, or else its text.
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
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
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

/** @throws when a secret cannot be removed. */
export function recordedAnswer(received: ReceivedAnswer, redactor: Redactor): AnswerSource {
  const { status, contentType, retryAfterMs, waitMs, body, isCut } = received
  const isStream = typeof body !== 'string'
  // The media type and its charset, without other parameters.
  const match = /^([\w.+-]+\/[\w.+-]+)\s*(?:;.*?charset=("?)([\w-]+)\2)?/i.exec(contentType)
  const [, media = 'application/octet-stream', , charset] = match ?? []
  const type = charset === undefined ? media : `${media}; charset=${charset}`
  let content: Pick<AnswerSource, 'events' | 'body' | 'vectors'>
  if (isStream) {
    const events = redactStream(body, redactor).map(({ atMs, text }) => {
      const at = formatDuration(atMs)
      const [, data] = DATA_LINE.exec(text) ?? []
      return data === undefined ? { at, text } : { at, data }
    })
    content = { events }
  } else {
    if (body.includes('"logprobs"')) checkLogprobs([parseJson(body)], redactor)
    const extracted = extractVectors(body)
    content = { ...extracted, body: redactor.redactJson(extracted.body) }
  }
  return {
    ...(status !== 200 && { status }),
    ...(type !== defaultContentType(isStream) && { contentType: type }),
    ...(retryAfterMs !== undefined && { retryAfter: formatDuration(retryAfterMs) }),
    ...(waitMs >= 1 && { wait: formatDuration(waitMs) }),
    ...content,
    ...(isCut && { cut: true }),
  }
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

// Not `{40,}?` or a group for each four characters: these take quadratic time, or overflow the stack of the engine.
const EMBEDDING = /("embedding"\s*:\s*)(?:(\[\s*)(-?\d[^\]"]{40}[^\]"]*)\]|"([A-Za-z0-9+/]{40}[A-Za-z0-9+/]*={0,2})")/g

/**
 * Moves the vectors of an embeddings answer out of its body: as base64 they are short, and the body stays readable.
 * @returns the body with a placeholder for each vector; unchanged if replay could not restore every byte.
 */
export function extractVectors(body: string): { readonly body: string; readonly vectors?: VectorSource[] } {
  if (body.includes(VECTOR_PLACE)) return { body }
  const vectors: VectorSource[] = []
  const rest = body.replace(EMBEDDING, (whole, name: string, open = '', list = '', base64?: string) => {
    const numbers = list.trimEnd()
    const close = `${list.slice(numbers.length)}]`
    const vector = base64 === undefined ? readFloats(numbers) : { base64 }
    if (vector === undefined) return whole
    vectors.push(vector)
    return base64 === undefined ? name + open + VECTOR_PLACE + close : `${name}"${VECTOR_PLACE}"`
  })
  return vectors.length > 0 && bodyOf({ body: rest, vectors }) === body ? { body: rest, vectors } : { body }
}

/** The numbers as float32 values; undefined if they would not be printed the same way again. */
function readFloats(numbers: string): VectorSource | undefined {
  // The first comma, with the blanks around it.
  const [separator = ','] = /(?<!\s)\s*,\s*/.exec(numbers) ?? []
  const values = numbers.split(separator).map(Number)
  if (values.some(Number.isNaN)) return undefined
  const floats = encodeBase64(Float32Array.from(values))
  const plain: VectorSource = { floats, ...(separator !== ',' && { between: separator }) }
  const forms: readonly VectorSource[] = [plain, { ...plain, exponents: true }]
  return forms.find((vector) => bodyOf({ body: VECTOR_PLACE, vectors: [vector] }) === numbers)
}
