/**
 * Finds the first retries of a request that all came after about the same short wait.
 *
 * Clients retry well in many ways: waits that double up to a cap, with a random part taken off (the official clients), random waits
 * below a growing bound (full jitter), or random waits of up to three times the last one (decorrelated jitter). With these, a wait
 * may be shorter than the one before it, and waits at the cap are alike. So only the first retries count, before any cap, and only
 * if so many waits are so close together that random ones hardly ever are: in fewer than 1 of 5,000 requests.
 * Long waits are left out, because they give the service time: the official clients wait 6 to 8 s at their cap.
 */
import { type Attempts, findRetries, isOwnWait, type Retry, TOLERANCE_MS } from './attempts.ts'

const MAX_SHORT_WAIT_MS = 5000

/** How far apart the first waits may be to count as the same: the larger of `ms` and this share of the longest. */
const SPREADS = [
  { waits: 3, share: 0.01, ms: TOLERANCE_MS },
  // More waits are less likely to be close by chance, so they may differ by what a busy machine adds to a fixed wait.
  { waits: 5, share: 0.1, ms: 10 },
]

/** The retries of each row of failed attempts that begins with such waits. */
export function findSameWaits(attempts: Attempts): Retry[][] {
  return rowsOf(findRetries(attempts)).flatMap((row) => {
    const spread = SPREADS.find(({ waits, share, ms }) => isSame(row.slice(0, waits), waits, share, ms))
    return spread === undefined ? [] : [row.slice(0, spread.waits)]
  })
}

function isSame(retries: readonly Retry[], count: number, share: number, ms: number): boolean {
  if (retries.length < count || !retries.every(isOwnWait)) return false
  const waits = retries.map(({ waitedMs }) => waitedMs)
  const longest = Math.max(...waits)
  return longest < MAX_SHORT_WAIT_MS && longest - Math.min(...waits) <= Math.max(ms, longest * share)
}

/** Retries that follow each other without an attempt that succeeded between them. */
function rowsOf(retries: readonly Retry[]): Retry[][] {
  const rows: Retry[][] = []
  for (const retry of retries) {
    const row = rows.at(-1)
    if (row?.at(-1)?.next === retry.failed) row.push(retry)
    else rows.push([retry])
  }
  return rows
}
