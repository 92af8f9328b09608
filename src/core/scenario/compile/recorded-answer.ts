/**
 * Compiles the recorded answers of a cassette to answers that can be replayed.
 *
 *   { wait: '200ms', events: [{ at: '200ms', data: 'a' }, { at: '250ms', data: '[DONE]' }] }
 *   { waitMs: 200, stream: [{ type: 'send', data: 'data: a\n\n' }, { type: 'wait', ms: 50 }, { type: 'send', ... }], ... }
 */

import { durationMs } from '../../lib/text/duration.ts'
import type { PlanEvent } from '../../protocol/plan/plan.ts'
import type { AnswerSource } from '../scenario-source.ts'

/** A vector as written, which replaces one {{vector}} of the body. */
export type VectorSource = NonNullable<AnswerSource['vectors']>[number]

/** One recorded answer, ready to be replayed. */
export type RecordedAnswer = Readonly<ReturnType<typeof compileAnswer>>

export function compileAnswer(answer: AnswerSource) {
  const { status = 200, contentType, retryAfter, events, body = '', vectors, cut = false } = answer
  const waitMs = durationMs(answer.wait)
  const stream: PlanEvent[] = []
  // The time of an event is measured from the call, as that of the headers is. One before it is sent at once.
  let nowMs = waitMs
  for (const { at, data, text = '' } of events ?? []) {
    const ms = durationMs(at) - nowMs
    if (ms > 0) {
      stream.push({ type: 'wait', ms })
      nowMs += ms
    }
    stream.push({ type: 'send', data: data === undefined ? text : `data: ${data}\n\n` })
  }
  return {
    status,
    contentType: contentType ?? defaultContentType(events !== undefined),
    /** Undefined if the answer had no such header. */
    retryAfterMs: retryAfter === undefined ? undefined : durationMs(retryAfter),
    /** Time from the call to the headers. */
    waitMs,
    /** Contains {{vector}} for each of the vectors. */
    body,
    vectors,
    /** The events of a stream after its headers; undefined for an answer that was not streamed. */
    stream: events && stream,
    /** True if the answer broke off before its end. */
    isCut: cut,
  }
}

/** The content type of an answer that has none in the cassette. */
export const defaultContentType = (isStream: boolean): string =>
  isStream ? 'text/event-stream; charset=utf-8' : 'application/json'
