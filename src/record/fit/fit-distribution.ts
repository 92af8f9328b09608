/**
 * Fits a distribution to a sample, and says how good the fit is.
 *
 * The shape is the one with the smallest Kolmogorov-Smirnov distance. The usual table of that test is wrong when the
 * parameters come from the same sample, so the p-value and the intervals come from a parametric bootstrap: samples of the
 * same size are drawn from the fit and fitted again. The seed is fixed: the same sample has the same result.
 */
import { type Distribution, draw, quantile } from '../../core/lib/random/distribution.ts'
import { Random } from '../../core/lib/random/random.ts'
import { estimate, FITTED_SHAPES, type FittedShape, shareUpTo } from './shapes.ts'

/** A 99th percentile needs a hundred values. */
export const MIN_SAMPLES = 100
export const MAX_SAMPLES = 100_000

export interface Fit {
  readonly distribution: Distribution
  readonly samples: number
  /** Of the sample itself, in milliseconds. */
  readonly measured: { readonly medianMs: number; readonly p99Ms: number }
  readonly median: Estimate
  readonly p99: Estimate
  /** The largest difference between the shares of the sample and of the fit, from 0 to 1. */
  readonly distance: number
  /** How often a sample of the fit itself is at least as far from its fit. Below 0.05, the shape is probably another one. */
  readonly pValue: number
}

/** A value in milliseconds, with the range that holds the true one in 95 of 100 cases. */
export interface Estimate {
  readonly ms: number
  readonly fromMs: number
  readonly toMs: number
}

/** A spread of less than a thousandth is a constant. */
const MIN_SPREAD = 1.001
/** Draws of all bootstrap samples together, which bounds the time. */
const MAX_DRAWS = 1_000_000
const MAX_ROUNDS = 500
const MIN_ROUNDS = 40

/** @param values milliseconds above 0, at least `MIN_SAMPLES` of them. */
export function fitDistribution(values: readonly number[]): Fit {
  const sorted = [...values].sort((a, b) => a - b)
  const samples = sorted.length
  if (sorted.at(-1)! / sorted[0]! < MIN_SPREAD) return fitConstant(sorted)
  const fits = FITTED_SHAPES.map((shape) => {
    const distribution = estimate(shape, sorted)
    return { shape, distribution, distance: distanceOf(sorted, distribution) }
  })
  const { shape, distribution, distance } = fits.reduce((best, one) => (one.distance < best.distance ? one : best))
  const rounds = refit(shape, distribution, samples)
  const isAsFar = rounds.filter((round) => round.distance >= distance).length
  const estimateAt = (p: number): Estimate => intervalOf(distribution, rounds, p)
  return {
    distribution,
    samples,
    measured: measure(sorted),
    median: estimateAt(0.5),
    p99: estimateAt(0.99),
    distance,
    pValue: (isAsFar + 1) / (rounds.length + 1),
  }
}

function fitConstant(sorted: readonly number[]): Fit {
  const ms = sorted[Math.floor(sorted.length / 2)]!
  const all = { ms, fromMs: ms, toMs: ms }
  return {
    distribution: { shape: 'fixed', ms },
    samples: sorted.length,
    measured: measure(sorted),
    median: all,
    p99: all,
    distance: 0,
    pValue: 1,
  }
}

function measure(sorted: readonly number[]): Fit['measured'] {
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1]!
  return { medianMs: at(0.5), p99Ms: at(0.99) }
}

/** The Kolmogorov-Smirnov distance. */
export function distanceOf(sorted: readonly number[], distribution: Distribution): number {
  const { length } = sorted
  return sorted.reduce((most, value, index) => {
    const share = shareUpTo(distribution, value)
    return Math.max(most, share - index / length, (index + 1) / length - share)
  }, 0)
}

interface Round {
  readonly distribution: Distribution
  readonly distance: number
}

function refit(shape: FittedShape, distribution: Distribution, samples: number): Round[] {
  const count = Math.max(MIN_ROUNDS, Math.min(MAX_ROUNDS, Math.floor(MAX_DRAWS / samples)))
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(`fit|${index}`)
    const drawn = Array.from({ length: samples }, () => draw(distribution, random)).sort((a, b) => a - b)
    const again = estimate(shape, drawn)
    return { distribution: again, distance: distanceOf(drawn, again) }
  })
}

function intervalOf(distribution: Distribution, rounds: readonly Round[], p: number): Estimate {
  const values = rounds.map((round) => quantile(round.distribution, p)).sort((a, b) => a - b)
  const at = (share: number): number => values[Math.round(share * (values.length - 1))]!
  return { ms: quantile(distribution, p), fromMs: at(0.025), toMs: at(0.975) }
}
