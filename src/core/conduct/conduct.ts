/**
 * The conduct of a client, judged from the journal: one small function a finding, each over the tries of one request.
 *
 * The tries of a request are the calls in which one key sent the very same method, path and body, in order. A try after
 * one that failed is a retry. What is a `mistake` is wrong whatever the app wants; a `remark` may be meant.
 */
import type { JournalEntry } from '../journal/entry.ts'

/** Everything that is looked for. */
export const FINDING_NAMES = [
  'early-retry',
  'pointless-retry',
  'refused-retry',
  'unbounded-retries',
  'no-growth',
  'no-jitter',
  'key-in-url',
  'dropped-stream',
  'unread-answer',
  'repeated-call',
] as const

export type FindingName = (typeof FINDING_NAMES)[number]

/** Something in what a client did, with the calls that show it. */
export interface Finding {
  readonly name: FindingName
  readonly level: 'mistake' | 'remark'
  /** One sentence or two; calls are named by their numbers: `#3`. */
  readonly text: string
  /** The numbers of the calls. */
  readonly calls: readonly number[]
  /** The key, shortened. */
  readonly key: string
}

/** The calls in which one key sent the same request, in order. */
type Tries = readonly JournalEntry[]

// Clients round waits to milliseconds, and timers may fire a little early.
const TOLERANCE_MS = 2
const MAX_RETRIES = 10
/** The least by which a wait should be longer than the one before; clients that double and take a random part off have more. */
const LEAST_GROWTH = 1.1
const FEWEST_WAITS_TO_COMPARE = 3

/** Everything that can be said of a client's conduct; in the order of its first call. */
export function conductOf(entries: Iterable<JournalEntry>): Finding[] {
  const requests = triesIn(entries)
  return [...requests.flatMap((tries) => ofEach.flatMap((judge) => judge(tries))), ...synchronised(requests)].sort(
    (a, b) => a.calls[0]! - b.calls[0]!,
  )
}

function triesIn(entries: Iterable<JournalEntry>): Tries[] {
  const byRequest = new Map<string, JournalEntry[]>()
  for (const entry of entries) {
    if (entry.method === 'OPTIONS') continue
    const name = `${entry.caller} ${entry.request}`
    const known = byRequest.get(name)
    if (known === undefined) byRequest.set(name, [entry])
    else known.push(entry)
  }
  return [...byRequest.values()]
}

/** A retry before the time that `retry-after-ms` or `retry-after` named. */
function earlyRetry(tries: Tries): Finding[] {
  return retriesIn(tries).flatMap(({ failed, next, waitedMs }) => {
    const askedMs = retryAfterMs(failed)
    if (askedMs === undefined || waitedMs + TOLERANCE_MS >= askedMs) return []
    const text = `#${next.number} came ${rounded(waitedMs)} after the ${failed.status} of #${failed.number}, which asked to wait ${rounded(askedMs)}.`
    return [finding('early-retry', 'mistake', [failed, next], text)]
  })
}

/** The same call again after a 400 or 401: no waiting mends those. */
function pointlessRetry(tries: Tries): Finding[] {
  return retriesIn(tries).flatMap(({ failed, next }) => {
    if (failed.status !== 400 && failed.status !== 401) return []
    const text = `#${next.number} repeats #${failed.number} unchanged, which was a ${failed.status}: no retry mends that.`
    return [finding('pointless-retry', 'mistake', [failed, next], text)]
  })
}

/** A retry though the answer said `x-should-retry: false`. */
function refusedRetry(tries: Tries): Finding[] {
  return retriesIn(tries).flatMap(({ failed, next }) => {
    if (failed.headers['x-should-retry'] !== 'false') return []
    const text = `#${next.number} retries #${failed.number}, whose answer said x-should-retry: false.`
    return [finding('refused-retry', 'mistake', [failed, next], text)]
  })
}

/** More retries in a row than any known client makes by itself. */
function unboundedRetries(tries: Tries): Finding[] {
  const rows: JournalEntry[][] = [[]]
  for (const entry of tries) {
    rows.at(-1)!.push(entry)
    if (!hasFailed(entry)) rows.push([])
  }
  return rows
    .filter((row) => row.length > MAX_RETRIES + 1)
    .map((row) => {
      const text = `#${row[0]!.number} was retried ${row.length - 1} times: nothing bounds the retries (${MAX_RETRIES} is much already).`
      return finding('unbounded-retries', 'mistake', row, text)
    })
}

/** Waits between retries that do not grow, where no answer said how long to wait. */
function noGrowth(tries: Tries): Finding[] {
  const found: Finding[] = []
  let before: Retry | undefined
  for (const retry of retriesIn(tries)) {
    const isFree = retryAfterMs(retry.failed) === undefined && isRetryable(retry.failed)
    if (before !== undefined && before.next === retry.failed && isFree) {
      if (retry.waitedMs < before.waitedMs * LEAST_GROWTH) {
        const text = `#${retry.next.number} came ${rounded(retry.waitedMs)} after #${retry.failed.number}, which had come ${rounded(before.waitedMs)} after #${before.failed.number}: the back-off does not grow.`
        found.push(finding('no-growth', 'mistake', [before.failed, retry.failed, retry.next], text))
      }
    }
    before = isFree ? retry : undefined
  }
  return found.slice(0, 1)
}

/** A key where addresses are logged and cached. */
function keyInUrl(tries: Tries): Finding[] {
  return tries
    .filter(({ path, query = '' }) => `${path}?${query}`.includes('****'))
    .map((entry) =>
      finding(
        'key-in-url',
        'mistake',
        [entry],
        `#${entry.number} has a key in its address: ${entry.path}${entry.query === undefined ? '' : `?${entry.query}`}`,
      ),
    )
}

/** A stream that the client left half-read. */
function droppedStream(tries: Tries): Finding[] {
  return tries
    .filter((entry) => hasLeft(entry) && isStream(entry))
    .map((entry) => {
      const text = `The client left #${entry.number} after ${entry.bytes} bytes of its stream: the rest was made, and would be billed.`
      return finding('dropped-stream', 'remark', [entry], text)
    })
}

/** An answer that nobody waited for. */
function unreadAnswer(tries: Tries): Finding[] {
  return tries
    .filter((entry) => hasLeft(entry) && !isStream(entry))
    .map((entry) => {
      const text = `The client left #${entry.number} after ${rounded(entry.durationMs)}, before its answer was there.`
      return finding('unread-answer', 'remark', [entry], text)
    })
}

/** The same call again after it was answered: its tokens are paid twice. */
function repeatedCall(tries: Tries): Finding[] {
  const answered = tries.filter(
    (entry) => entry.status === 200 && entry.outcome === 'complete' && entry.method === 'POST',
  )
  if (answered.length < 2) return []
  const text = `#${answered[0]!.number} was answered, and sent ${answered.length - 1} more times unchanged (${numbersOf(answered.slice(1))}).`
  return [finding('repeated-call', 'remark', answered, text)]
}

const ofEach = [
  earlyRetry,
  pointlessRetry,
  refusedRetry,
  unboundedRetries,
  noGrowth,
  keyInUrl,
  droppedStream,
  unreadAnswer,
  repeatedCall,
]

/** First retries of several requests that all waited the same time: without jitter they come back as one crowd. */
function synchronised(requests: readonly Tries[]): Finding[] {
  const first = requests
    .flatMap((tries) => retriesIn(tries).slice(0, 1))
    .filter(({ failed }) => retryAfterMs(failed) === undefined && isRetryable(failed))
  if (first.length < FEWEST_WAITS_TO_COMPARE) return []
  const waits = first.map(({ waitedMs }) => waitedMs)
  const [least, most] = [Math.min(...waits), Math.max(...waits)]
  if (most - least > Math.max(TOLERANCE_MS, most * 0.02)) return []
  const retries = first.map(({ next }) => next)
  const text = `${first.length} requests were retried after the same wait of ${rounded(most)} (${numbersOf(retries)}): the back-off has no jitter.`
  return [finding('no-jitter', 'mistake', retries, text)]
}

interface Retry {
  readonly failed: JournalEntry
  readonly next: JournalEntry
  /** From the end of the one to the arrival of the other; less than 0 where they overlap. */
  readonly waitedMs: number
}

/** Each try that failed, with the one after it. Calls that overlap are no retries of one another. */
function retriesIn(tries: Tries): Retry[] {
  const retries: Retry[] = []
  for (const [index, failed] of tries.entries()) {
    const next = tries[index + 1]
    if (next === undefined || !hasFailed(failed)) continue
    const waitedMs = next.at - (failed.at + failed.durationMs)
    if (waitedMs > -TOLERANCE_MS) retries.push({ failed, next, waitedMs: Math.max(0, waitedMs) })
  }
  return retries
}

const hasLeft = ({ outcome }: JournalEntry): boolean => outcome === 'client-left'
const hasFailed = ({ status, outcome }: JournalEntry): boolean =>
  outcome !== 'open' && (status >= 400 || status === 0 || outcome === 'cut')
const isRetryable = ({ status, outcome }: JournalEntry): boolean =>
  status === 429 || status >= 500 || status === 0 || outcome === 'cut'
const isStream = ({ headers }: JournalEntry): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true

/** How long an answer asked to wait; undefined when it did not say. */
function retryAfterMs({ headers }: JournalEntry): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms)) return ms
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

function finding(name: FindingName, level: Finding['level'], entries: Tries, text: string): Finding {
  return { name, level, text, calls: entries.map(({ number }) => number), key: entries[0]!.key }
}

const rounded = (ms: number): string => `${Math.round(ms)} ms`
const numbersOf = (entries: Tries): string => entries.map(({ number }) => `#${number}`).join(', ')
