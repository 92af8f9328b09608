/** Fitting: the fitted quantiles, drawn again, have the percentiles of the sample, whatever its shape. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draw, quantile } from '../../../src/core/lib/random/distribution.ts'
import { Random } from '../../../src/core/lib/random/random.ts'
import { distributionOf } from '../../../src/core/scenario/compile/pace.ts'
import { fitQuantiles } from '../../../src/record/fit/fit-quantiles.ts'

/** Half of the values lie below `medianMs`, 1 in 100 above `p99Ms`. */
function sample(medianMs: number, p99Ms: number, count: number, seed = '1'): number[] {
  const random = new Random(`sample|${seed}`)
  const distribution = distributionOf({ median: `${medianMs}ms`, p99: `${p99Ms}ms` })!
  return Array.from({ length: count }, () => draw(distribution, random))
}

function percentiles(values: readonly number[], percents: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return percents.map((percent) => sorted[Math.ceil((sorted.length * percent) / 100) - 1]!)
}

function expectSame(values: readonly number[], percents: readonly number[], seed: string): void {
  const random = new Random(seed)
  const distribution = distributionOf(fitQuantiles(values))!
  const drawn = Array.from({ length: 10_000 }, () => draw(distribution, random))
  const found = percentiles(drawn, percents)
  for (const [index, ms] of percentiles(values, percents).entries())
    expect(Math.abs(found[index]! / ms - 1), `p${percents[index]}`).toBeLessThan(0.1)
  expect(Math.max(...drawn)).toBeLessThanOrEqual(Math.max(...values) * 1.001)
}

test('10,000 draws of a fit have the percentiles of 1,000 calls within 10%', () => {
  const spread = fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 105, max: 400 }))
  fc.assert(
    fc.property(spread, fc.string(), ([median, percent], seed) => {
      expectSame(sample(median, (median * percent) / 100, 1000, seed), [5, 10, 25, 50, 75, 90, 95, 99], seed)
    }),
    { numRuns: 30 },
  )
})

test('two groups, cold and warm, keep their percentiles and have no longer tail', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(3, 15, 35, 60, 85),
      fc.integer({ min: 2, max: 50 }),
      fc.string(),
      (cold, times, seed) => {
        const warm = sample(300, 400, 1000 - cold * 10, seed)
        const slow = sample(300 * times, 400 * times, cold * 10, `${seed}|cold`)
        const percents = [10, 25, 50, 75, 90, 95, 99].filter((percent) => Math.abs(100 - cold - percent) > 2)
        expectSame([...warm, ...slow], percents, seed)
      },
    ),
    { numRuns: 30 },
  )
})

test('equal values are a constant', () => {
  expect(fitQuantiles(Array.from({ length: 100 }, () => 25))).toBe('25ms')
})

test('the same sample has the same result in any order', () => {
  const values = sample(300, 600, 200)
  expect(fitQuantiles([...values].reverse())).toEqual(fitQuantiles(values))
})

test('quantiles that the sample is too small for are left out', () => {
  const highest = (count: number) => Object.keys(fitQuantiles(sample(300, 900, count))).at(-2)
  expect([10, 20, 99, 100, 1000].map(highest)).toEqual(['p90', 'p95', 'p98', 'p99', 'p99.9'])
})

test('durations below a microsecond, and groups of equal values, are written too', () => {
  const values = Array.from({ length: 100 }, (_, index) => (index < 50 ? 0.0001 : 25))
  const fitted = fitQuantiles(values)
  expect(fitted).toMatchObject({ min: '0.001ms', p50: '0.001ms', max: '25ms' })
  expect(quantile(distributionOf(fitted)!, 0.9)).toBe(25)
})
