/** The sum of the tokens and the cost of calls, and its texts: `1,200 prompt tokens, 34 completion tokens, $0.0125`. */
import type { CallUsage } from '../journal/entry.ts'
import { countOf } from '../lib/text/wording.ts'
import { formatAmount } from '../scenario/compile/budget.ts'

/** The sum of the usage of calls. */
export interface UsageSum extends CallUsage {
  /** The number of calls that used tokens. */
  readonly calls: number
}

export const NO_USAGE: UsageSum = { calls: 0, promptTokens: 0, completionTokens: 0, usd: 0 }

/** Adds the usage of one call. The sum has no `usd` as soon as one call has none. */
export function addUsage(sum: UsageSum, { promptTokens, completionTokens, usd }: CallUsage): UsageSum {
  return {
    calls: sum.calls + 1,
    promptTokens: sum.promptTokens + promptTokens,
    completionTokens: sum.completionTokens + completionTokens,
    // Rounded to picodollars: 0.1 + 0.2 is 0.3.
    ...(sum.usd !== undefined && usd !== undefined && { usd: Number((sum.usd + usd).toFixed(12)) }),
  }
}

const PICODOLLARS = 1e12

/** `$0.0125`, never `$1e-7`. */
export const formatUsd = (usd: number): string => formatAmount('usd', BigInt(Math.round(usd * PICODOLLARS)))

/** `1,200 prompt tokens, 34 completion tokens, $0.0125`, or `no price` in place of the cost. */
export function formatUsage({ promptTokens, completionTokens, usd }: CallUsage): string {
  const cost = usd === undefined ? 'no price' : formatUsd(usd)
  return `${formatTokens(promptTokens, 'prompt token')}, ${formatTokens(completionTokens, 'completion token')}, ${cost}`
}

/** `1,200 tokens` */
export const formatTokens = (count: number, noun = 'token'): string =>
  countOf(count, noun).replace(/^\d+/, count.toLocaleString('en-US'))
