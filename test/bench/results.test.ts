/** The benchmark's arithmetic and its table, without a benchmark. */
import { expect, test } from 'vitest'
import { readOptions } from '../../scripts/bench/options.ts'
import { judge, median, percentile, type Result, ratio } from '../../scripts/bench/results.ts'
import { markdownTable, textTable } from '../../scripts/bench/table.ts'

const result = (measure: string, contender: string, samples: readonly number[]): Result => ({
  measure,
  contender,
  label: contender,
  unit: 'calls/s',
  samples,
})
const bare = result('chat', 'bare', [40_000, 20_000, 42_000])
const mock = result('chat', 'mock', [20_000, 11_000, 20_000])

test('a median is the middle value, or the mean of the two middle values', () => {
  expect(median([30, 10, 20])).toBe(20)
  expect(median([1, 2, 3, 10])).toBe(2.5)
})

test('a percentile lies between the two nearest values, in proportion', () => {
  expect(percentile([0, 10, 20, 30, 40], 99)).toBeCloseTo(39.6)
  expect(percentile([7], 99)).toBe(7)
})

test('a ratio is the median of the rounds, so that a slow round for both changes nothing', () => {
  expect(ratio(mock, bare)).toBe(0.5)
  expect(ratio(result('chat', 'mock', [30, 30, 30]), result('chat', 'bare', [60, 60]))).toBe(0.5)
})

test('a goal is met by a ratio on its right side, and one without its reference is not judged', () => {
  const least = { measure: 'chat', contender: 'mock', least: 0.5, of: bare }
  expect(judge(least, [bare, mock])).toMatchObject({ value: 0.5, isMet: true })
  expect(judge({ ...least, least: 0.51 }, [bare, mock])).toMatchObject({ isMet: false })
  expect(judge({ measure: 'chat', contender: 'mock', most: 19_999 }, [mock])).toMatchObject({ isMet: false })
  expect(judge(least, [mock])).toMatchObject({ value: undefined, isMet: undefined })
})

test('the table has a row for each result, with its ratio and its goals', () => {
  const base64 = result('base64', 'mock', [24_000, 12_000, 25_200])
  const lines = textTable([bare, { ...mock, coreShare: 0.987 }, base64]).split('\n')
  expect(lines[1]).toMatch(/^chat +bare +40,000 calls\/s$/)
  expect(lines[2]).toMatch(/^chat +mock +20,000 calls\/s {2}0\.50 of bare {2}99 % {2}≥ 0\.75 of bare: 0\.50, missed;/)
  expect(lines[2]).toMatch(/; ≥ 3 of aimock: not measured$/)
  expect(lines[3]).toMatch(/≥ 0\.7 of bare chat: 0\.60, missed; ≥ 0\.7 of bare-head chat: not measured$/)
})

test('the table for docs/benchmarks.md has the same rows, without the share of the core', () => {
  const [head, rule, ...rows] = markdownTable([bare, { ...mock, coreShare: 1 }]).split('\n')
  expect(head).toBe('| what | who | median | ratio | goals |')
  expect(rule).toBe('| --- | --- | --: | --- | --- |')
  expect(rows[0]).toBe('| chat | bare | 40,000 calls/s |  |  |')
  expect(rows[1]).toContain('| 0.50 of bare |')
})

test('an unknown option is refused with the list of options', () => {
  expect(() => readOptions(['--only', 'chat,float64'])).toThrow(
    "--only has 'float64'. Allowed are: chat, stream, float, base64, in-process, hunt, start, cold-start, memory, paced, burst, stalls, balancers, balanced-streams, shared-limits, open.",
  )
  expect(() => readOptions(['--seconds', '0.5'])).toThrow("--seconds is '0.5'. Give a whole number from 1.")
  expect(readOptions(['--only', 'base64,chat', '--rounds', '2'])).toMatchObject({ only: ['chat', 'base64'], rounds: 2 })
})
