/**
 * Fits a distribution to a sample, and says how good the fit is.
 *
 * Each shape is estimated by maximum likelihood. The best one has the smallest Kolmogorov-Smirnov distance. The usual table
 * of that test is wrong when the parameters come from the same sample, so the p-value and the intervals come from a
 * parametric bootstrap: samples of the same size are drawn from the fit and fitted again. The seed is fixed: the same sample
 * has the same result.
 */
import { type Distribution, draw, normalQuantile, quantile } from '../../core/lib/random/distribution.ts'
import { Random } from '../../core/lib/random/random.ts'

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
  /** Share of samples of the fit itself that are at least as far from their fits. Below 0.05, the shape is probably wrong. */
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
  const at = (share: number): number => sorted[Math.ceil(samples * share) - 1]!
  const sample = { samples, measured: { medianMs: at(0.5), p99Ms: at(0.99) } }
  if (sorted.at(-1)! / sorted[0]! < MIN_SPREAD) {
    const ms = sorted[Math.floor(samples / 2)]!
    const all = { ms, fromMs: ms, toMs: ms }
    return { ...sample, distribution: { shape: 'fixed', ms }, median: all, p99: all, distance: 0, pValue: 1 }
  }
  const fits = Object.values(ESTIMATES).map((estimate) => {
    const distribution = estimate(sorted)
    return { estimate, distribution, distance: distanceOf(sorted, distribution) }
  })
  const { estimate, distribution, distance } = fits.reduce((best, one) => (one.distance < best.distance ? one : best))
  const count = Math.max(MIN_ROUNDS, Math.min(MAX_ROUNDS, Math.floor(MAX_DRAWS / samples)))
  const rounds = Array.from({ length: count }, (_, index) => {
    const random = new Random(`fit|${index}`)
    const drawn = Array.from({ length: samples }, () => draw(distribution, random)).sort((a, b) => a - b)
    const again = estimate(drawn)
    return { distribution: again, distance: distanceOf(drawn, again) }
  })
  const isAsFar = rounds.filter((round) => round.distance >= distance).length
  const estimateAt = (p: number): Estimate => {
    const found = rounds.map((round) => quantile(round.distribution, p)).sort((a, b) => a - b)
    const foundAt = (share: number): number => found[Math.round(share * (found.length - 1))]!
    return { ms: quantile(distribution, p), fromMs: foundAt(0.025), toMs: foundAt(0.975) }
  }
  const pValue = (isAsFar + 1) / (rounds.length + 1)
  return { ...sample, distribution, median: estimateAt(0.5), p99: estimateAt(0.99), distance, pValue }
}

const Z99 = normalQuantile(0.99)
const LN_50 = Math.log(50)

/** Estimates the parameters of each shape from positive values in ascending order, not all equal. */
const ESTIMATES = {
  lognormal(sorted: readonly number[]): Distribution {
    const mean = sum(sorted, Math.log) / sorted.length
    const deviation = Math.sqrt(sum(sorted, (value) => (Math.log(value) - mean) ** 2) / sorted.length)
    return { shape: 'lognormal', medianMs: Math.exp(mean), p99Ms: Math.exp(mean + Z99 * deviation) }
  },
  pareto(sorted: readonly number[]): Distribution {
    const least = sorted[0]!
    const inverse = sum(sorted, (value) => Math.log(value / least)) / sorted.length
    return { shape: 'pareto', medianMs: least * 2 ** inverse, p99Ms: least * 100 ** inverse }
  },
  uniform(sorted: readonly number[]): Distribution {
    const [least, most] = [sorted[0]!, sorted.at(-1)!]
    // The ends of a sample lie inside the range, by one distance between neighbours on average.
    const margin = (most - least) / (sorted.length - 1)
    return { shape: 'uniform', minMs: Math.max(0, least - margin), maxMs: most + margin }
  },
}

const sum = (values: readonly number[], of: (value: number) => number): number =>
  values.reduce((total, value) => total + of(value), 0)

/** The Kolmogorov-Smirnov distance. */
const distanceOf = (sorted: readonly number[], distribution: Distribution): number =>
  sorted.reduce((most, value, index) => {
    const share = shareUpTo(distribution, value)
    return Math.max(most, share - index / sorted.length, (index + 1) / sorted.length - share)
  }, 0)

/** The share of draws that are at most `ms`. */
export function shareUpTo(distribution: Distribution, ms: number): number {
  if (distribution.shape === 'fixed') return ms >= distribution.ms ? 1 : 0
  if (distribution.shape === 'uniform') {
    const { minMs, maxMs } = distribution
    return Math.min(1, Math.max(0, (ms - minMs) / (maxMs - minMs)))
  }
  const { medianMs, p99Ms } = distribution
  const spread = Math.log(p99Ms / medianMs)
  if (distribution.shape === 'pareto') {
    const alpha = LN_50 / spread
    const least = medianMs / 2 ** (1 / alpha)
    return ms <= least ? 0 : 1 - (least / ms) ** alpha
  }
  if (ms <= 0) return 0
  // The share of a normal distribution, to seven digits: Abramowitz and Stegun, formula 26.2.17.
  const z = (Math.log(ms / medianMs) / spread) * Z99
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
  return z >= 0 ? 1 - above : above
}

/** The line of `pace` for a field: `  firstToken: { median: 300ms, p99: 600ms }`. */
export function formatPaceField(field: string, distribution: Distribution): string {
  // Four digits, and not less than a microsecond.
  const duration = (ms: number): string => `${Math.max(0.001, Number(Number(ms.toPrecision(4)).toFixed(3)))}ms`
  let value: string
  if (distribution.shape === 'fixed') value = duration(distribution.ms)
  else if (distribution.shape === 'uniform') {
    value = `{ min: ${duration(distribution.minMs)}, max: ${duration(distribution.maxMs)} }`
  } else {
    const tail = distribution.shape === 'pareto' ? ', tail: heavy' : ''
    value = `{ median: ${duration(distribution.medianMs)}, p99: ${duration(distribution.p99Ms)}${tail} }`
  }
  return `  ${field}: ${value}\n`
}
