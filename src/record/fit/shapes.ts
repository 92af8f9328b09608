/**
 * The shapes that can be fitted to a sample: how the parameters are estimated, and the share of draws up to a value.
 *
 * All estimates are those of maximum likelihood. @see https://en.wikipedia.org/wiki/Maximum_likelihood_estimation
 */
import { type Distribution, normalQuantile } from '../../core/lib/random/distribution.ts'

/** The shapes of a spread. A sample without spread is `fixed`. */
export const FITTED_SHAPES = ['lognormal', 'pareto', 'uniform'] as const
export type FittedShape = (typeof FITTED_SHAPES)[number]

const Z99 = normalQuantile(0.99)
const LN_50 = Math.log(50)

/** @param sorted positive values in ascending order, not all equal. */
export function estimate(shape: FittedShape, sorted: readonly number[]): Distribution {
  const { length } = sorted
  const [least, most] = [sorted[0]!, sorted[length - 1]!]
  switch (shape) {
    case 'lognormal': {
      const mean = sum(sorted, Math.log) / length
      const deviation = Math.sqrt(sum(sorted, (value) => (Math.log(value) - mean) ** 2) / length)
      return { shape, medianMs: Math.exp(mean), p99Ms: Math.exp(mean + Z99 * deviation) }
    }
    case 'pareto': {
      const inverse = sum(sorted, (value) => Math.log(value / least)) / length
      return { shape, medianMs: least * 2 ** inverse, p99Ms: least * 100 ** inverse }
    }
    case 'uniform': {
      // The ends of a sample lie inside the range, by one distance between neighbours on average.
      const margin = (most - least) / (length - 1)
      return { shape, minMs: Math.max(0, least - margin), maxMs: most + margin }
    }
    default:
      return shape satisfies never
  }
}

/** The share of draws that are at most `ms`. */
export function shareUpTo(distribution: Distribution, ms: number): number {
  switch (distribution.shape) {
    case 'fixed':
      return ms >= distribution.ms ? 1 : 0
    case 'uniform': {
      const { minMs, maxMs } = distribution
      return Math.min(1, Math.max(0, (ms - minMs) / (maxMs - minMs)))
    }
    case 'lognormal': {
      const { medianMs, p99Ms } = distribution
      return ms <= 0 ? 0 : normalShare((Math.log(ms / medianMs) / Math.log(p99Ms / medianMs)) * Z99)
    }
    case 'pareto': {
      const alpha = LN_50 / Math.log(distribution.p99Ms / distribution.medianMs)
      const least = distribution.medianMs / 2 ** (1 / alpha)
      return ms <= least ? 0 : 1 - (least / ms) ** alpha
    }
    default:
      return distribution satisfies never
  }
}

const sum = (values: readonly number[], of: (value: number) => number): number =>
  values.reduce((total, value) => total + of(value), 0)

/** The share of a normal distribution below `z`, to seven digits: Abramowitz and Stegun, formula 26.2.17. */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
  return z >= 0 ? 1 - above : above
}
