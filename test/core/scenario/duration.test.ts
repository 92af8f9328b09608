/** Durations as text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { goDuration, parseDuration } from '../../../src/core/lib/text/duration.ts'

test.each([
  ['300ms', 300],
  ['0.5s', 500],
  ['1m30s', 90_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '5', 's', '-1s', '1 s', '1s ', '1w', '1e3ms', '.5s'])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test.each([
  [0, '0s'],
  [120, '120ms'],
  [8640, '8.64s'],
  [73_588, '1m13.588s'],
  [360_000, '6m0s'],
  [3_600_000, '1h0m0s'],
])('%d ms is %s on the wire', (ms, text) => {
  expect(goDuration(ms)).toBe(text)
})

test('a duration read back from the wire is the same to the millisecond', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 * 86_400_000 }), (ms) => {
      expect(parseDuration(goDuration(ms))).toBeCloseTo(ms, 6)
    }),
  )
})
