/** Compiles the recorded answers of a cassette to answers that can be replayed. */

import { durationMs } from '../../lib/text/duration.ts'
import type { PlanEvent } from '../../protocol/plan/plan.ts'
import type { AnswerSource } from '../scenario-source.ts'

/** A vector as written, which replaces one {{vector}} of the body. */
export type VectorSource = NonNullable<AnswerSource['vectors']>[number]

/** One recorded answer, ready to be replayed. */
export interface RecordedAnswer {
  readonly status: number
  readonly contentType: string
  /** Undefined if the answer had no such header. */
  readonly retryAfterMs: number | undefined
  /** Time from the call to the headers. */
  readonly waitMs: number
  /** Contains {{vector}} for each of the vectors. */
  readonly body: string
  readonly vectors: readonly VectorSource[] | undefined
  /** The events of a stream after its headers; undefined for an answer that was not streamed. */
  readonly stream: readonly PlanEvent[] | undefined
  /** True if the answer broke off before its end. */
  readonly isCut: boolean
}

export function compileAnswer(answer: AnswerSource): RecordedAnswer {
  const { status = 200, events, body = '', vectors, cut = false } = answer
  const waitMs = durationMs(answer.wait)
  return {
    status,
    contentType: answer.contentType ?? defaultContentType(events !== undefined),
    retryAfterMs: answer.retryAfter === undefined ? undefined : durationMs(answer.retryAfter),
    waitMs,
    body,
    vectors,
    stream: events && planStream(events, waitMs),
    isCut: cut,
  }
}

/** The content type of an answer that has none in the cassette. */
export const defaultContentType = (isStream: boolean): string =>
  isStream ? 'text/event-stream; charset=utf-8' : 'application/json'

type RecordedEvent = NonNullable<AnswerSource['events']>[number]

/** The text of an event as it is sent. */
export const eventText = ({ data, text = '' }: Pick<RecordedEvent, 'data' | 'text'>): string =>
  data === undefined ? text : `data: ${data}\n\n`

/** Sends and waits, so that each event is sent at its recorded time. */
function planStream(events: readonly RecordedEvent[], startMs: number): PlanEvent[] {
  const planned: PlanEvent[] = []
  let nowMs = startMs
  for (const event of events) {
    const atMs = durationMs(event.at)
    if (atMs > nowMs) planned.push({ type: 'wait', ms: atMs - nowMs })
    nowMs = Math.max(nowMs, atMs)
    planned.push({ type: 'send', data: eventText(event) })
  }
  return planned
}
