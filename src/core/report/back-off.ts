/**
 * Finds back-off without growth or jitter: retries that all came after about the same wait, those of one request (1 s, 1 s,
 * 1 s) or the first ones of many requests.
 *
 * Clients retry well in many ways: waits that double up to a cap, with a random part taken off (the official clients),
 * random waits below a growing bound (full jitter), or random waits of up to three times the last one (decorrelated
 * jitter). With these, a wait may be shorter than the one before it, and waits at the cap are alike. So only the first
 * retries count, before any cap, and only if so many waits are so close together that random ones hardly ever are: in fewer
 * than 1 of 5,000 requests. Long waits are left out, because they give the service time: the official clients wait 6 to 8 s
 * at their cap.
 */
import { retryAfterMs } from '../journal/read-answer.ts'
import { type Attempts, findRetries, findRetryRows, type Retry, TOLERANCE_MS } from './attempts.ts'

const MAX_SHORT_WAIT_MS = 5000

/** The largest difference of first waits that count as the same: the larger of `ms` and this share of the longest. */
const SPREADS = [
  { waits: 3, share: 0.01, ms: TOLERANCE_MS },
  // More waits are less likely to be close by chance, so they may differ by what a busy machine adds to a fixed wait.
  { waits: 5, share: 0.1, ms: 10 },
]

/** The first retries of a request whose waits are all short and about the same; undefined if there are none. */
export function findSameWaits(attempts: Attempts): Retry[] | undefined {
  for (const row of findRetryRows(attempts)) {
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

/** The official clients take a random part of a quarter off: five of their first waits are within 1 % about once in 80,000 times. */
const MIN_REQUESTS = 5
const MAX_SPREAD = 0.01

/** The first retries of five or more requests, all after the same wait: without jitter they arrive at once. */
export function findSynchronised(requests: readonly Attempts[]): Retry[] {
  const first = requests.flatMap((attempts) => findRetries(attempts).slice(0, 1)).filter(isOwnWait)
  if (first.length < MIN_REQUESTS) return []
  // Not `Math.max(...waits)`: more than a hundred thousand arguments overflow the stack.
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0]
  for (const { waitedMs } of first) {
    shortest = Math.min(shortest, waitedMs)
    longest = Math.max(longest, waitedMs)
  }
  return longest - shortest > Math.max(TOLERANCE_MS, longest * MAX_SPREAD) ? [] : first
}

/** True if the client itself chose this wait: the error was one to retry, and did not say how long to wait. */
function isOwnWait({ failed }: Retry): boolean {
  const { status, outcome } = failed
  const isRetryable = status === 429 || status >= 500 || status === 0 || outcome === 'cut'
  return isRetryable && retryAfterMs(failed) === undefined
}
