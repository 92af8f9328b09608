/** The events of a Responses stream that faults look for. */

import type { Plan } from '../plan/plan.ts'
import { type NotApplicable, sendsOf, textOf } from '../plan/transform.ts'

export const LAST_EVENT = /^event: response\.(?:completed|incomplete|failed)\n/
const isBeforeItems = (event: string): boolean => /^event: response\.(?:created|queued|in_progress)\n/.test(event)
/** True for an event that carries a part of the answer's content. */
const isContentDelta = (event: string): boolean =>
  /^event: response\.(?:output_text|refusal|function_call_arguments)\.delta\n/.test(event)
const isCallStart = (event: string): boolean =>
  /^event: response\.output_item\.added\n.*?"item":\{"id":"[^"]*","type":"function_call"/.test(event)

/**
 * The number of events up to each place that `after` counts. Each is the moment of one chunk of a chat: the events before the
 * first item, the start of each of several calls, each content delta, the events up to the last one, and the last one.
 */
export function* placesIn(length: number, textAt: (index: number) => string): Generator<number, void> {
  const hasCallFrom = (from: number): boolean => {
    for (let index = from; index < length; index++) if (isCallStart(textAt(index))) return true
    return false
  }
  let hasItems = false
  let hasSeveralCalls: boolean | undefined
  for (let index = 0; index < length; index++) {
    const text = textAt(index)
    if (!hasItems && !isBeforeItems(text)) {
      hasItems = true
      yield index
    }
    if (isCallStart(text)) hasSeveralCalls ??= hasCallFrom(index + 1)
    if (isContentDelta(text) || (hasSeveralCalls && isCallStart(text))) yield index + 1
  }
  if (length > 0) yield length - 1
  yield length
}

/** The number of events up to a place; for 0, which is before all events, up to the first place. */
export function countUpTo(plan: Plan, after: number): number | NotApplicable {
  const sends = sendsOf(plan)
  let place = 0
  for (const events of placesIn(sends.length, (index) => textOf(sends[index]!.data))) {
    place++
    if (place >= after) return events
  }
  return { notApplicable: `expected 'after' to be at most ${place}, the number of places in the stream, got ${after}.` }
}

/** The last event of a response that failed, made from the first one. Not parsed: numbers keep their form, such as 1.0. */
export function failedEvent(
  first: string,
  number: number,
  error: { readonly code: string; readonly message: string },
): string {
  return first
    .replace(
      /^event: response\.created\n(data: \{"type":)"response\.created"/,
      'event: response.failed\n$1"response.failed"',
    )
    .replace('"status":"in_progress"', '"status":"failed"')
    .replace('"error":null', () => `"error":${JSON.stringify(error)}`)
    .replace(/"sequence_number":\d+/, `"sequence_number":${number}`)
}

/** The last event with `null` in place of its usage. */
export function withoutUsage(event: string): string {
  // The schemas of tools may have a property of this name; they come before it.
  const start = event.lastIndexOf('"usage":{')
  if (start < 0) return event
  return event.slice(0, start) + event.slice(start).replace(/^"usage":\{(?:[^{}]|\{[^{}]*\})*\}/, '"usage":null')
}
