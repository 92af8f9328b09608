/** The texts of the picture of a run. */
import { BAR_KINDS, type BarKind, type DrawnCall, kindOf, type Lane } from '../../core/report/run-picture.ts'
import { causeText } from '../calls/list-filter.ts'
import { formatCount, formatEnd, formatMs } from '../parts/format.ts'

/** The kinds of bars in words, after a count. */
export const KINDS: Readonly<Record<BarKind, string>> = {
  answered: 'answered',
  fault: 'with a fault',
  limit: 'refused by a limit',
  error: 'with an error',
  left: 'left by the client',
  open: 'open',
}

const countBars = (bars: readonly { readonly kind: BarKind }[]): Readonly<Record<BarKind, number>> => {
  const counts = { answered: 0, fault: 0, limit: 0, error: 0, left: 0, open: 0 }
  for (const { kind } of bars) counts[kind]++
  return counts
}

export const countKinds = (calls: readonly DrawnCall[]) => countBars(calls.map((call) => ({ kind: kindOf(call) })))

const listKinds = (counts: Readonly<Record<BarKind, number>>): string =>
  BAR_KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${KINDS[kind]}`)
    .join(', ')

/** @example '12 calls in 8.4 s: 9 answered, 3 refused by a limit.' */
export const describeRun = (calls: readonly DrawnCall[], totalMs: number): string =>
  `${formatCount(calls.length, 'call')} in ${formatMs(totalMs)}: ${listKinds(countKinds(calls))}.`

/** @example 'sk-test-****ijkl, session chat-1' */
export function describeLane({ key, session, owners }: Lane): string {
  if (owners > 1) return `${owners} other keys and sessions`
  const name = key === '' ? 'no key' : key
  return session === undefined ? name : `${name}, session ${session}`
}

/** @example 'sk-test-****ijkl: 3 calls (2 answered, 1 with a fault), 1 retry after at most 317 ms, requests limit up to 80 % used' */
export function summarizeLane(lane: Lane): string {
  const { bars, waits, levels } = lane
  const most = (values: readonly number[]): number => values.reduce((so, value) => Math.max(so, value), 0)
  const retries = `${formatCount(waits.length, 'retry', 'retries')} after at most ${formatMs(most(waits.map(({ fromMs, toMs }) => toMs - fromMs)))}`
  return [
    `${describeLane(lane)}: ${formatCount(bars.length, 'call')} (${listKinds(countBars(bars))})`,
    ...(waits.length === 0 ? [] : [retries]),
    ...levels.map(
      ({ kind, points }) => `limit of ${kind} up to ${Math.round(100 * most(points.map(([, share]) => share)))} % used`,
    ),
  ].join(', ')
}

/** The lines on a call: `#12: 429 requests-limit`, its times, and its retry. */
export function describeCall(
  { number, status, reason, outcome, durationMs }: DrawnCall,
  { bars, waits }: Lane,
): string[] {
  const { fromMs = 0 } = bars.find((one) => one.number === number) ?? {}
  return [
    `#${number}: ${status === 0 ? 'no answer' : status} ${causeText(reason)}`,
    `at ${formatMs(fromMs)}, ${formatEnd(outcome, durationMs, 'took')}`,
    ...waits.flatMap((wait) => {
      const waited = `after ${formatMs(wait.toMs - wait.fromMs)}`
      if (wait.next === number) return `a retry of #${wait.failed} ${waited}`
      return wait.failed === number ? `retried by #${wait.next} ${waited}` : []
    }),
  ]
}
