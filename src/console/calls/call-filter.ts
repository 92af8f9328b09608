/** Which calls of the table are shown. */
import type { CallSummary } from '../../core/journal/call-details.ts'

/** An empty text shows all. */
export interface Filter {
  /** Words that must all occur, in any case, in what is known of a call. */
  readonly text: string
  /** A status (`429`), a class of them (`5xx`), or how the call ended (`cut`). */
  readonly status: string
  readonly endpoint: string
  /** A key, shortened. */
  readonly key: string
  /** A fault (`rate-limit`), or what decided the answer (`any fault`, `any limit`). */
  readonly cause: string
}

export const NO_FILTER: Filter = { text: '', status: '', endpoint: '', key: '', cause: '' }

export function isShown(call: CallSummary, { text, status, endpoint, key, cause }: Filter): boolean {
  return (
    (status === '' || statusesOf(call).includes(status)) &&
    (endpoint === '' || call.endpoint === endpoint) &&
    (key === '' || call.key === key) &&
    (cause === '' || causesOf(call).includes(cause)) &&
    hasWords(call, text)
  )
}

/** All that a call may be chosen by in the list of statuses. */
export function statusesOf({ status, outcome }: CallSummary): string[] {
  const statuses = status === 0 ? [] : [`${Math.floor(status / 100)}xx`, String(status)]
  return outcome === 'complete' ? statuses : [...statuses, outcome]
}

/** All that a call may be chosen by in the list of causes; none where nothing went wrong. */
export function causesOf({ reason, status }: CallSummary): string[] {
  if (reason.by === 'fault') return ['any fault', nameOfFault(reason.name)]
  if (reason.by === 'limit') return ['any limit']
  return status >= 400 ? ['the request itself'] : []
}

/** What decided an answer, in words: `fault rate-limit (injected)`, `echo`, `replies[2]`. */
export const causeText = ({ by, name }: CallSummary['reason']): string =>
  by === name || by === 'reply' ? name : `${by} ${name}`

/** `rate-limit (injected)` is `rate-limit`. */
export const nameOfFault = (reason: string): string => reason.replace(/ \(.*$/s, '')

function hasWords(call: CallSummary, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const { number, method, path, key, model, state = '', status, reason, notes, outcome, asked } = call
  const all = [number, method, path, key, model, state, status, reason.by, reason.name, ...notes, outcome, asked]
  const known = all.join('\n').toLowerCase()
  return words.every((word) => known.includes(word))
}
