/** The timeline of an answer: its plan beside what was really sent, from a few numbers that the shells note down. */

import type { PlanEvent } from '../plan/plan.ts'
import { bytesOf, textOf } from '../plan/transform.ts'
import type { Step } from './entry.ts'

/**
 * What a shell notes while it plays a plan: pairs of how many events were done and when, in milliseconds since the
 * call came. A plan without waits is done in one go and has one pair, so the hot path notes two numbers.
 */
export type Marks = readonly number[]

/** How many events of a plan were done. */
export const doneIn = (marks: Marks): number => (marks.length === 0 ? 0 : marks[marks.length - 2]!)

/** The bytes of the events that were done. */
export function sentBytes(events: readonly PlanEvent[], marks: Marks): number {
  let bytes = 0
  for (const event of events.slice(0, doneIn(marks))) if ('data' in event) bytes += bytesOf(event.data).length
  return bytes
}

/**
 * Each event of a plan with the time it was done. Headers stand in the entry.
 * @param hasData whether steps tell what was sent, and not only how much.
 */
export function timelineOf(events: readonly PlanEvent[], marks: Marks, hasData: boolean): Step[] {
  let mark = 0
  return events.map((event, index) => {
    while (mark < marks.length && marks[mark]! <= index) mark += 2
    const atMs = marks[mark + 1]
    return { ...stepOf(event, hasData), ...(atMs !== undefined && { atMs }) }
  })
}

function stepOf(event: PlanEvent, hasData: boolean): Step {
  switch (event.type) {
    case 'head':
      return { type: 'head', status: event.status }
    case 'send':
    case 'raw':
      return { type: event.type, bytes: bytesOf(event.data).length, ...(hasData && { data: textOf(event.data) }) }
    default:
      return event
  }
}
