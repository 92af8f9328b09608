/**
 * The timeline of an answer: the steps of its plan, with the times at which they happened.
 *
 * The steps are written as text when a call has ended. The sent data follows them in one piece, and each step has the
 * length of its part: as JSON, a stream would take four times as long.
 *
 *     [{"type":"wait","ms":300},{"type":"head","status":200},{"type":"send","bytes":4,"data":4},{"type":"end"}]
 *     Hey!
 *
 * Most answers are a head, one text and the end. They have a short form, which is the text alone after a sign:
 *
 *     =Hey!
 *
 * While the plan is played, only its progress is recorded.
 */

import { countUtf8 } from '../lib/text/bytes.ts'
import { type PlanEvents, sendSizeOf } from '../protocol/plan/plan.ts'
import { textOf } from '../protocol/plan/transform.ts'
import type { Step } from './entry.ts'

/**
 * The progress of a plan as pairs in a row: the number of steps that had begun, and the milliseconds since the call arrived.
 * `[1, 0, 4, 300]`: one step had begun at 0 ms, and four at 300 ms.
 */
export type SentProgress = readonly number[]

/** A function that returns the time at which a step began, undefined if it did not. Its calls go up from the first step. */
export function timesIn(progress: SentProgress): (step: number) => number | undefined {
  let pair = 0
  return (step) => {
    while (pair < progress.length && progress[pair]! <= step) pair += 2
    return progress[pair + 1]
  }
}

/** Begins a timeline in the short form. The long form begins with the bracket of its JSON. */
const SHORT_FORM = '='

/** A step as it is written: `data` is the length of its data, in UTF-16 code units. */
type WrittenStep =
  | Exclude<Step, { readonly data?: string }>
  | { readonly type: 'send' | 'raw'; readonly bytes: number }
  | { readonly type: 'send' | 'raw'; readonly bytes: number; readonly data: number }

/**
 * The steps of a plan as text. Without the headers, which the entry has.
 * @param hasData true if the steps show what was sent, false for its size only.
 */
export function writeSteps(events: PlanEvents, hasData: boolean): string {
  const [head, body, end] = events
  const isUsual = events.length === 3 && head?.type === 'head' && body?.type === 'send' && end?.type === 'end'
  if (isUsual && hasData && typeof body.data === 'string') return SHORT_FORM + body.data
  const data: string[] = []
  const steps = Array.from(events, (event): WrittenStep => {
    switch (event.type) {
      case 'head':
        return { type: 'head', status: event.status }
      case 'wait':
        return event
      case 'send':
      case 'raw': {
        const bytes = sendSizeOf(event)
        if (!hasData) return { type: event.type, bytes }
        const text = textOf(event.data)
        data.push(text)
        return { type: event.type, bytes, data: text.length }
      }
      default:
        return { type: event.type }
    }
  })
  return [JSON.stringify(steps), '\n', ...data].join('')
}

/** The steps in a text. @param status that of the answer, which the short form leaves out. */
export function readSteps(text: string, status: number): readonly Step[] {
  if (text.startsWith(SHORT_FORM)) {
    const data = text.slice(SHORT_FORM.length)
    return [{ type: 'head', status }, { type: 'send', bytes: countUtf8(data), data }, { type: 'end' }]
  }
  let start = text.indexOf('\n') + 1
  const steps = JSON.parse(text.slice(0, start)) as readonly WrittenStep[]
  return steps.map((step): Step => {
    if (!('data' in step)) return step
    const end = start + step.data
    const data = text.slice(start, end)
    start = end
    return { ...step, data }
  })
}
