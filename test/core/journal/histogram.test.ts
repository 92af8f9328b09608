/** Histograms of durations. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Histogram } from '../../../src/core/journal/histogram.ts'

test('a duration is in the first bucket whose bound it does not exceed', () => {
  const histogram = new Histogram([0.01, 0.1])
  for (const ms of [0, 10, 10.001, 100, 100.001]) histogram.observe(ms)
  expect([...histogram.counts]).toEqual([2, 2, 1])
  expect(histogram.sum).toBeCloseTo(0.220002, 9)
})

test('a clock that goes back, or no number, never lowers the sum', () => {
  const histogram = new Histogram([1])
  for (const ms of [-5, Number.NaN]) histogram.observe(ms)
  expect([[...histogram.counts], histogram.sum]).toEqual([[2, 0], 0])
})

test('counts and the sum are those of all durations', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10_000 })), (durations) => {
      const histogram = new Histogram([0.5, 1, 5])
      for (const ms of durations) histogram.observe(ms)
      const upTo = (seconds: number): number => durations.filter((ms) => ms / 1000 <= seconds).length
      const [first, second, third, rest] = histogram.counts
      expect([first, first! + second!, first! + second! + third!]).toEqual([upTo(0.5), upTo(1), upTo(5)])
      expect(rest).toBe(durations.length - upTo(5))
      expect(histogram.sum).toBeCloseTo(durations.reduce((sum, ms) => sum + ms, 0) / 1000, 6)
    }),
  )
})
