/** Fits quantiles to a sample: as few as give each percentile of the sample within 5 %, and its bounds. */
import { quantile } from '../../core/lib/random/distribution.ts'
import type { Duration } from '../../core/lib/text/duration.ts'
import { distributionOf } from '../../core/scenario/compile/pace.ts'

/** A 10th and a 90th percentile need ten values, and a 99th needs a hundred. */
export const MIN_SAMPLES = 10
export const MIN_SAMPLES_FOR_P99 = 100

/** A sample whose ends differ by less than a thousandth is a constant. */
const MIN_SPREAD = 1.001
const MAX_ERROR = 0.05
const PERCENTILES = [...Array.from({ length: 99 }, (_, index) => index + 1), 99.9]

/**
 * The duration of a sample as a scenario has it: `25ms`, or `{ min: 180ms, p10: 212ms, ..., max: 812ms }`.
 * @param values milliseconds above 0, at least `MIN_SAMPLES` of them.
 */
export function fitQuantiles(values: readonly number[]): Duration | Readonly<Record<string, Duration>> {
  const sorted = [...values].sort((a, b) => a - b)
  const [least, most] = [sorted[0]!, sorted.at(-1)!]
  const percentile = (p: number): number => sorted[Math.ceil((sorted.length * p) / 100) - 1]!
  if (most / least < MIN_SPREAD) return formatMs(percentile(50))
  // A percentile is known if at least one value of the sample is above it and one below.
  const known = PERCENTILES.filter((p) => Math.round(sorted.length * Math.min(p, 100 - p)) >= 100)
  let chosen = [10, 50, known.at(-1)!]
  for (;;) {
    const quantiles = Object.fromEntries(chosen.map((p) => [`p${p}`, formatMs(percentile(p))]))
    const fitted = { min: formatMs(least), ...quantiles, max: formatMs(most) }
    const distribution = distributionOf(fitted)!
    const errors = known
      .filter((p) => !chosen.includes(p))
      .map((p) => ({ p, error: Math.abs(Math.log(quantile(distribution, p / 100) / percentile(p))) }))
    const worst = errors.reduce((one, other) => (other.error > one.error ? other : one), { p: 0, error: 0 })
    if (worst.error <= MAX_ERROR) return fitted
    chosen = [...chosen, worst.p].sort((a, b) => a - b)
  }
}

/** `297.5ms`: four digits, and not less than a microsecond. */
const formatMs = (ms: number): Duration => `${Math.max(0.001, Number(Number(ms.toPrecision(4)).toFixed(3)))}ms`
