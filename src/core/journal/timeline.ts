/** Builds the timeline of an answer: its plan with the times at which its events were sent. */

import type { PlanEvent } from '../protocol/plan/plan.ts'
import { sendSizeOf, textOf } from '../protocol/plan/transform.ts'
import type { Step } from './entry.ts'

/**
 * The progress of a plan, recorded while it is played, as a flat list of pairs: the number of events sent, and when, in
 * milliseconds since the call arrived.
 */
export type Progress = readonly number[]

/** The bytes of the events that were sent. */
export function countSentBytes(events: readonly PlanEvent[], progress: Progress): number {
  const sent = progress.at(-2) ?? 0
  let bytes = 0
  for (const event of events.slice(0, sent)) if ('data' in event) bytes += sendSizeOf(event)
  return bytes
}

/**
 * The events of a plan with the times they were sent at, without the headers, which the entry has.
 * @param hasData whether the steps show what was sent, or only its size.
 */
export function buildTimeline(events: readonly PlanEvent[], progress: Progress, hasData: boolean): Step[] {
  let index = 0
  return events.map((event, place) => {
    while (index < progress.length && progress[index]! <= place) index += 2
    const atMs = progress[index + 1]
    return { ...stepOf(event, hasData), ...(atMs !== undefined && { atMs }) }
  })
}

function stepOf(event: PlanEvent, hasData: boolean): Step {
  switch (event.type) {
    case 'head':
      return { type: 'head', status: event.status }
    case 'send':
    case 'raw':
      return { type: event.type, bytes: sendSizeOf(event), ...(hasData && { data: textOf(event.data) }) }
    default:
      return event
  }
}
