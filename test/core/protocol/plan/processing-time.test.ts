/** Processing times have the recorded percentiles (section 11.8 of the wire contract). */
import { expect, test } from 'vitest'
import { processingMs } from '../../../../src/core/protocol/plan/response-ids.ts'

const near = (ms: number, recorded: number): boolean => ms > recorded * 0.8 && ms < recorded * 1.25

test.each([
  ['stream', 128, 311, 1561],
  ['embeddings', 36, 88, 367],
] as const)('%s: the 5th, 50th and 95th percentile are %i, %i and %i ms, or close', (kind, low, median, high) => {
  expect(near(processingMs(kind, 0.05, 0), low)).toBe(true)
  expect(processingMs(kind, 0.5, 0)).toBe(median)
  expect(near(processingMs(kind, 0.95, 0), high)).toBe(true)
})

test('whole answers take about 620 ms and 13 for each token', () => {
  expect(processingMs('whole', 0.5, 0)).toBe(620)
  expect(processingMs('whole', 0.5, 100)).toBe(1920)
  expect(near(processingMs('whole', 0.5, 6), 695)).toBe(true)
  expect(near(processingMs('whole', 0.05, 6), 202)).toBe(true)
})

test('refusals take 7 to 36 ms, in the median 16', () => {
  expect([0, 0.5, 1].map((rank) => processingMs('short', rank, 0))).toEqual([7, 16, 36])
})
