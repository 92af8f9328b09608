/** Bounds of numbers, as people write them: `< 2s`, `<= 3`, `at least 1`, `< 1%`. */
import { parseDuration } from './duration.ts'

/** A bound of a number: of calls, tokens, dollars, milliseconds, or a share from 0 to 1. */
export interface Bound {
  readonly comparison: 'below' | 'at most' | 'at least' | 'exactly'
  readonly value: number
  readonly unit: 'count' | 'share' | 'ms' | 'usd'
}

const COMPARISONS = { '<': 'below', '<=': 'at most', 'at least': 'at least', '': 'exactly' } as const
const FORM = /^(?<sign><=?|at least|) ?(?<dollar>\$?)(?<amount>.+?)(?<percent>%?)$/

/** @param text a bound whose form was checked. */
export function parseBound(text: string): Bound {
  const { sign = '', dollar, amount = '', percent } = FORM.exec(text)?.groups ?? {}
  const comparison = COMPARISONS[sign as keyof typeof COMPARISONS]
  const ms = parseDuration(amount)
  if (ms !== undefined) return { comparison, value: ms, unit: 'ms' }
  if (percent === '%') return { comparison, value: Number(amount) / 100, unit: 'share' }
  return { comparison, value: Number(amount), unit: dollar === '$' ? 'usd' : 'count' }
}

/** Whether a value keeps to a bound. */
export function isWithin(value: number, { comparison, value: bound }: Bound): boolean {
  switch (comparison) {
    case 'below':
      return value < bound
    case 'at most':
      return value <= bound
    case 'at least':
      return value >= bound
    case 'exactly':
      return value === bound
    default:
      return comparison satisfies never
  }
}
