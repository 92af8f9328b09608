/** Distributions: what is drawn is spread as it says, and the same everywhere. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Distribution, draw, normalQuantile, quantile } from '../../../../src/core/lib/random/distribution.ts'
import { Random } from '../../../../src/core/lib/random/random.ts'

const DAY_MS = 86_400_000
const DRAWS = 20_000

const ONCE = { isDrawnOnce: false, minMs: 0, maxMs: DAY_MS }
/** `{ 50: 300, 99: 900 }`: milliseconds by percentile. */
const ofQuantiles = (byPercent: Record<string, number>, more: object = {}): Distribution => ({
  shape: 'quantiles',
  points: Object.entries(byPercent)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([percent, ms]) => ({ z: normalQuantile(Number(percent) / 100), ms })),
  ...ONCE,
  ...more,
})
const someQuantiles = fc
  .tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 100, max: 400 }), fc.integer({ min: 100, max: 400 }))
  .map(([p10, grow, growMore]) => ({ 10: p10, 50: (p10 * grow) / 100, 99: (p10 * grow * growMore) / 10_000 }))
const uniform = fc
  .tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }))
  .map(([minMs, width]) => ({ shape: 'uniform' as const, minMs, maxMs: minMs + width, isDrawnOnce: false }))
const anyDistribution = fc.oneof(
  fc.integer({ min: 0, max: DAY_MS }).map((ms): Distribution => ({ shape: 'fixed', ms })),
  uniform,
  someQuantiles.map((byPercent) => ofQuantiles(byPercent)),
)

function drawsOf(distribution: Distribution, seed: string): number[] {
  const random = new Random(seed)
  return Array.from({ length: DRAWS }, () => draw(distribution, random)).sort((a, b) => a - b)
}

/** How many of the draws are below a value, as a share. */
const shareBelow = (sorted: readonly number[], value: number): number =>
  sorted.filter((one) => one < value).length / sorted.length

describe('quantiles', () => {
  test('each quantile is the given one', () => {
    fc.assert(
      fc.property(someQuantiles, (byPercent) => {
        for (const [percent, ms] of Object.entries(byPercent))
          expect(quantile(ofQuantiles(byPercent), Number(percent) / 100)).toBeCloseTo(ms, 2)
      }),
    )
  })

  // The standard error of a share of 20,000 draws is 0.0035 at the median, 0.0007 at the 99th percentile: five of it.
  test('half of 20,000 draws are below the median, and 99 in a hundred below the 99th percentile', () => {
    fc.assert(
      fc.property(someQuantiles, fc.string(), (byPercent, seed) => {
        fc.pre(byPercent[99] > byPercent[50] * 1.1 && byPercent[50] > byPercent[10] * 1.1)
        const sorted = drawsOf(ofQuantiles(byPercent), seed)
        expect(Math.abs(shareBelow(sorted, byPercent[50]) - 0.5)).toBeLessThan(0.018)
        expect(Math.abs(shareBelow(sorted, byPercent[99]) - 0.99)).toBeLessThan(0.0036)
      }),
      { numRuns: 20 },
    )
  })

  test('two quantiles are a lognormal distribution', () => {
    for (const p of [0.001, 0.2, 0.5, 0.9, 0.99, 0.9999])
      expect(quantile(ofQuantiles({ 50: 300, 99: 900 }), p)).toBe(
        Math.round(300_000 * 3 ** (normalQuantile(p) / normalQuantile(0.99))) / 1000,
      )
  })

  test('beyond the ends, the mean slope goes on, up to min and max', () => {
    const warmAndCold = { 50: 200, 95: 300, 99: 4000 }
    expect([0.01, 0.999, 0.9999].map((p) => quantile(ofQuantiles(warmAndCold), p))).toEqual([
      10, 10_697.163, 24_039.296,
    ])
    const bounded = ofQuantiles(warmAndCold, { minMs: 150, maxMs: 4300 })
    expect([0.01, 0.999, 0.9999].map((p) => quantile(bounded, p))).toEqual([150, 4300, 4300])
  })
})

test('a uniform distribution stays within its bounds and fills them evenly', () => {
  fc.assert(
    fc.property(uniform, fc.string(), (distribution, seed) => {
      const { minMs, maxMs } = distribution
      const sorted = drawsOf(distribution, seed)
      expect(sorted[0]).toBeGreaterThanOrEqual(minMs)
      expect(sorted.at(-1)).toBeLessThanOrEqual(maxMs)
      fc.pre(maxMs - minMs > 100)
      for (let tenth = 1; tenth < 10; tenth++) {
        const share = shareBelow(sorted, minMs + ((maxMs - minMs) * tenth) / 10)
        expect(Math.abs(share - tenth / 10)).toBeLessThan(0.018)
      }
    }),
    { numRuns: 20 },
  )
})

test('durations grow with the probability, from 0 to a day, in whole microseconds', () => {
  const probability = fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(anyDistribution, probability, probability, (distribution, one, other) => {
      const [low, high] = [quantile(distribution, Math.min(one, other)), quantile(distribution, Math.max(one, other))]
      expect(low).toBeLessThanOrEqual(high)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(DAY_MS)
      expect(Math.round(high * 1000) / 1000).toBe(high)
    }),
  )
})

test('a duration is at most a day', () => {
  expect(quantile(ofQuantiles({ 50: 1, 99: DAY_MS }), 0.999)).toBe(DAY_MS)
})

test('the sum of draws equals the draws one by one', () => {
  fc.assert(
    fc.property(anyDistribution, fc.nat(50), fc.string(), (distribution, count, seed) => {
      const random = new Random(seed)
      let sum = 0
      for (let drawn = 0; drawn < count; drawn++) sum += draw(distribution, random)
      expect(draw(distribution, new Random(seed), count)).toBeCloseTo(sum, 3)
    }),
  )
})

test.each([
  [0.5, 0],
  [0.841344746, 1],
  [0.975, 1.959963985],
  [0.99, 2.326347874],
  [0.9999, 3.719016485],
  [1e-9, -5.997807015],
  [1e-12, -7.034483825],
])('the normal quantile of %d is %d', (p, z) => {
  expect(normalQuantile(p)).toBeCloseTo(z, 5)
})

test('draws are pinned', () => {
  const random = new Random('pinned')
  const draws = Array.from({ length: 4 }, () => draw(ofQuantiles({ 50: 300, 99: 900 }), random))
  expect(draws).toEqual([435.49, 217.454, 304.513, 335.115])
})
