/** The bucket of a rate limit: refills and waits are exact. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LeakyBucket } from '../../../../src/core/decide/state/leaky-bucket.ts'
import { WINDOWS } from '../../../../src/core/lib/text/duration.ts'
import { ReferenceLimit } from '../../../support/limits.ts'

type Window = keyof typeof WINDOWS
const WINDOW_NAMES = Object.keys(WINDOWS) as Window[]
const bucketOf = (amount: number, window: Window): LeakyBucket =>
  new LeakyBucket({ id: 'rate', amount, window, windowMs: WINDOWS[window] })

test('used tokens refill evenly', () => {
  const bucket = bucketOf(3, 'minute')
  bucket.use(3, 0)
  expect(bucket.read(0)).toEqual({ limit: 3, used: 3, remaining: 0, resetMs: 60_000 })
  expect(bucket.read(19_999.999)).toMatchObject({ used: 3, remaining: 0 })
  expect(bucket.read(20_000)).toMatchObject({ used: 2, remaining: 1, resetMs: 40_000 })
  expect(bucket.read(90_000)).toEqual({ limit: 3, used: 0, remaining: 3, resetMs: 0 })
})

test('the wait is exact to the nanosecond, where the refill is no whole number of anything', () => {
  const bucket = bucketOf(7, 'second')
  bucket.use(7, 0)
  expect(bucket.waitMs(1, 0)).toBe(142.857143)
  expect(bucket.waitMs(1, 142.857142)).toBe(0.000001)
  expect(bucket.waitMs(1, 142.857143)).toBe(0)
})

test('the largest rate there is loses nothing', () => {
  const bucket = bucketOf(999_999_999_999, 'day')
  bucket.use(999_999_999_999, 0)
  expect(bucket.waitMs(1, 0)).toBe(0.000087)
  expect(bucket.read(86_399_999.999)).toMatchObject({ used: 12, remaining: 999_999_999_987 })
  expect(bucket.read(86_400_000).used).toBe(0)
})

test('more than the capacity can be used; then the refill takes longer', () => {
  const bucket = bucketOf(10, 'second')
  bucket.use(25, 0)
  expect(bucket.read(0)).toEqual({ limit: 10, used: 25, remaining: 0, resetMs: 2500 })
  expect(bucket.waitMs(1, 0)).toBe(1600)
})

test('returned tokens are available at once, and never more than were used', () => {
  const bucket = bucketOf(10, 'second')
  bucket.use(10, 0)
  bucket.use(-4, 0)
  expect(bucket.read(0).remaining).toBe(4)
  bucket.use(-1000, 0)
  expect(bucket.read(0)).toMatchObject({ used: 0, remaining: 10 })
})

test('a time before the last use neither refills nor takes anything', () => {
  const bucket = bucketOf(10, 'second')
  bucket.use(10, 1000)
  expect(bucket.read(500).remaining).toBe(0)
  bucket.use(0, 500)
  expect(bucket.read(1100).remaining).toBe(1)
})

const use = fc.record({
  gapNs: fc.oneof(
    fc.integer({ min: 0, max: 3_000_000 }),
    fc.integer({ min: 0, max: 100_000 }).map((ms) => ms * 1_000_000),
  ),
  count: fc.integer({ min: -20, max: 30 }),
})

// A number of milliseconds has room for nanoseconds up to here; longer waits are rounded up to a millisecond.
const MAX_EXACT_MS = 2 ** 32

test.each([
  ['random uses', {}],
  // Used 100 times over its limit of 1 per day, a bucket takes 99 days to drain.
  ['uses that take months to drain', { seed: -1245522747 }],
])('%s leave what the definition of the limit leaves', (_, parameters) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom(...WINDOW_NAMES),
      fc.array(use, { maxLength: 40 }),
      fc.integer({ min: 1, max: 200 }),
      (amount, window, uses, asked) => {
        const bucket = bucketOf(amount, window)
        const reference = new ReferenceLimit(amount, WINDOWS[window])
        let ns = 0
        for (const { gapNs, count } of uses) {
          ns += gapNs
          bucket.use(count, ns / 1e6)
          reference.use(count, BigInt(ns))
          expect(bucket.read(ns / 1e6).remaining).toBe(reference.remaining(BigInt(ns)))
        }
        const count = Math.min(asked, amount)
        const waitMs = bucket.waitMs(count, ns / 1e6)
        const waitNs = BigInt(Math.floor(waitMs)) * 1_000_000n + BigInt(Math.round((waitMs % 1) * 1e6))
        const stepNs = waitMs < MAX_EXACT_MS ? 1n : 1_000_000n
        expect(reference.fits(count, BigInt(ns) + waitNs)).toBe(true)
        if (waitNs > 0n) expect(reference.fits(count, BigInt(ns) + waitNs - stepNs)).toBe(false)
      },
    ),
    { numRuns: 500, ...parameters },
  )
})
