/** The position of the state machine as a sentence. */
import type { StateStatus } from '../../core/scenario/compile/states.ts'
import { formatCount, formatMs } from '../parts/format.ts'

/** @example describePosition({ state: 'down', forMs: 4000, calls: 2, next: 'up', leftMs: 6000 }) // 'For 4 s, 2 calls. Next: up in 6 s.' */
export function describePosition({ forMs, calls, next, callsLeft, leftMs }: StateStatus): string {
  const past = `For ${formatSeconds(forMs)}, ${formatCount(calls, 'call')}.`
  if (next === undefined) return `${past} No other state follows.`
  const when = [
    ...(callsLeft === undefined ? [] : [`after ${formatCount(callsLeft, 'more call')}`]),
    ...(leftMs === undefined ? [] : [`in ${formatSeconds(leftMs)}`]),
  ]
  return `${past} Next: ${next} ${when.join(' or ')}.`
}

/** Whole seconds, as the text is drawn once a second. */
const formatSeconds = (ms: number): string => (ms < 1000 ? formatMs(ms) : formatMs(Math.round(ms / 1000) * 1000))
