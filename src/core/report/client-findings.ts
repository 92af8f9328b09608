/**
 * Finds the mistakes of a client in the journal, such as `early-retry`: #5 came 92 ms after the 429 of #4, which asked to
 * wait 1000 ms.
 *
 * The attempts of a request are the calls in which one key, or session of it, sent the same method, path and body, in order.
 * An attempt after a failed one is a retry (attempts.ts). A `mistake` is always wrong; a `remark` may be intended.
 */

import { formatPrompt, formatReason } from '../journal/call-text.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { retryAfterMs } from '../journal/read-answer.ts'
import { type Attempts, findRetries, findRetryRows, groupAttempts, type Retry, TOLERANCE_MS } from './attempts.ts'

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

/** All findings, in the order of their first calls. */
export function checkClient(entries: Iterable<JournalEntry>): ClientFinding[] {
  const requests = groupAttempts(entries)
  const findings = requests.flatMap((attempts) => [
    ...checkRetries(attempts),
    ...checkGrowth(attempts),
    ...checkCalls(attempts),
    ...checkRepeats(attempts),
  ])
  findings.push(...checkJitter(requests))
  return findings.sort((a, b) => a.calls[0]! - b.calls[0]!)
}

const MAX_RETRIES = 10

/** Retries that should have come later, or not at all; and more in a row than any known client makes by default. */
function* checkRetries(attempts: Attempts): Generator<ClientFinding> {
  for (const row of findRetryRows(attempts)) {
    for (const { failed, next, waitedMs } of row) {
      const calls = [failed, next]
      const { number, status, headers } = failed
      const askedMs = retryAfterMs(failed)
      if (askedMs !== undefined && waitedMs + TOLERANCE_MS < askedMs) {
        const text = `#${next.number} came ${formatMs(waitedMs)} after the ${status} of #${number}, which asked to wait ${formatMs(askedMs)}.`
        yield buildFinding('early-retry', calls, text)
      }
      if (status === 400 || status === 401) {
        const text = `#${next.number} repeats #${number} unchanged, which was a ${status}: a retry cannot fix that.`
        yield buildFinding('pointless-retry', calls, text)
      }
      if (headers['x-should-retry'] === 'false') {
        const text = `#${next.number} retries #${number}, whose answer said x-should-retry: false.`
        yield buildFinding('refused-retry', calls, text)
      }
    }
    if (row.length <= MAX_RETRIES) continue
    const first = row[0]!.failed
    const text = `#${first.number} was retried ${row.length} times: expected at most ${MAX_RETRIES} retries.`
    yield buildFinding('unbounded-retries', [first, ...row.map(({ next }) => next)], text)
  }
}

// Back-off without growth or jitter: retries that all came after about the same wait. Clients retry well in many ways: waits
// that double up to a cap, with a random part taken off (the official clients), random waits below a growing bound (full
// jitter), or random waits of up to three times the last one (decorrelated jitter). With these, a wait may be shorter than the
// one before it, and waits at the cap are alike. So only the first retries count, before any cap, and only if so many waits
// are so close together that random ones hardly ever are: in fewer than 1 of 5,000 requests. Long waits are left out, because
// they give the service time: the official clients wait 6 to 8 s at their cap.

const MAX_SHORT_WAIT_MS = 5000

/** The largest difference of first waits that count as the same: the larger of `ms` and this share of the longest. */
const SPREADS = [
  { waits: 3, share: 0.01, ms: TOLERANCE_MS },
  // More waits are less likely to be close by chance, so they may differ by what a busy machine adds to a fixed wait.
  { waits: 5, share: 0.1, ms: 10 },
]

/** The first retries of a request after waits that do not grow. */
function* checkGrowth(attempts: Attempts): Generator<ClientFinding> {
  for (const row of findRetryRows(attempts)) {
    for (const { waits, share, ms } of SPREADS) {
      const retries = row.slice(0, waits)
      if (retries.length < waits || !retries.every(isOwnWait)) continue
      const times = retries.map(({ waitedMs }) => waitedMs)
      const longest = Math.max(...times)
      const isSame = longest - Math.min(...times) <= Math.max(ms, longest * share)
      if (!isSame || longest >= MAX_SHORT_WAIT_MS) continue
      const first = retries[0]!.failed
      const shown = times.map(formatMs)
      const text = `#${first.number} was retried after ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}: the back-off does not grow.`
      yield buildFinding('no-growth', [first, ...retries.map(({ next }) => next)], text)
      return
    }
  }
}

/** The official clients take a random part of a quarter off: five of their first waits are within 1 % about once in 80,000 times. */
const MIN_REQUESTS = 5
const MAX_SPREAD = 0.01

/** The first retries of five or more requests, all after the same wait: without jitter they arrive at once. */
function* checkJitter(requests: readonly Attempts[]): Generator<ClientFinding> {
  const retries = requests.flatMap((attempts) => findRetries(attempts).slice(0, 1)).filter(isOwnWait)
  const times = retries.map(({ waitedMs }) => waitedMs).sort((a, b) => a - b)
  const [shortest = 0, longest = 0] = [times[0], times.at(-1)]
  if (times.length < MIN_REQUESTS || longest - shortest > Math.max(TOLERANCE_MS, longest * MAX_SPREAD)) return
  const calls = retries.map(({ next }) => next)
  const text = `${retries.length} requests were retried after the same wait of ${formatMs(longest)} (${formatNumbers(calls)}): the back-off has no jitter.`
  yield buildFinding('no-jitter', calls, text)
}

/** True if the client itself chose this wait: the error was one to retry, and did not say how long to wait. */
function isOwnWait({ failed }: Retry): boolean {
  const { status, outcome } = failed
  const isRetryable = status === 429 || status >= 500 || status === 0 || outcome === 'cut'
  return isRetryable && retryAfterMs(failed) === undefined
}

/** Calls with a key in the URL, which is logged and cached; answers that were not read. */
function* checkCalls(attempts: Attempts): Generator<ClientFinding> {
  for (const entry of attempts) {
    const { number, path, query, headers, outcome, bytes, durationMs } = entry
    const url = query === undefined ? path : `${path}?${query}`
    // The journal has masked the key.
    if (url.includes('****')) yield buildFinding('key-in-url', [entry], `#${number} has a key in its URL: ${url}`)
    if (outcome !== 'client-left') continue
    if (headers['content-type']?.startsWith('text/event-stream') === true) {
      const text = `The client left #${number} after ${bytes} bytes of its stream. The real service would have generated and billed the rest.`
      yield buildFinding('dropped-stream', [entry], text)
    } else {
      const text = `The client left #${number} after ${formatMs(durationMs)}, before the answer came.`
      yield buildFinding('unread-answer', [entry], text)
    }
  }
}

/** Calls that were answered, and sent again. */
function* checkRepeats(attempts: Attempts): Generator<ClientFinding> {
  const answered = attempts.filter(
    ({ status, outcome, method }) => status === 200 && outcome === 'complete' && method === 'POST',
  )
  if (answered.length < 2) return
  const text = `#${answered[0]!.number} was answered, but the client sent it again unchanged (${formatNumbers(answered.slice(1))}).`
  yield buildFinding('repeated-call', answered, text)
}

/** Maximum number of calls of a finding that are shown. */
const MAX_SHOWN = 5

/** Findings that may be intended. */
const REMARKS: readonly FindingName[] = ['dropped-stream', 'unread-answer', 'repeated-call']

/** Something that a client did, with the calls that show it. */
export type ClientFinding = Readonly<ReturnType<typeof buildFinding>>

function buildFinding(name: FindingName, entries: Attempts, text: string) {
  const first = entries[0]!
  const { key, method, path } = first
  const isLong = entries.length > MAX_SHOWN
  const shown = isLong ? [...entries.slice(0, MAX_SHOWN - 1), entries.at(-1)!] : entries
  return {
    name,
    level: REMARKS.includes(name) ? ('remark' as const) : ('mistake' as const),
    /** One or two sentences. Calls are named by their numbers: `#3`. */
    text,
    /** The numbers of the calls. */
    calls: entries.map(({ number }) => number),
    /** The masked key. */
    key,
    /** The method and path of the first call. */
    method,
    path,
    /** The prompt or input of the first call, in quotes and shortened; '' for a call without one. */
    prompt: formatPrompt(first),
    /** The calls themselves: all of them, or the first four and the last one. */
    shown: shown.map((entry) => ({
      number: entry.number,
      /** Time of arrival, in milliseconds of the mock's clock since the first call of the finding. */
      atMs: Math.round(entry.at - first.at),
      /** 0 when nothing was answered. */
      status: entry.status,
      /** The reason of the answer: `limit requests-limit`. */
      reason: formatReason(entry),
      outcome: entry.outcome,
      durationMs: Math.round(entry.durationMs),
    })),
  }
}

const formatMs = (ms: number): string => `${Math.round(ms)} ms`
/** `#3, #4` */
const formatNumbers = (entries: Attempts): string => entries.map(({ number }) => `#${number}`).join(', ')
