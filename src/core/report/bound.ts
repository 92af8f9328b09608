/** Bounds of expectations, such as `< 2s` and `at least 3`. */
import { parseDuration } from '../lib/text/duration.ts'

/** A bound of a number, written as `< 2s`, `<= 3`, `at least 1`, `< $0.05` or `< 1%`. */
export interface Bound {
  readonly comparison: 'below' | 'at most' | 'at least' | 'exactly'
  readonly value: number
  /** A count of calls or tokens, a share from 0 to 1, milliseconds, or dollars. */
  readonly unit: 'count' | 'share' | 'ms' | 'usd'
}

const COMPARISONS = { '<': 'below', '<=': 'at most', 'at least': 'at least', '': 'exactly' } as const
const BOUND = /^(?<sign><=?|at least|) ?(?<dollar>\$?)(?<amount>.+?)(?<percent>%?)$/

/**
 * @param text a bound whose form was checked.
 * @example parseBound('< 2s') // { comparison: 'below', value: 2000, unit: 'ms' }
 */
export function parseBound(text: string): Bound {
  const { sign = '', dollar, amount = '', percent } = BOUND.exec(text)?.groups ?? {}
  const comparison = COMPARISONS[sign as keyof typeof COMPARISONS]
  const ms = parseDuration(amount)
  if (ms !== undefined) return { comparison, value: ms, unit: 'ms' }
  if (percent === '%') return { comparison, value: Number(amount) / 100, unit: 'share' }
  return { comparison, value: Number(amount), unit: dollar === '$' ? 'usd' : 'count' }
}

/** True if a value keeps to a bound. */
export function isWithin(value: number, { comparison, value: bound }: Bound): boolean {
  if (value === bound) return comparison !== 'below'
  return comparison === 'at least' ? value > bound : comparison !== 'exactly' && value < bound
}
