/** Turns an answer of the upstream into the `answer` of a cassette rule, without secrets. */

import { goDuration } from '../core/lib/text/duration.ts'
import { parseJson } from '../core/lib/text/json.ts'
import { type AnswerSource, defaultContentType } from '../core/scenario/compile/recorded-answer.ts'
import type { Redactor } from './redact/redact.ts'
import { checkLogprobs } from './redact/redact-logprobs.ts'
import { redactStream } from './redact/redact-stream.ts'
import { dataOf, type TimedText } from './stream-text.ts'
import { extractVectors } from './vectors.ts'

/** An answer as it was received. */
export interface ReceivedAnswer {
  readonly status: number
  readonly contentType: string
  /** How long the upstream asked the client to wait; undefined if it did not ask. */
  readonly retryAfterMs: number | undefined
  /** Time from the call to the head of a stream, or to the end of any other body. */
  readonly waitMs: number
  /** The events of a stream, or the text of any other body. */
  readonly body: string | readonly TimedText[]
  /** Whether the connection broke before the end. */
  readonly isCut: boolean
}

/** @throws when a secret cannot be removed. */
export function recordedAnswer(received: ReceivedAnswer, redactor: Redactor): AnswerSource {
  const { status, contentType, retryAfterMs, waitMs, body, isCut } = received
  const isStream = typeof body !== 'string'
  const type = mediaType(contentType)
  return {
    ...(status !== 200 && { status }),
    ...(type !== defaultContentType(isStream) && { contentType: type }),
    ...(retryAfterMs !== undefined && { retryAfter: formatDuration(retryAfterMs) }),
    ...(waitMs >= 1 && { wait: formatDuration(waitMs) }),
    ...(isStream ? { events: redactStream(body, redactor).map(eventSource) } : bodySource(body, redactor)),
    ...(isCut && { cut: true }),
  }
}

// The scenario grammar allows no longer durations.
const MAX_DURATION_MS = 86_400_000
const formatDuration = (ms: number): string => (ms < 1 ? '0ms' : goDuration(Math.min(ms, MAX_DURATION_MS)))

/** The media type and its charset, without other parameters. */
function mediaType(contentType: string): string {
  const match = /^([\w.+-]+\/[\w.+-]+)\s*(?:;.*?charset=("?)([\w-]+)\2)?/i.exec(contentType)
  if (match === null) return 'application/octet-stream'
  const [, type, , charset] = match
  return charset === undefined ? type! : `${type}; charset=${charset}`
}

function eventSource({ atMs, text }: TimedText): NonNullable<AnswerSource['events']>[number] {
  const at = formatDuration(atMs)
  const data = dataOf(text)
  return data === undefined ? { at, text } : { at, data }
}

function bodySource(text: string, redactor: Redactor): Pick<AnswerSource, 'body' | 'vectors'> {
  if (text.includes('"logprobs"')) checkLogprobs([parseJson(text)], redactor)
  const { body, vectors } = extractVectors(text)
  return { body: redactor.redactJson(body), ...(vectors !== undefined && { vectors }) }
}
