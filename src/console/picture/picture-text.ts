/** The texts of the picture of a run. */
import { BAR_KINDS, type BarKind, type DrawnCall, kindOf, type Lane } from '../../core/report/run-picture.ts'
import { causeText } from '../calls/list-filter.ts'
import { formatCount, formatMs } from '../parts/format.ts'

/** The kinds of bars in words, after a count. */
export const KINDS: Readonly<Record<BarKind, string>> = {
  answered: 'answered',
  fault: 'with a fault',
  limit: 'refused by a limit',
  error: 'with an error',
  left: 'left by the client',
  open: 'open',
}

export function countKinds(calls: readonly DrawnCall[]): Readonly<Record<BarKind, number>> {
  const counts = { answered: 0, fault: 0, limit: 0, error: 0, left: 0, open: 0 }
  for (const call of calls) counts[kindOf(call)]++
  return counts
}

/** @example '12 calls in 8.4 s: 9 answered, 3 refused by a limit.' */
export function describeRun(calls: readonly DrawnCall[], totalMs: number): string {
  const counts = countKinds(calls)
  const kinds = BAR_KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${KINDS[kind]}`)
  return `${formatCount(calls.length, 'call')} in ${formatMs(totalMs)}: ${kinds.join(', ')}.`
}

/** @example 'sk-test-****ijkl, session chat-1' */
export function describeLane({ key, session, owners }: Lane): string {
  if (owners > 1) return `${owners} other keys and sessions`
  const name = key === '' ? 'no key' : key
  return session === undefined ? name : `${name}, session ${session}`
}

/** The lines on a call: `#12: 429 requests-limit`, its times, and its retry. */
export function describeCall(
  { number, at, status, reason, outcome, durationMs }: DrawnCall,
  { bars, waits }: Lane,
): string[] {
  const bar = bars.find((one) => one.number === number)
  const end =
    outcome === 'open'
      ? 'still open'
      : `${outcome === 'client-left' ? 'the client left after' : outcome === 'cut' ? 'cut off after' : 'took'} ${formatMs(durationMs)}`
  const after = waits.find(({ failed }) => failed === number)
  const before = waits.find(({ next }) => next === number)
  return [
    `#${number}: ${status === 0 ? 'no answer' : status} ${causeText(reason)}`,
    `at ${formatMs(bar?.fromMs ?? at)}, ${end}`,
    ...(before === undefined ? [] : [`a retry of #${before.failed} after ${formatMs(before.toMs - before.fromMs)}`]),
    ...(after === undefined ? [] : [`retried by #${after.next} after ${formatMs(after.toMs - after.fromMs)}`]),
  ]
}
