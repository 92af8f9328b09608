/** What a service answered, as a cassette writes it down. */

import { type AnswerSource, defaultContentType } from '../core/scenario/compile/recorded-answer.ts'
import { goDuration } from '../core/text/duration.ts'
import type { Redactor } from './redact/redact.ts'
import { checkLogprobs } from './redact/redact-logprobs.ts'
import { parsed, redactStream } from './redact/redact-stream.ts'
import { dataOf, type TimedText } from './stream-text.ts'
import { takeVectors } from './vectors.ts'

/** An answer as it came. */
export interface Received {
  readonly status: number
  readonly contentType: string
  /** Undefined when it did not say. */
  readonly retryAfterMs: number | undefined
  /** From the call to the head of a stream, or to the end of a body. */
  readonly waitMs: number
  readonly body: string | readonly TimedText[]
  /** Whether it broke off before its end. */
  readonly isCut: boolean
}

// The grammar has no longer durations.
const DAY_MS = 86_400_000
const duration = (ms: number): string => (ms < 1 ? '0ms' : goDuration(Math.min(ms, DAY_MS)))

/** @throws when it has a secret that can't be taken out. */
export function recordedAnswer(received: Received, redactor: Redactor): AnswerSource {
  const { status, contentType, retryAfterMs, waitMs, body, isCut } = received
  const isStream = typeof body !== 'string'
  const type = plainType(contentType)
  return {
    ...(status !== 200 && { status }),
    ...(type !== defaultContentType(isStream) && { contentType: type }),
    ...(retryAfterMs !== undefined && { retryAfter: duration(retryAfterMs) }),
    ...(waitMs >= 1 && { wait: duration(waitMs) }),
    ...(isStream ? { events: redactStream(body, redactor).map(eventOf) } : bodyOf(body, redactor)),
    ...(isCut && { cut: true }),
  }
}

/** A content type without what is no type or charset. */
function plainType(contentType: string): string {
  const match = /^([\w.+-]+\/[\w.+-]+)\s*(?:;.*?charset=("?)([\w-]+)\2)?/i.exec(contentType)
  if (match === null) return 'application/octet-stream'
  return match[3] === undefined ? match[1]! : `${match[1]}; charset=${match[3]}`
}

function eventOf({ atMs, text }: TimedText): NonNullable<AnswerSource['events']>[number] {
  const at = duration(atMs)
  const data = dataOf(text)
  return data === undefined ? { at, text } : { at, data }
}

/** @throws when a secret is where it can't be taken out. */
function bodyOf(text: string, redactor: Redactor): Pick<AnswerSource, 'body' | 'vectors'> {
  if (text.includes('"logprobs"')) checkLogprobs([parsed(text)], redactor)
  const { body, vectors } = takeVectors(text)
  return { body: redactor.json(body), ...(vectors !== undefined && { vectors }) }
}
