/** The texts of the picture of a run: its legend, its lanes in words, and the lines on a call. */
import { BAR_KINDS, type Bar, type BarKind, type DrawnCall, type Lane } from '../../core/report/run-picture.ts'
import { causeText } from '../calls/list-filter.ts'
import { formatCount, formatEnd, formatMs, formatOwner } from '../parts/format.ts'

/** The kinds of bars in words, after a count. */
export const KINDS: Readonly<Record<BarKind, string>> = {
  answered: 'answered',
  fault: 'with a fault',
  limit: 'refused by a limit',
  error: 'with an error',
  left: 'left by the client',
  open: 'open',
}

/** The kinds that occur, with the number of their bars, in the order of the legend. */
export function countKinds(bars: readonly Bar[]) {
  const counts = BAR_KINDS.map((kind) => ({ kind, count: bars.filter((bar) => bar.kind === kind).length }))
  return counts.filter(({ count }) => count > 0)
}

const listKinds = (bars: readonly Bar[]): string =>
  countKinds(bars)
    .map(({ kind, count }) => `${count} ${KINDS[kind]}`)
    .join(', ')

/** @example '12 calls in 8.4 s: 9 answered, 3 refused by a limit.' */
export const describeRun = (bars: readonly Bar[], totalMs: number): string =>
  `${formatCount(bars.length, 'call')} in ${formatMs(totalMs)}: ${listKinds(bars)}.`

/** @example 'sk-test-****ijkl, session chat-1' */
export const describeLane = ({ key, session, owners }: Lane): string =>
  owners > 1 ? `${owners} other keys and sessions` : formatOwner(key, session)

/** @example 'sk-test-****ijkl: 3 calls (2 answered, 1 with a fault), 1 retry after at most 317 ms, limit of requests up to 80 % used' */
export function summarizeLane(lane: Lane): string {
  const { bars, waits, levels } = lane
  // Not Math.max(...values): a run may have more values than a call has room for arguments.
  const maxOf = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0)
  const parts = [`${describeLane(lane)}: ${formatCount(bars.length, 'call')} (${listKinds(bars)})`]
  if (waits.length > 0) {
    const longestMs = maxOf(waits.map(({ fromMs, toMs }) => toMs - fromMs))
    parts.push(`${formatCount(waits.length, 'retry', 'retries')} after at most ${formatMs(longestMs)}`)
  }
  for (const { kind, points } of levels) {
    const percent = Math.round(100 * maxOf(points.map(([, share]) => share)))
    parts.push(`limit of ${kind} up to ${percent} % used`)
  }
  return parts.join(', ')
}

/** The lines on a call: `#12: 429 requests-limit`, its times, and its retry. */
export function describeCall(call: DrawnCall, { bars, waits }: Lane): string[] {
  const { number, status, reason, outcome, durationMs } = call
  const { fromMs = 0 } = bars.find((bar) => bar.number === number) ?? {}
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
