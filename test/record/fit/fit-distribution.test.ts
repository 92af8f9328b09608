/** Fitting: it finds the parameters of samples whose parameters are known, and says when the shape is another one. */
import { expect, test } from 'vitest'
import { type Distribution, draw, quantile } from '../../../src/core/lib/random/distribution.ts'
import { Random } from '../../../src/core/lib/random/random.ts'
import { fitDistribution, formatPaceField } from '../../../src/record/fit/fit-distribution.ts'

function sample(distribution: Distribution, count: number, seed = '1'): number[] {
  const random = new Random(`sample|${seed}`)
  return Array.from({ length: count }, () => draw(distribution, random))
}

const KNOWN: Distribution[] = [
  { shape: 'lognormal', medianMs: 300, p99Ms: 600 },
  { shape: 'lognormal', medianMs: 20, p99Ms: 30 },
  { shape: 'pareto', medianMs: 400, p99Ms: 600 },
  { shape: 'uniform', minMs: 200, maxMs: 600 },
]

test.each(KNOWN.flatMap((known) => ['1', '2', '3'].map((seed) => [known, seed] as const)))(
  'from 1,000 draws of %j, the shape is found, and median and p99 within 5%% (sample %s)',
  (known, seed) => {
    const fit = fitDistribution(sample(known, 1000, seed))
    expect(fit.distribution.shape).toBe(known.shape)
    expect(Math.abs(fit.fitted.medianMs / quantile(known, 0.5) - 1)).toBeLessThan(0.05)
    expect(Math.abs(fit.fitted.p99Ms / quantile(known, 0.99) - 1)).toBeLessThan(0.05)
    expect(fit.distance).toBeLessThan(fit.maxDistance)
  },
)

test('a sample of two groups fits no shape', () => {
  const fast = sample({ shape: 'lognormal', medianMs: 100, p99Ms: 120 }, 500)
  const slow = sample({ shape: 'lognormal', medianMs: 2000, p99Ms: 2400 }, 500)
  const fit = fitDistribution([...fast, ...slow])
  expect(fit.distance).toBeGreaterThan(3 * fit.maxDistance)
})

test('equal values are a constant', () => {
  const fit = fitDistribution(Array.from({ length: 100 }, () => 25))
  expect(fit).toMatchObject({ distribution: { shape: 'fixed', ms: 25 }, distance: 0 })
})

test('the same sample has the same result in any order', () => {
  const values = sample(KNOWN[0]!, 200)
  expect(fitDistribution([...values].reverse())).toEqual(fitDistribution(values))
})

test('a pace is written as a scenario has it', () => {
  expect(formatPaceField('firstToken', { shape: 'pareto', medianMs: 1234.567, p99Ms: 63_630.4 })).toBe(
    '  firstToken: { median: 1235ms, p99: 63630ms, tail: heavy }\n',
  )
  expect(formatPaceField('perToken', { shape: 'uniform', minMs: 0.0004, maxMs: 12.34567 })).toBe(
    '  perToken: { min: 0.001ms, max: 12.35ms }\n',
  )
  expect(formatPaceField('perToken', { shape: 'fixed', ms: 25 })).toBe('  perToken: 25ms\n')
})
