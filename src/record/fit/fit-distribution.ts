/**
 * Fits a distribution to a sample, and says how good the fit is.
 *
 * Each shape is estimated by maximum likelihood. The best one has the smallest Kolmogorov-Smirnov distance.
 */
import { type Distribution, normalQuantile, quantile } from '../../core/lib/random/distribution.ts'

/** A 99th percentile needs a hundred values. */
export const MIN_SAMPLES = 100

export interface Fit {
  readonly distribution: Distribution
  readonly samples: number
  /** Of the sample itself, in milliseconds. */
  readonly measured: MedianAndP99
  readonly fitted: MedianAndP99
  /** The largest difference between the shares of the sample and of the fit, from 0 to 1. */
  readonly distance: number
  /** The distance that chance explains. A larger one means that the shape is probably wrong. */
  readonly maxDistance: number
}

interface MedianAndP99 {
  readonly medianMs: number
  readonly p99Ms: number
}

/** A spread of less than a thousandth is a constant. */
const MIN_SPREAD = 1.001
/** The shares at which a sample and its fit are compared. */
const SHARES = Array.from({ length: 199 }, (_, index) => (index + 1) / 200)

/** @param values milliseconds above 0, at least `MIN_SAMPLES` of them. */
export function fitDistribution(values: readonly number[]): Fit {
  const sorted = [...values].sort((a, b) => a - b)
  const samples = sorted.length
  const at = (share: number): number => sorted[Math.ceil(samples * share) - 1]!
  const isConstant = sorted.at(-1)! / sorted[0]! < MIN_SPREAD
  const shapes: Distribution[] = isConstant
    ? [{ shape: 'fixed', ms: at(0.5) }]
    : [fitLognormal(sorted), fitPareto(sorted), fitUniform(sorted)]
  const fits = shapes.map((distribution) => ({ distribution, distance: distanceOf(sorted, distribution) }))
  const { distribution, distance } = fits.reduce((best, one) => (one.distance < best.distance ? one : best))
  return {
    distribution,
    samples,
    measured: { medianMs: at(0.5), p99Ms: at(0.99) },
    fitted: { medianMs: quantile(distribution, 0.5), p99Ms: quantile(distribution, 0.99) },
    distance: isConstant ? 0 : distance,
    // Lilliefors' bound for parameters from the sample itself is 0.9 (lognormal) to 1.1 (Pareto), and a uniform one has more.
    maxDistance: 1.2 / Math.sqrt(samples),
  }
}

const Z99 = normalQuantile(0.99)

// Each estimates the parameters of a shape from positive values in ascending order, not all equal.

function fitLognormal(sorted: readonly number[]): Distribution {
  const mean = sum(sorted, Math.log) / sorted.length
  const deviation = Math.sqrt(sum(sorted, (value) => (Math.log(value) - mean) ** 2) / sorted.length)
  return { shape: 'lognormal', medianMs: Math.exp(mean), p99Ms: Math.exp(mean + Z99 * deviation) }
}

function fitPareto(sorted: readonly number[]): Distribution {
  const least = sorted[0]!
  const inverse = sum(sorted, (value) => Math.log(value / least)) / sorted.length
  return { shape: 'pareto', medianMs: least * 2 ** inverse, p99Ms: least * 100 ** inverse }
}

function fitUniform(sorted: readonly number[]): Distribution {
  const [least, most] = [sorted[0]!, sorted.at(-1)!]
  // The ends of a sample lie inside the range, by one distance between neighbours on average.
  const margin = (most - least) / (sorted.length - 1)
  return { shape: 'uniform', minMs: Math.max(0, least - margin), maxMs: most + margin }
}

const sum = (values: readonly number[], of: (value: number) => number): number =>
  values.reduce((total, value) => total + of(value), 0)

/** The Kolmogorov-Smirnov distance, at each half percent. */
function distanceOf(sorted: readonly number[], distribution: Distribution): number {
  let below = 0
  const distances = SHARES.map((share) => {
    const ms = quantile(distribution, share)
    while (below < sorted.length && sorted[below]! <= ms) below++
    return Math.abs(below / sorted.length - share)
  })
  return Math.max(...distances)
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
