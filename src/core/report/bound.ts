/** Bounds of expectations, such as `< 2s` and `at least 3`. */
import { parseDuration } from '../lib/text/duration.ts'

/** A bound of a number, written as `< 2s`, `<= 3`, `at least 1`, `< $0.05` or `< 1%`. */
export type Bound = ReturnType<typeof parseBound>

const COMPARISONS = { '<': 'below', '<=': 'at most', 'at least': 'at least', '': 'exactly' } as const
const BOUND = /^(?<sign><=?|at least|) ?\$?(?<amount>.+?)(?<percent>%?)$/

/**
 * @param text a bound whose form was checked.
 * @example parseBound('< 1%') // { comparison: 'below', value: 0.01, isShare: true }
 */
export function parseBound(text: string) {
  const { sign = '', amount = '', percent } = BOUND.exec(text)!.groups!
  const comparison = COMPARISONS[sign as keyof typeof COMPARISONS]
  const isShare = percent === '%'
  /** A count of calls or tokens, a share from 0 to 1, milliseconds, or dollars. */
  const value = parseDuration(amount) ?? Number(amount) / (isShare ? 100 : 1)
  return { comparison, value, isShare }
}

/** True if a value keeps to a bound. */
export function isWithin(value: number, { comparison, value: bound }: Bound): boolean {
  if (value === bound) return comparison !== 'below'
  return comparison === 'at least' ? value > bound : comparison !== 'exactly' && value < bound
}
