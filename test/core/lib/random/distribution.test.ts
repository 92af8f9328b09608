/** Distributions: what is drawn is spread as it says, and the same everywhere. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Distribution,
  draw,
  drawSum,
  normalQuantile,
  quantile,
} from '../../../../src/core/lib/random/distribution.ts'
import { Random } from '../../../../src/core/lib/random/random.ts'

const DAY_MS = 86_400_000
const DRAWS = 20_000

const skewed = (shape: 'lognormal' | 'pareto') =>
  fc
    .tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 100, max: 2_000 }))
    .map(([medianMs, percent]): Extract<Distribution, { medianMs: number }> => {
      return { shape, medianMs, p99Ms: (medianMs * percent) / 100 }
    })
const uniform = fc
  .tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }))
  .map(
    ([minMs, width]): Extract<Distribution, { minMs: number }> => ({ shape: 'uniform', minMs, maxMs: minMs + width }),
  )
const anyDistribution = fc.oneof(
  fc.integer({ min: 0, max: DAY_MS }).map((ms): Distribution => ({ shape: 'fixed', ms })),
  uniform,
  skewed('lognormal'),
  skewed('pareto'),
)

function drawsOf(distribution: Distribution, seed: string): number[] {
  const random = new Random(seed)
  return Array.from({ length: DRAWS }, () => draw(distribution, random)).sort((a, b) => a - b)
}

/** How many of the draws are below a value, as a share. */
const shareBelow = (sorted: readonly number[], value: number): number =>
  sorted.filter((one) => one < value).length / sorted.length

describe.each(['lognormal', 'pareto'] as const)('%s', (shape) => {
  test('the median and the 99th percentile are the given ones', () => {
    fc.assert(
      fc.property(skewed(shape), (distribution) => {
        expect(quantile(distribution, 0.5)).toBeCloseTo(distribution.medianMs, 2)
        expect(quantile(distribution, 0.99)).toBeCloseTo(distribution.p99Ms, 2)
      }),
    )
  })

  // The standard error of a share of 20,000 draws is 0.0035 at the median, 0.0007 at the 99th percentile: five of it.
  test('half of 20,000 draws are below the median, and 99 in a hundred below the 99th percentile', () => {
    fc.assert(
      fc.property(skewed(shape), fc.string(), (distribution, seed) => {
        fc.pre(distribution.p99Ms > distribution.medianMs * 1.1)
        const sorted = drawsOf(distribution, seed)
        expect(Math.abs(shareBelow(sorted, distribution.medianMs) - 0.5)).toBeLessThan(0.018)
        expect(Math.abs(shareBelow(sorted, distribution.p99Ms) - 0.99)).toBeLessThan(0.0036)
      }),
      { numRuns: 20 },
    )
  })
})

test('a Pareto distribution reaches farther above the 99th percentile than a lognormal one, and never far below the median', () => {
  const measures = { medianMs: 300, p99Ms: 900 }
  const at = (p: number) => [
    quantile({ shape: 'lognormal', ...measures }, p),
    quantile({ shape: 'pareto', ...measures }, p),
  ]
  expect([0.01, 0.9999, 0.999999].map(at)).toMatchInlineSnapshot(`
    [
      [
        100,
        247.633,
      ],
      [
        1737.286,
        3280.212,
      ],
      [
        2831.54,
        11955.324,
      ],
    ]
  `)
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
  expect(quantile({ shape: 'pareto', medianMs: 1, p99Ms: DAY_MS }, 0.999)).toBe(DAY_MS)
})

test('the sum of draws equals the draws one by one', () => {
  fc.assert(
    fc.property(anyDistribution, fc.nat(50), fc.string(), (distribution, count, seed) => {
      const random = new Random(seed)
      let sum = 0
      for (let drawn = 0; drawn < count; drawn++) sum += draw(distribution, random)
      expect(drawSum(distribution, count, new Random(seed))).toBeCloseTo(sum, 3)
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
  const draws = (['lognormal', 'pareto'] as const).map((shape) =>
    Array.from({ length: 4 }, () => draw({ shape, medianMs: 300, p99Ms: 900 }, random)),
  )
  expect(draws).toMatchInlineSnapshot(`
    [
      [
        435.49,
        217.454,
        304.513,
        335.115,
      ],
      [
        573.39,
        273.74,
        255.825,
        273.366,
      ],
    ]
  `)
})
