/** The events of a Responses stream that faults look for. */

import type { Plan } from '../plan/plan.ts'
import { type NotApplicable, sendsOf, textOf } from '../plan/transform.ts'

export const LAST_EVENT = /^event: response\.(?:completed|incomplete|failed)\n/
const BEFORE_ITEMS = /^event: response\.(?:created|queued|in_progress)\n/
const CONTENT_DELTA = /^event: response\.(?:output_text|refusal|function_call_arguments)\.delta\n/

/** The number of events up to the end of a content delta; for 0 deltas, that of the events before the first item. */
export function countUpToDelta(plan: Plan, deltas: number): number | NotApplicable {
  let found = 0
  for (const [index, { data }] of sendsOf(plan).entries()) {
    const text = textOf(data)
    if (deltas === 0) {
      if (!BEFORE_ITEMS.test(text)) return index
    } else if (CONTENT_DELTA.test(text) && ++found === deltas) return index + 1
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
    .replaceAll('response.created', 'response.failed')
    .replace('"status":"in_progress"', '"status":"failed"')
    .replace('"error":null', () => `"error":${JSON.stringify(error)}`)
    .replace(/"sequence_number":\d+/, `"sequence_number":${number}`)
}

/** The last event with `null` in place of its usage. */
export function withoutUsage(event: string): string {
  // The schemas of tools may have a property of this name; they come before it.
  const start = event.lastIndexOf('"usage":{')
  return event.slice(0, start) + event.slice(start).replace(/^"usage":\{(?:[^{}]|\{[^{}]*\})*\}/, '"usage":null')
}
