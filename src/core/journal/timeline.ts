/** The timeline of an answer: its plan with the times at which its events were sent. */

import { countUtf8 } from '../lib/text/bytes.ts'
import type { PlanEvent } from '../protocol/plan/plan.ts'
import { sendSizeOf, textOf } from '../protocol/plan/transform.ts'
import type { Step } from './entry.ts'

/**
 * The progress of a plan, recorded while it is played, as a flat list of pairs: the number of events sent, and when, in
 * milliseconds since the call arrived.
 */
export type SentProgress = readonly number[]

/**
 * The steps of a plan as text: JSON, or for a head, one text and the end the text alone, after a sign that JSON does not
 * begin with. Without the headers, which the entry has.
 * @param hasData true if the steps show what was sent, false for its size only.
 */
export function writeSteps(events: readonly PlanEvent[], hasData: boolean): string {
  const [head, only, end] = events
  const isWhole = events.length === 3 && head?.type === 'head' && end?.type === 'end'
  if (isWhole && hasData && only?.type === 'send' && typeof only.data === 'string') return `=${only.data}`
  const steps = events.map((event): Step => {
    switch (event.type) {
      case 'head':
        return { type: 'head', status: event.status }
      case 'wait':
        return event
      case 'send':
      case 'raw':
        return hasData
          ? { type: event.type, bytes: sendSizeOf(event), data: textOf(event.data) }
          : { type: event.type, bytes: sendSizeOf(event) }
      default:
        return { type: event.type }
    }
  })
  return JSON.stringify(steps)
}

/** The steps of a text, with the times at which they happened. */
export function readTimeline(text: string, status: number, progress: (steps: number) => SentProgress): readonly Step[] {
  const data = text.slice(1)
  const steps: readonly Step[] = text.startsWith('=')
    ? [{ type: 'head', status }, { type: 'send', bytes: countUtf8(data), data }, { type: 'end' }]
    : JSON.parse(text)
  const pairs = progress(steps.length)
  let index = 0
  return steps.map((step, place) => {
    while (index < pairs.length && pairs[index]! <= place) index += 2
    const atMs = pairs[index + 1]
    return atMs === undefined ? step : { ...step, atMs }
  })
}
