/**
 * Distributions of durations, sampled by their quantile function: one seeded fraction gives one duration. A scenario with
 * `firstToken: { p50: 400ms, p99: 2s }` gives one of 400 ms for the fraction 0.5, and of 2 s for 0.99.
 *
 * Quantiles are joined in pieces. Between two of them, the logarithm of the duration is linear in the normal score z(p),
 * so each piece is a piece of a lognormal distribution, and two quantiles are a whole one:
 *
 *   Q(p) = low x (high / low) ^ ((z(p) - z(low)) / (z(high) - z(low)))
 *
 * Below the lowest and above the highest, the line has the slope from the lowest to the highest. The slope of the last
 * piece would be too steep: with a few cold calls at p99, one call in a thousand would take minutes.
 *
 * Math.log and ** of two engines may differ in the last digit. So every duration is rounded to a microsecond, which is
 * far coarser: the same draw is the same duration everywhere. No duration is longer than a day.
 */
import type { Random } from './random.ts'

/** A fixed duration, or a spread of them. */
export type Distribution = { readonly shape: 'fixed'; readonly ms: number } | Spread

type Spread = (
  | { readonly shape: 'uniform' }
  /** At least two points in ascending order of `p`, each above 0 ms. */
  | { readonly shape: 'quantiles'; readonly points: readonly Quantile[] }
) & {
  /** The bounds of all durations, at most a day. */
  readonly minMs: number
  readonly maxMs: number
  /** True if all tokens of a call have the same draw. */
  readonly isDrawnOnce: boolean
}

/** The duration that a share `p` of all draws does not exceed, and the normal score of `p`. */
export interface Quantile {
  readonly z: number
  readonly ms: number
}

/** The duration in milliseconds that a share `p` of all draws does not exceed, 0 < p < 1; at most a day. */
export function quantile(distribution: Distribution, p: number): number {
  if (distribution.shape === 'fixed') return distribution.ms
  const { shape, minMs, maxMs } = distribution
  const ms = shape === 'uniform' ? minMs + (maxMs - minMs) * p : interpolate(distribution.points, normalQuantile(p))
  return Math.min(maxMs, Math.max(minMs, toMicroseconds(ms)))
}

/** The formula above, for the two points around `z`; outside of all points, for the lowest and the highest one. */
function interpolate(points: readonly Quantile[], z: number): number {
  const [lowest, highest] = [points[0]!, points.at(-1)!]
  const above = points.findIndex((point) => z < point.z)
  const isInside = above > 0
  const [low, high] = isInside ? [points[above - 1]!, points[above]!] : [lowest, highest]
  // A line has the same values from any of its points; above the highest one, it starts there.
  const from = above < 0 ? highest : low
  return from.ms * (high.ms / low.ms) ** ((z - from.z) / (high.z - low.z))
}

// A fraction is a multiple of 2^-32 in [0, 1). Half a step more keeps it from 0, where a tail is infinite.
const HALF_A_STEP = 2 ** -33

/** The sum of `count` draws, in milliseconds. */
export function draw(distribution: Distribution, random: Random, count = 1): number {
  if (distribution.shape === 'fixed') return distribution.ms * count
  let sum = 0
  for (let drawn = 0; drawn < count; drawn++) sum += quantile(distribution, random.fraction() + HALF_A_STEP)
  return sum
}

/** Rounds milliseconds to whole microseconds. Sums and products of draws need it again. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000

/**
 * The quantile of the normal distribution to about seven digits: algorithm AS 241, PPND7 (M. J. Wichura, Applied
 * Statistics 37, 1988, pp. 477-484).
 */
export function normalQuantile(p: number): number {
  // The names are those of the algorithm.
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(r, CENTRE.over)) / polynomial(r, CENTRE.under)
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)))
  const { over, under, from } = r <= 5 ? TAIL : FAR_TAIL
  return (Math.sign(q) * polynomial(r - from, over)) / polynomial(r - from, under)
}

// The coefficients of numerators (`over`) and denominators (`under`), from the constant up.
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
