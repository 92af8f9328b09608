/** The events of a Responses stream that faults look for. */

import type { Plan } from '../plan/plan.ts'
import { type NotApplicable, sendsOf, textOf } from '../plan/transform.ts'

export const LAST_EVENT = /^event: response\.(?:completed|incomplete|failed)\n/
/** True for an event before the first item. */
export const isBeforeItems = (event: string): boolean =>
  /^event: response\.(?:created|queued|in_progress)\n/.test(event)
/** True for an event that carries a part of the answer's content. */
export const isContentDelta = (event: string): boolean =>
  /^event: response\.(?:output_text|refusal|function_call_arguments)\.delta\n/.test(event)

/** The number of events up to the end of a content delta; for 0 deltas, that of the events before the first item. */
export function countUpToDelta(plan: Plan, deltas: number): number | NotApplicable {
  let found = 0
  for (const [index, { data }] of sendsOf(plan).entries()) {
    const text = textOf(data)
    if (deltas === 0) {
      if (!isBeforeItems(text)) return index
    } else if (isContentDelta(text) && ++found === deltas) return index + 1
  }
  return {
    notApplicable: `expected 'after' to be at most ${found}, the number of content deltas of the stream, got ${deltas}.`,
  }
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
