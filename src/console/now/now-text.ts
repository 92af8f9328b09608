/** The texts of the view Now: limits, the position in the states, and the figures of the timing. */
import type { LimitUsage } from '../../core/journal/limit-usage.ts'
import type { StateStatus } from '../../core/scenario/compile/states.ts'
import type { TimingReport } from '../../engine/index.ts'
import { formatCount, formatMs } from '../parts/format.ts'

/** A number with up to six decimals: budgets in dollars may be small parts of a cent. */
const formatAmount = (number: number): string => number.toLocaleString('en', { maximumFractionDigits: 6 })

/**
 * The size of a limit or a budget.
 * @example describeLimit({ kind: 'requests', limit: 3, used: 1, window: 'minute' }) // '3 requests per minute'
 */
export function describeLimit({ kind, limit, window, model }: LimitUsage): string {
  const amount = formatAmount(limit)
  if (kind === 'budget.usd') return `budget of $${amount}`
  if (kind.startsWith('budget.')) return `budget of ${amount} ${kind.slice('budget.'.length)}`
  const text = window === undefined ? `${amount} calls at a time` : `${amount} ${kind} per ${window}`
  return model === undefined ? text : `${text}, ${model}`
}

/**
 * The rest of a limit, and when it is free again.
 * @example describeLeft({ kind: 'requests', limit: 3, used: 3, freeInMs: 12_400 }) // 'none left, free again in 12.4 s'
 */
export function describeLeft({ kind, limit, used, freeInMs }: LimitUsage): string {
  const left = Math.max(0, limit - used)
  const text = left === 0 ? 'none left' : `${kind === 'budget.usd' ? '$' : ''}${formatAmount(left)} left`
  if (freeInMs === undefined || freeInMs === 0) return text
  // To a tenth of a second: the text is drawn once a second.
  return `${text}, free again in ${formatMs(Math.max(100, Math.round(freeInMs / 100) * 100))}`
}

/**
 * The time in a state, and the next state.
 * @example describePosition({ state: 'down', forMs: 4000, calls: 2, next: 'up', leftMs: 6000 })
 * // 'Entered 4 s ago, 2 calls since. Next: up in 6 s.'
 */
export function describePosition({ forMs, calls, next, callsLeft, leftMs }: StateStatus): string {
  // Whole seconds, as the text is drawn once a second.
  const seconds = (ms: number): string => formatMs(ms < 1000 ? ms : Math.round(ms / 1000) * 1000)
  const past = `Entered ${seconds(forMs)} ago, ${formatCount(calls, 'call')} since.`
  if (next === undefined) return `${past} No other state follows.`
  const when = [
    ...(callsLeft === undefined ? [] : [`after ${formatCount(callsLeft, 'more call')}`]),
    ...(leftMs === undefined ? [] : [`in ${seconds(leftMs)}`]),
  ]
  return `${past} Next: ${next} ${when.join(' or ')}.`
}

/** @example formatPercentiles({ p50: 0.4, p99: 2.1 }) // '0.4 ms (p50), 2.1 ms (p99)' */
export const formatPercentiles = ({ p50, p99 }: TimingReport['errorMs']): string =>
  `${formatMs(p50)} (p50), ${formatMs(p99)} (p99)`
