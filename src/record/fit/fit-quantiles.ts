/**
 * Fits quantiles to a sample: as few as give each percentile of the sample within 5 %, and its bounds.
 *
 *     180, 204, 212, ... 812     ->     { min: 180ms, p10: 212ms, p50: 297.5ms, p99: 640ms, max: 812ms }
 */
import { quantile } from '../../core/lib/random/distribution.ts'
import type { Duration } from '../../core/lib/text/duration.ts'
import { distributionOf } from '../../core/scenario/compile/pace.ts'

/** A 10th and a 90th percentile need ten values, and a 99th needs a hundred. */
export const MIN_SAMPLES = 10
export const MIN_SAMPLES_FOR_P99 = 100

/** A sample whose ends differ by less than a thousandth is a constant. */
const MIN_SPREAD = 1.001
/** The largest error of a percentile, as the logarithm of a ratio: 5 %. */
const MAX_ERROR = 0.05
const PERCENTILES = [...Array.from({ length: 99 }, (_, index) => index + 1), 99.9]

/**
 * The duration of a sample as a scenario has it: `25ms`, or `{ min: 180ms, p10: 212ms, ..., max: 812ms }`.
 * @param values milliseconds above 0, at least `MIN_SAMPLES` of them.
 */
export function fitQuantiles(values: readonly number[]): Duration | Readonly<Record<string, Duration>> {
  const sorted = [...values].sort((a, b) => a - b)
  const [shortest, longest] = [sorted[0]!, sorted.at(-1)!]
  const percentile = (p: number): number => sorted[Math.ceil((sorted.length * p) / 100) - 1]!
  if (longest / shortest < MIN_SPREAD) return formatMs(percentile(50))
  // A percentile is known if at least one value of the sample is above it and one below.
  const known = PERCENTILES.filter((p) => Math.round(sorted.length * Math.min(p, 100 - p)) >= 100)
  let chosen = [10, 50, known.at(-1)!]
  // Adds the percentile with the largest error, until all errors are small.
  for (;;) {
    const quantiles = Object.fromEntries(chosen.map((p) => [`p${p}`, formatMs(percentile(p))]))
    const fitted = { min: formatMs(shortest), ...quantiles, max: formatMs(longest) }
    const distribution = distributionOf(fitted)!
    let worst = { p: 0, error: 0 }
    for (const p of known) {
      if (chosen.includes(p)) continue
      const error = Math.abs(Math.log(quantile(distribution, p / 100) / percentile(p)))
      if (error > worst.error) worst = { p, error }
    }
    if (worst.error <= MAX_ERROR) return fitted
    chosen = [...chosen, worst.p].sort((a, b) => a - b)
  }
}

/** `297.5ms`: four digits, and not less than a microsecond. */
const formatMs = (ms: number): Duration => `${Math.max(0.001, Number(Number(ms.toPrecision(4)).toFixed(3)))}ms`
