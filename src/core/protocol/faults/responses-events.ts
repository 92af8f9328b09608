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

/** An event that carries the response, with other fields and a changed response. */
export function withResponse(event: string, fields: object, changes: object): string {
  const value = parseJson(event.slice(event.indexOf('{')))
  const known = isObject(value) ? value : {}
  const response = { ...(isObject(known.response) && known.response), ...changes }
  return eventText({ type: '', ...known, ...fields, response })
}

/** An event as it is sent. */
export const eventText = (event: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
