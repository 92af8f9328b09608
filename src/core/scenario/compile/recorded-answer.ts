/** Recorded answers: from what a cassette has written down to what is played. */

import type { PlanEvent } from '../../plan/plan.ts'
import { parseDuration } from '../../text/duration.ts'
import type { ScenarioSource } from '../grammar/schema.ts'

type Rule = NonNullable<ScenarioSource['replies']>[number]
/** An answer as it is written. */
export type AnswerSource = Exclude<NonNullable<Rule['answer']>, readonly unknown[]>
/** A vector as it is written, apart from the body that has a place for it. */
export type VectorSource = NonNullable<AnswerSource['vectors']>[number]

/** One answer of a real service, ready to be played. */
export interface RecordedAnswer {
  readonly status: number
  readonly contentType: string
  /** Undefined when it did not say. */
  readonly retryAfterMs: number | undefined
  /** From the call to the head. */
  readonly waitMs: number
  /** With places for the vectors, where there are any. */
  readonly body: string
  readonly vectors: readonly VectorSource[] | undefined
  /** What follows the head of a stream; undefined for a body that went out whole. */
  readonly stream: readonly PlanEvent[] | undefined
  /** Whether it broke off before its end. */
  readonly isCut: boolean
}

export function compileAnswer(answer: AnswerSource): RecordedAnswer {
  const { status = 200, events, body = '', vectors, cut = false } = answer
  const waitMs = msOf(answer.wait)
  return {
    status,
    contentType: answer.contentType ?? defaultContentType(events !== undefined),
    retryAfterMs: answer.retryAfter === undefined ? undefined : msOf(answer.retryAfter),
    waitMs,
    body,
    vectors,
    stream: events && streamOf(events, waitMs),
    isCut: cut,
  }
}

/** What an answer is when it does not say. */
export const defaultContentType = (isStream: boolean): string =>
  isStream ? 'text/event-stream; charset=utf-8' : 'application/json'

/** The bytes of an event. */
export const eventText = ({
  data,
  text,
}: {
  readonly data?: string | undefined
  readonly text?: string | undefined
}) => (data === undefined ? (text ?? '') : `data: ${data}\n\n`)

const msOf = (duration = '0ms'): number => parseDuration(duration) ?? 0

function streamOf(events: NonNullable<AnswerSource['events']>, startMs: number): PlanEvent[] {
  const planned: PlanEvent[] = []
  let nowMs = startMs
  for (const event of events) {
    const atMs = msOf(event.at)
    if (atMs > nowMs) planned.push({ type: 'wait', ms: atMs - nowMs })
    nowMs = Math.max(nowMs, atMs)
    planned.push({ type: 'send', data: eventText(event) })
  }
  return planned
}
