/**
 * Distributions of durations, sampled by their quantile function: one seeded fraction gives one duration.
 *
 * The two skewed distributions are given by their median and 99th percentile, which people measure. Both have this form:
 *
 *   Q(p) = median x (p99 / median) ^ s(p)      with s(0.5) = 0 and s(0.99) = 1
 *
 *   lognormal   s(p) = z(p) / z(0.99), z the quantile of the normal distribution: ln Q is then normal
 *   Pareto      s(p) = -ln(2 (1 - p)) / ln 50: type I, shape ln 50 / ln(p99 / median), scale median / 2 ^ (1 / shape)
 *
 * Math.log and ** of two engines may differ in the last digit. So every duration is rounded to a microsecond, which is
 * far coarser: the same draw is the same duration everywhere. No duration is longer than a day.
 */
import { WINDOWS } from '../text/duration.ts'
import type { Random } from './random.ts'

export type Distribution =
  | { readonly shape: 'fixed'; readonly ms: number }
  /** All durations from `minMs` to `maxMs` are equally likely. */
  | { readonly shape: 'uniform'; readonly minMs: number; readonly maxMs: number }
  /** The shape of most latencies: one peak and a moderate tail. 0 < `medianMs` <= `p99Ms`, here and below. */
  | { readonly shape: 'lognormal'; readonly medianMs: number; readonly p99Ms: number }
  /** A heavy tail: few durations are much shorter than the median, and rare ones are far above the 99th percentile. */
  | { readonly shape: 'pareto'; readonly medianMs: number; readonly p99Ms: number }

/** The duration in milliseconds that a share `p` of all draws does not exceed, 0 < p < 1; at most a day. */
export function quantile(distribution: Distribution, p: number): number {
  const { shape } = distribution
  let ms: number
  if (shape === 'fixed') ms = distribution.ms
  else if (shape === 'uniform') ms = distribution.minMs + (distribution.maxMs - distribution.minMs) * p
  else {
    const { medianMs, p99Ms } = distribution
    ms =
      medianMs *
      (p99Ms / medianMs) ** (shape === 'lognormal' ? normalQuantile(p) / Z99 : -Math.log(2 * (1 - p)) / Math.log(50))
  }
  return Math.min(WINDOWS.day, toMicroseconds(ms))
}

/** One draw, in milliseconds. */
export function draw(distribution: Distribution, random: Random): number {
  return distribution.shape === 'fixed' ? distribution.ms : quantile(distribution, openFraction(random))
}

/** The sum of `count` draws, in milliseconds. */
export function drawSum(distribution: Distribution, count: number, random: Random): number {
  if (distribution.shape === 'fixed') return distribution.ms * count
  let sum = 0
  for (let drawn = 0; drawn < count; drawn++) sum += quantile(distribution, openFraction(random))
  return sum
}

/** Rounds milliseconds to whole microseconds. Sums and products of draws need it again. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000

// A fraction is a multiple of 2^-32 in [0, 1). Half a step more keeps it from 0, where a tail is infinite.
const HALF_A_STEP = 2 ** -33
const openFraction = (random: Random): number => random.fraction() + HALF_A_STEP

/**
 * The quantile of the normal distribution to about seven digits: algorithm AS 241, PPND7 (M. J. Wichura, Applied
 * Statistics 37, 1988, pp. 477-484).
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(r, CENTRE.over)) / polynomial(r, CENTRE.under)
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)))
  const { over, under, from } = r <= 5 ? TAIL : FAR_TAIL
  return (Math.sign(q) * polynomial(r - from, over)) / polynomial(r - from, under)
}

/** Coefficients from the constant up. */
const CENTRE = {
  over: [3.3871327179, 50.434271938, 159.29113202, 59.10937472],
  under: [1, 17.895169469, 78.757757664, 67.1875636],
}
const TAIL = {
  from: 1.6,
  over: [1.4234372777, 2.75681539, 1.3067284816, 0.17023821103],
  under: [1, 0.7370016425, 0.12021132975],
}
const FAR_TAIL = {
  from: 5,
  over: [6.657905115, 3.081226386, 0.42868294337, 0.017337203997],
  under: [1, 0.24197894225, 0.012258202635],
}

const polynomial = (x: number, coefficients: readonly number[]): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)

const Z99 = normalQuantile(0.99)
