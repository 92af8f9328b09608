/** Bursts: good and bad periods depend on the seed and the time only. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileBursts } from '../../../src/core/scenario/compile/bursts.ts'

const DAY_MS = 86_400_000
const usual = { goodMs: 30_000, badMs: 5000 }

/** The lengths of the whole spells up to a time, to the millisecond. */
function spells(name: string, means: typeof usual, untilMs: number): { good: number[]; bad: number[] } {
  const isBad = compileBursts(name, means)
  const lengths = { good: [] as number[], bad: [] as number[] }
  let begin = 0
  let kind: keyof typeof lengths = isBad(0) ? 'bad' : 'good'
  for (let at = 1; at < untilMs; at++) {
    const now = isBad(at) ? 'bad' : 'good'
    if (now === kind) continue
    if (begin > 0) lengths[kind].push(at - begin)
    begin = at
    kind = now
  }
  return lengths
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

test('the first periods of a seed are pinned', () => {
  const isBad = compileBursts('1|faults[0]|bursts', usual)
  const seconds = Array.from({ length: 120 }, (_, second) => (isBad(second * 1000) ? 'x' : '.'))
  expect(seconds.join('')).toMatchInlineSnapshot(
    `"..........................x.......................................................xxxxxxxxxxxxxxxxx....................."`,
  )
})

test('the period of a time does not depend on earlier questions', () => {
  const time = fc.integer({ min: 0, max: 10 * DAY_MS })
  fc.assert(
    fc.property(fc.string(), fc.array(time, { minLength: 1, maxLength: 20 }), (name, times) => {
      const isBad = compileBursts(name, usual)
      const inOrder = times.map(isBad)
      expect(times.toReversed().map(isBad).toReversed()).toEqual(inOrder)
      expect(times.map((at) => compileBursts(name, usual)(at))).toEqual(inOrder)
    }),
  )
})

test.each([
  ['1 s good, 1 s bad', { goodMs: 1000, badMs: 1000 }],
  ['30 s good, 5 s bad', usual],
  ['1 s good, 9 s bad', { goodMs: 1000, badMs: 9000 }],
])('%s: in the long run the share of bad time is the share of the means', (_, means) => {
  const { goodMs, badMs } = means
  const isBad = compileBursts('share', means)
  const share = badMs / (goodMs + badMs)
  const pairs = 4000
  const samples = 50_000
  let bad = 0
  for (let sample = 0; sample < samples; sample++) {
    if (isBad((sample * pairs * (goodMs + badMs)) / samples)) bad++
  }
  // The share over n pairs of exponential spells has the deviation sqrt(2 / n) x share x (1 - share); five of them.
  expect(Math.abs(bad / samples - share)).toBeLessThan(5 * Math.sqrt(2 / pairs) * share * (1 - share))
})

test('the lengths of periods are exponentially distributed with the given means', () => {
  const { good, bad } = spells('lengths', { goodMs: 100, badMs: 40 }, 120_000)
  for (const [lengths, wanted] of [
    [good, 100],
    [bad, 40],
  ] as const) {
    const deviation = Math.sqrt(mean(lengths.map((length) => (length - mean(lengths)) ** 2)))
    // About 850 spells of each kind: five standard errors of the mean are 17%, and of the deviation 24%.
    expect(Math.abs(mean(lengths) - wanted) / wanted).toBeLessThan(0.17)
    expect(Math.abs(deviation - wanted) / wanted).toBeLessThan(0.24)
  }
})

test('another name gives other periods', () => {
  const times = Array.from({ length: 500 }, (_, index) => index * 1000)
  expect(times.map(compileBursts('a', usual))).not.toEqual(times.map(compileBursts('b', usual)))
})

test('periods many years away are found as quickly as the first', () => {
  const isBad = compileBursts('far', { goodMs: 1, badMs: 1 })
  const years = 100 * 366 * DAY_MS
  const seen = new Set(Array.from({ length: 2000 }, (_, index) => isBad(years + index)))
  expect(seen).toEqual(new Set([true, false]))
})
