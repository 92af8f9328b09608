/** The attempts of a request, the retries among them, and retries that came after the same wait. */
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
  const sent = [...entries].filter(
    ({ method, reason: { by, name } }) => method !== 'OPTIONS' && !(by === 'request' && MOCK_ERRORS.includes(name)),
  )
  return groupBy(sent, ({ caller, session = '', request }) => `${caller} ${session} ${request}`)
}

/** Groups of what has the same name, in the order of their first members. */
export function groupBy<One>(all: readonly One[], nameOf: (one: One) => string): One[][] {
  const groups = new Map<string, One[]>()
  for (const one of all) {
    const name = nameOf(one)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
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

export const hasFailed = ({ status, outcome }: Pick<JournalEntry, 'status' | 'outcome'>): boolean =>
  outcome !== 'open' && (status >= 400 || status === 0 || outcome === 'cut')

/** True if the client itself chose this wait: the error was one to retry, and did not say how long to wait. */
export function isOwnWait({ failed }: Retry): boolean {
  const { status, outcome } = failed
  const isRetryable = status === 429 || status >= 500 || status === 0 || outcome === 'cut'
  return isRetryable && retryAfterMs(failed) === undefined
}

/** The wait that the answer asked for; undefined when it asked for none. */
export function retryAfterMs({ headers }: JournalEntry): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms)) return ms
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/*
 * Retries that all came after about the same wait: those of one request, and the first ones of many requests.
 *
 * Clients retry well in many ways: waits that double up to a cap, with a random part taken off (the official clients), random waits
 * below a growing bound (full jitter), or random waits of up to three times the last one (decorrelated jitter). With these, a wait
 * may be shorter than the one before it, and waits at the cap are alike. So only the first retries count, before any cap, and only
 * if so many waits are so close together that random ones hardly ever are: in fewer than 1 of 5,000 requests.
 * Long waits are left out, because they give the service time: the official clients wait 6 to 8 s at their cap.
 */

const MAX_SHORT_WAIT_MS = 5000

/** The largest difference of first waits that count as the same: the larger of `ms` and this share of the longest. */
const SPREADS = [
  { waits: 3, share: 0.01, ms: TOLERANCE_MS },
  // More waits are less likely to be close by chance, so they may differ by what a busy machine adds to a fixed wait.
  { waits: 5, share: 0.1, ms: 10 },
]

/** The official clients take a random part of a quarter off: five of their first waits are within 1 % about once in 80,000 times. */
const MIN_REQUESTS = 5
const MAX_SPREAD = 0.01

/** The first retries of a request whose waits are all short and about the same; undefined if there are none. */
export function findSameWaits(attempts: Attempts): Retry[] | undefined {
  // Rows of retries that follow each other without an attempt that succeeded between them.
  const rows: Retry[][] = []
  for (const retry of findRetries(attempts)) {
    const row = rows.at(-1)
    if (row?.at(-1)?.next === retry.failed) row.push(retry)
    else rows.push([retry])
  }
  for (const row of rows) {
    for (const { waits, share, ms } of SPREADS) {
      const first = row.slice(0, waits)
      if (first.length < waits || !first.every(isOwnWait)) continue
      const times = first.map(({ waitedMs }) => waitedMs)
      const longest = Math.max(...times)
      const isSame = longest - Math.min(...times) <= Math.max(ms, longest * share)
      if (isSame && longest < MAX_SHORT_WAIT_MS) return first
    }
  }
  return undefined
}

/** The first retries of five or more requests, all after the same wait: without jitter they arrive at once. */
export function findSynchronised(requests: readonly Attempts[]): Retry[] {
  const first = requests.flatMap((attempts) => findRetries(attempts).slice(0, 1)).filter(isOwnWait)
  if (first.length < MIN_REQUESTS) return []
  // Not `Math.max(...waits)`: more than a hundred thousand arguments overflow the stack.
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const { waitedMs } of first) {
    least = Math.min(least, waitedMs)
    most = Math.max(most, waitedMs)
  }
  return most - least > Math.max(TOLERANCE_MS, most * MAX_SPREAD) ? [] : first
}
