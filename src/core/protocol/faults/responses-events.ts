/**
 * The events of a Responses stream that faults look for, and the places that their option `after` counts:
 *
 *     response.created
 *     response.in_progress
 *                                      1   after the events before the first item
 *     response.output_item.added
 *     response.content_part.added
 *     response.output_text.delta
 *                                      2   after each content delta
 *     response.output_text.done
 *     response.content_part.done
 *     response.output_item.done
 *                                      3   before the last event
 *     response.completed
 *                                      4   after it
 */

import type { Plan } from '../plan/plan.ts'
import { type NotApplicable, sendsOf, textOf } from '../plan/transform.ts'

/** The last event of a response. */
export const LAST_EVENT = /^event: response\.(?:completed|incomplete|failed)\n/
/** An event before the items. */
const BEFORE_ITEMS = /^event: response\.(?:created|queued|in_progress)\n/
/** An event that carries a part of the answer's content. */
const CONTENT_DELTA = /^event: response\.(?:output_text|refusal|function_call_arguments)\.delta\n/
/** The event that starts a call. */
const CALL_START = /^event: response\.output_item\.added\n.*?"item":\{"id":"[^"]*","type":"function_call"/

/**
 * The places that `after` counts, each as the number of events before it: 2, 5, 8 and 9 for the example. Each is the moment of
 * one chunk of a chat. With several calls, the start of each of them is a place too.
 * @param textAt builds the text of an event, of which a long stream stores none.
 */
export function* placesIn(length: number, textAt: (index: number) => string): Generator<number, void> {
  const hasCallFrom = (from: number): boolean => {
    for (let index = from; index < length; index++) if (CALL_START.test(textAt(index))) return true
    return false
  }
  let hasItems = false
  // A single call starts in the first chunk of a chat, so its start is no place. Known from the first call on.
  let hasSeveralCalls: boolean | undefined
  for (let index = 0; index < length; index++) {
    const text = textAt(index)
    if (!hasItems && !BEFORE_ITEMS.test(text)) {
      hasItems = true
      yield index
    }
    const isCallStart = CALL_START.test(text)
    if (isCallStart) hasSeveralCalls ??= hasCallFrom(index + 1)
    if (CONTENT_DELTA.test(text) || (isCallStart && hasSeveralCalls === true)) yield index + 1
  }
  if (length > 0) yield length - 1
  yield length
}

/** The number of events before a place, counted from 1; for 0, those before the first place. */
export function countUpTo(plan: Plan, after: number): number | NotApplicable {
  const sends = sendsOf(plan)
  let place = 0
  for (const eventCount of placesIn(sends.length, (index) => textOf(sends[index]!.data))) {
    place++
    if (place >= after) return eventCount
  }
  return { notApplicable: `expected 'after' to be at most ${place}, the number of places in the stream, got ${after}.` }
}
