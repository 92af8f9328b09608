/** The events of a Responses stream that faults look for. */

import { isObject, parseJson } from '../../lib/text/json.ts'
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

/** The event with the response in it changed, or added to what it has; the event as it is if it has none. */
export function withResponse(event: string, name: string, number: number | undefined, changes: object): string {
  const { response, sequence_number, ...others } = jsonOf(event)
  if (!isObject(response)) return event
  const changed = { ...others, type: name, sequence_number: number ?? sequence_number, response: { ...response, ...changes } }
  return eventText(changed)
}

const jsonOf = (event: string) => {
  const value = parseJson(event.slice(event.indexOf('{')))
  return isObject(value) ? value : {}
}

/** An event as it is sent. */
export const eventText = (event: { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
