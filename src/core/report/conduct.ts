/**
 * Finds what a client does wrong, from the journal: one small function for each kind of finding.
 *
 * The attempts of a request are the calls in which one key, or session of it, sent the same method, path and body, in order. An attempt
 * after a failed one is a retry. A `mistake` is always wrong; a `remark` may be intended.
 */

import { formatPrompt, formatReason } from '../journal/call-text.ts'
import type { JournalEntry, Outcome } from '../journal/entry.ts'
import {
  type Attempts,
  findRetries,
  groupAttempts,
  hasFailed,
  isOwnWait,
  retryAfterMs,
  TOLERANCE_MS,
} from './attempts.ts'
import { findSameWaits } from './same-waits.ts'

/** The kinds of findings. */
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

/** Something that a client did, with the calls that show it. */
export interface Finding {
  readonly name: FindingName
  readonly level: 'mistake' | 'remark'
  /** One or two sentences. Calls are named by their numbers: `#3`. */
  readonly text: string
  /** The numbers of the calls. */
  readonly calls: readonly number[]
  /** The masked key. */
  readonly key: string
  /** The method and path of the first call. */
  readonly method: string
  readonly path: string
  /** The prompt or input of the first call, in quotes and shortened; '' for a call without one. */
  readonly prompt: string
  /** What happened in these calls: all of them, or the first four and the last one. */
  readonly shown: readonly ShownCall[]
}

/** One of the calls of a finding. */
export interface ShownCall {
  readonly number: number
  /** When it arrived, in milliseconds of the mock's clock since the first call of the finding. */
  readonly atMs: number
  /** 0 when nothing was answered. */
  readonly status: number
  /** What decided the answer: `limit requests-limit`. */
  readonly reason: string
  readonly outcome: Outcome
  readonly durationMs: number
}

const MAX_RETRIES = 10
/** The official clients take a random part of a quarter off: five of their first waits are within 1 % about once in 80,000 times. */
const MIN_WAITS_TO_COMPARE = 5
const MAX_SPREAD = 0.01
const MAX_SHOWN = 5

/** All findings, in the order of their first calls. */
export function findConduct(entries: Iterable<JournalEntry>): Finding[] {
  const requests = groupAttempts(entries)
  return [
    ...requests.flatMap((attempts) => FINDERS.flatMap((find) => find(attempts))),
    ...findSynchronised(requests),
  ].sort((a, b) => a.calls[0]! - b.calls[0]!)
}

/** A retry before the time that `retry-after-ms` or `retry-after` named. */
function earlyRetry(attempts: Attempts): Finding[] {
  return findRetries(attempts).flatMap(({ failed, next, waitedMs }) => {
    const askedMs = retryAfterMs(failed)
    if (askedMs === undefined || waitedMs + TOLERANCE_MS >= askedMs) return []
    const text = `#${next.number} came ${rounded(waitedMs)} after the ${failed.status} of #${failed.number}, which asked to wait ${rounded(askedMs)}.`
    return [finding('early-retry', 'mistake', [failed, next], text)]
  })
}

/** The same call again after a 400 or 401, which a retry cannot fix. */
function pointlessRetry(attempts: Attempts): Finding[] {
  return findRetries(attempts).flatMap(({ failed, next }) => {
    if (failed.status !== 400 && failed.status !== 401) return []
    const text = `#${next.number} repeats #${failed.number} unchanged, which was a ${failed.status}: a retry cannot fix that.`
    return [finding('pointless-retry', 'mistake', [failed, next], text)]
  })
}

/** A retry although the answer said `x-should-retry: false`. */
function refusedRetry(attempts: Attempts): Finding[] {
  return findRetries(attempts).flatMap(({ failed, next }) => {
    if (failed.headers['x-should-retry'] !== 'false') return []
    const text = `#${next.number} retries #${failed.number}, whose answer said x-should-retry: false.`
    return [finding('refused-retry', 'mistake', [failed, next], text)]
  })
}

/** More retries in a row than any known client makes by default. */
function unboundedRetries(attempts: Attempts): Finding[] {
  const rows: JournalEntry[][] = [[]]
  for (const entry of attempts) {
    rows.at(-1)!.push(entry)
    if (!hasFailed(entry)) rows.push([])
  }
  return rows
    .filter((row) => row.length > MAX_RETRIES + 1)
    .map((row) => {
      const text = `#${row[0]!.number} was retried ${row.length - 1} times: expected at most ${MAX_RETRIES} retries.`
      return finding('unbounded-retries', 'mistake', row, text)
    })
}

/** First waits that are all short and about the same, where no answer said how long to wait. */
function noGrowth(attempts: Attempts): Finding[] {
  return findSameWaits(attempts)
    .slice(0, 1)
    .map((retries) => {
      const first = retries[0]!.failed
      const waits = retries.map(({ waitedMs }) => rounded(waitedMs))
      const text = `#${first.number} was retried after ${waits.slice(0, -1).join(', ')} and ${waits.at(-1)}: the back-off does not grow.`
      return finding('no-growth', 'mistake', [first, ...retries.map(({ next }) => next)], text)
    })
}

/** A key in the URL, which is logged and cached. */
function keyInUrl(attempts: Attempts): Finding[] {
  return attempts
    .filter(({ path, query = '' }) => `${path}?${query}`.includes('****'))
    .map((entry) =>
      finding(
        'key-in-url',
        'mistake',
        [entry],
        `#${entry.number} has a key in its URL: ${entry.path}${entry.query === undefined ? '' : `?${entry.query}`}`,
      ),
    )
}

/** A stream that the client did not read to its end. */
function droppedStream(attempts: Attempts): Finding[] {
  return attempts
    .filter((entry) => hasLeft(entry) && isStream(entry))
    .map((entry) => {
      const text = `The client left #${entry.number} after ${entry.bytes} bytes of its stream. The real service would have generated and billed the rest.`
      return finding('dropped-stream', 'remark', [entry], text)
    })
}

/** An answer that the client did not wait for. */
function unreadAnswer(attempts: Attempts): Finding[] {
  return attempts
    .filter((entry) => hasLeft(entry) && !isStream(entry))
    .map((entry) => {
      const text = `The client left #${entry.number} after ${rounded(entry.durationMs)}, before the answer came.`
      return finding('unread-answer', 'remark', [entry], text)
    })
}

/** The same call again after it was answered, which costs its tokens again. */
function repeatedCall(attempts: Attempts): Finding[] {
  const answered = attempts.filter(
    (entry) => entry.status === 200 && entry.outcome === 'complete' && entry.method === 'POST',
  )
  if (answered.length < 2) return []
  const text = `#${answered[0]!.number} was answered, but the client sent it again unchanged (${numbersOf(answered.slice(1))}).`
  return [finding('repeated-call', 'remark', answered, text)]
}

const FINDERS = [
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

/** The first retries of five or more requests, all after the same wait: without jitter they arrive at once. */
function findSynchronised(requests: readonly Attempts[]): Finding[] {
  const first = requests.flatMap((attempts) => findRetries(attempts).slice(0, 1)).filter(isOwnWait)
  if (first.length < MIN_WAITS_TO_COMPARE) return []
  // Not `Math.max(...waits)`: more than a hundred thousand arguments overflow the stack.
  const least = first.reduce((so, { waitedMs }) => Math.min(so, waitedMs), Number.POSITIVE_INFINITY)
  const most = first.reduce((so, { waitedMs }) => Math.max(so, waitedMs), 0)
  if (most - least > Math.max(TOLERANCE_MS, most * MAX_SPREAD)) return []
  const retries = first.map(({ next }) => next)
  const text = `${first.length} requests were retried after the same wait of ${rounded(most)} (${numbersOf(retries)}): the back-off has no jitter.`
  return [finding('no-jitter', 'mistake', retries, text)]
}

const hasLeft = ({ outcome }: JournalEntry): boolean => outcome === 'client-left'
const isStream = ({ headers }: JournalEntry): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true

function finding(name: FindingName, level: Finding['level'], entries: Attempts, text: string): Finding {
  const first = entries[0]!
  const { key, method, path } = first
  const isLong = entries.length > MAX_SHOWN
  const shown = isLong ? [...entries.slice(0, MAX_SHOWN - 1), entries.at(-1)!] : entries
  return {
    name,
    level,
    text,
    calls: entries.map(({ number }) => number),
    key,
    method,
    path,
    prompt: formatPrompt(first),
    shown: shown.map((entry) => showCall(entry, first)),
  }
}

const showCall = (entry: JournalEntry, first: JournalEntry): ShownCall => ({
  number: entry.number,
  atMs: Math.round(entry.at - first.at),
  status: entry.status,
  reason: formatReason(entry),
  outcome: entry.outcome,
  durationMs: Math.round(entry.durationMs),
})

const rounded = (ms: number): string => `${Math.round(ms)} ms`
const numbersOf = (entries: Attempts): string => entries.map(({ number }) => `#${number}`).join(', ')
