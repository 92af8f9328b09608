/**
 * The attempts of a request, and the retries among them.
 *
 *   #1 POST /v1/chat/completions {"model":"a"} -> 500
 *   #2 POST /v1/chat/completions {"model":"b"} -> 200
 *   #3 POST /v1/chat/completions {"model":"a"} -> 200
 *
 * are two requests of a key: #2, and the attempts #1 and #3, of which #3 is a retry.
 */
import type { JournalEntry } from '../journal/entry.ts'

/** The calls in which one key or session sent the same request, in order. */
export type Attempts = readonly JournalEntry[]

// Clients round waits to milliseconds, and timers may fire a little early.
export const TOLERANCE_MS = 2

// The real service has no such errors: the mock refused a session, or a fault that a header names, or a reply function failed.
const MOCK_ERRORS: readonly string[] = ['invalid-session', 'unknown-fault', 'impossible-fault', 'reply-function-failed']

type SentRequest = Pick<JournalEntry, 'method' | 'reason' | 'caller' | 'session' | 'request'>

/** The attempts of each request, without preflights and calls that failed for a session, a fault or a reply function of the mock. */
export function groupAttempts<Entry extends SentRequest>(entries: Iterable<Entry>): (readonly Entry[])[] {
  const sent = [...entries].filter(({ method, reason }) => {
    const isMockError = reason.by === 'request' && MOCK_ERRORS.includes(reason.name)
    return method !== 'OPTIONS' && !isMockError
  })
  return groupBy(sent, ({ caller, session = '', request }) => `${caller} ${session} ${request}`)
}

/** Groups of items with the same key, in the order of their first items. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

type CallEnd = Pick<JournalEntry, 'at' | 'durationMs' | 'status' | 'outcome'>

export interface Retry<Entry = JournalEntry> {
  readonly failed: Entry
  readonly next: Entry
  /** Time from the end of `failed` to the arrival of `next`, at least 0. */
  readonly waitedMs: number
}

/** Each failed attempt with the next one. Calls that overlap are not retries of each other. */
export function findRetries<Entry extends CallEnd>(attempts: readonly Entry[]): Retry<Entry>[] {
  const retries: Retry<Entry>[] = []
  for (const [index, failed] of attempts.entries()) {
    const next = attempts[index + 1]
    if (next === undefined || !hasFailed(failed)) continue
    const waitedMs = next.at - (failed.at + failed.durationMs)
    if (waitedMs > -TOLERANCE_MS) retries.push({ failed, next, waitedMs: Math.max(0, waitedMs) })
  }
  return retries
}

/** Rows of retries that follow each other without an attempt that succeeded between them. */
export function findRetryRows(attempts: Attempts): Retry[][] {
  const rows: Retry[][] = []
  let last: Retry | undefined
  for (const retry of findRetries(attempts)) {
    if (last?.next === retry.failed) rows.at(-1)!.push(retry)
    else rows.push([retry])
    last = retry
  }
  return rows
}

/** True for a call that ended with an error, without an answer or with half of one. */
export const hasFailed = ({ status, outcome }: Pick<JournalEntry, 'status' | 'outcome'>): boolean =>
  outcome !== 'open' && (status >= 400 || status === 0 || outcome === 'cut')
