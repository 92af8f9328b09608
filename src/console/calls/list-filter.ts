/** The filter of the list of calls: `{ text: 'weather >2s', status: '5xx', ... }` shows slow server errors on the weather. */
import type { CallSummary } from '../../core/journal/call-details.ts'
import { parseDuration } from '../../core/lib/text/duration.ts'

/** The filter without conditions: an empty field matches every call. */
export const NO_FILTER = {
  /** Words that must all occur in the call's fields, in any case. `>2s` and `<300ms` stand for durations. */
  text: '',
  /** A status (`429`), a class of them (`5xx`), or an ending (`cut`). */
  status: '',
  endpoint: '',
  /** A masked key. */
  key: '',
  /** The cause of a failure: a fault (`rate-limit`), `any fault`, `any limit` or `invalid request`. */
  cause: '',
}
export type ListFilter = Readonly<typeof NO_FILTER>

/** True for a filter without conditions: every call passes. */
export const isEmpty = (filter: ListFilter): boolean => Object.values(filter).every((field) => field === '')

export function isShown(call: CallSummary, { text, status, endpoint, key, cause }: ListFilter): boolean {
  return (
    (status === '' || statusesOf(call).includes(status)) &&
    (endpoint === '' || call.endpoint === endpoint) &&
    (key === '' || call.key === key) &&
    (cause === '' || causesOf(call).includes(cause)) &&
    hasWords(call, text)
  )
}

/** The choices of the status filter that match a call: `['5xx', '503', 'cut']`. The status is 0 if no head was sent. */
export function statusesOf({ status, outcome }: CallSummary): string[] {
  const statuses = status === 0 ? [] : [`${Math.floor(status / 100)}xx`, String(status)]
  return outcome === 'complete' ? statuses : [...statuses, outcome]
}

/** The choices of the filter `cause`, labelled Failure, that match a call: `['any fault', 'rate-limit']`; none for a successful one. */
export function causesOf({ fault, reason, status }: CallSummary): string[] {
  if (fault !== undefined) return ['any fault', fault]
  if (reason.by === 'limit') return ['any limit']
  return status >= 400 ? ['invalid request'] : []
}

/** The cause of an answer: `fault rate-limit (injected)`, `echo`, `replies[2]`. */
export const causeText = ({ by, name }: CallSummary['reason']): string =>
  by === name || by === 'reply' ? name : `${by} ${name}`

/** True if every word occurs in the call or is a duration that it keeps to. */
function hasWords(call: CallSummary, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const { number, method, path, key, session = '', model, state = '', status, reason, notes, outcome, prompt } = call
  const fields = [number, method, path, key, session, model, state, status, outcome, prompt, reason.by, reason.name]
  const searched = [...fields, ...notes].join('\n').toLowerCase()
  return words.every((word) => {
    const boundMs = /^[<>]/.test(word) ? parseDuration(word.slice(1)) : undefined
    if (boundMs === undefined) return searched.includes(word)
    // The duration of an open call is not known yet.
    if (outcome === 'open') return false
    return word.startsWith('>') ? call.durationMs > boundMs : call.durationMs < boundMs
  })
}
