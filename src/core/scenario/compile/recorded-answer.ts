/**
 * Compiles the recorded answers of a cassette to answers that can be replayed.
 *
 *   { wait: '200ms', events: [{ at: '200ms', data: 'a' }, { at: '250ms', data: '[DONE]' }] }
 *   { waitMs: 200, stream: [{ type: 'send', data: 'data: a\n\n' }, { type: 'wait', ms: 50 }, { type: 'send', ... }], ... }
 */

import { durationMs } from '../../lib/text/duration.ts'
import type { PlanEvent } from '../../protocol/plan/plan.ts'
import type { AnswerSource } from '../scenario-source.ts'

/** An event of a stream as written. */
type EventSource = NonNullable<AnswerSource['events']>[number]
/** A vector as written, which replaces one {{vector}} of the body. */
export type VectorSource = NonNullable<AnswerSource['vectors']>[number]

/** One recorded answer, ready to be replayed. */
export type RecordedAnswer = Readonly<ReturnType<typeof compileAnswer>>

export function compileAnswer(answer: AnswerSource) {
  const { status = 200, contentType, retryAfter, events, body = '', vectors, cut = false } = answer
  const waitMs = durationMs(answer.wait)
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
    stream: events && compileStream(events, waitMs),
    /** True if the answer broke off before its end. */
    isCut: cut,
  }
}

/** Sends each event at its recorded time, which is measured from the call, as `waitMs` is. */
function compileStream(events: readonly EventSource[], waitMs: number): PlanEvent[] {
  const stream: PlanEvent[] = []
  let nowMs = waitMs
  for (const event of events) {
    const ms = durationMs(event.at) - nowMs
    if (ms > 0) {
      stream.push({ type: 'wait', ms })
      nowMs += ms
    }
    stream.push({ type: 'send', data: eventText(event) })
  }
  return stream
}

/** The content type of an answer that has none in the cassette. */
export const defaultContentType = (isStream: boolean): string =>
  isStream ? 'text/event-stream; charset=utf-8' : 'application/json'

/** The text of an event as it is sent: `data` as a line with a blank line after it, or the whole `text`. */
export const eventText = ({ data, text = '' }: Pick<EventSource, 'data' | 'text'>): string =>
  data === undefined ? text : `data: ${data}\n\n`
