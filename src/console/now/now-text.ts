/** Limits, budgets and the position of the state machine as text. */
import type { LimitUsage } from '../../core/journal/limit-usage.ts'
import type { StateStatus } from '../../core/scenario/compile/states.ts'
import type { TimingReport } from '../../engine/index.ts'
import { formatCount, formatMs } from '../parts/format.ts'

/** Budgets in dollars may be small parts of a cent. */
const format = (number: number): string => number.toLocaleString('en', { maximumFractionDigits: 6 })

/** @example describeLimit({ kind: 'requests', limit: 3, used: 1, window: 'minute' }) // '3 requests per minute' */
export function describeLimit({ kind, limit, window, model }: LimitUsage): string {
  const number = format(limit)
  if (kind === 'budget.usd') return `budget of $${number}`
  if (kind.startsWith('budget.')) return `budget of ${number} ${kind.slice('budget.'.length)}`
  const text = window === undefined ? `${number} calls at a time` : `${number} ${kind} per ${window}`
  return model === undefined ? text : `${text}, ${model}`
}

/** @example describeLeft({ kind: 'requests', limit: 3, used: 3, freeInMs: 12_400 }) // 'none left, free again in 12.4 s' */
export function describeLeft({ kind, limit, used, freeInMs }: LimitUsage): string {
  const left = Math.max(0, limit - used)
  const text = left === 0 ? 'none left' : `${kind === 'budget.usd' ? '$' : ''}${format(left)} left`
  if (freeInMs === undefined || freeInMs === 0) return text
  // To a tenth of a second: the text is drawn once a second.
  return `${text}, free again in ${formatMs(Math.max(100, Math.round(freeInMs / 100) * 100))}`
}

/** @example describePosition({ state: 'down', forMs: 4000, calls: 2, next: 'up', leftMs: 6000 }) // 'For 4 s, 2 calls. Next: up in 6 s.' */
export function describePosition({ forMs, calls, next, callsLeft, leftMs }: StateStatus): string {
  // Whole seconds, as the text is drawn once a second.
  const seconds = (ms: number): string => formatMs(ms < 1000 ? ms : Math.round(ms / 1000) * 1000)
  const past = `For ${seconds(forMs)}, ${formatCount(calls, 'call')}.`
  if (next === undefined) return `${past} No other state follows.`
  const when = [
    ...(callsLeft === undefined ? [] : [`after ${formatCount(callsLeft, 'more call')}`]),
    ...(leftMs === undefined ? [] : [`in ${seconds(leftMs)}`]),
  ]
  return `${past} Next: ${next} ${when.join(' or ')}.`
}

export const describePercentiles = ({ p50, p99 }: TimingReport['errorMs']): string =>
  `${formatMs(p50)} (p50), ${formatMs(p99)} (p99)`
