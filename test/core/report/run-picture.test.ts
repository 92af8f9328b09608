/** The picture of a run as data: lanes, bars, waits before retries, levels of limits, and the histogram of durations. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLevels } from '../../../src/core/journal/call-details.ts'
import { OUTCOMES } from '../../../src/core/journal/entry.ts'
import { binDurations, type DrawnCall, drawRun, kindOf, MAX_LANES } from '../../../src/core/report/run-picture.ts'
import '../../support/property-seed.ts'

/** A call that was answered after 100 ms. */
const call = (number: number, at: number, overrides: Partial<DrawnCall> = {}): DrawnCall => ({
  number,
  at,
  durationMs: 100,
  status: 200,
  outcome: 'complete',
  key: 'sk-****ijkl',
  caller: 'one',
  session: undefined,
  request: `request ${number}`,
  method: 'POST',
  reason: { by: 'echo', name: 'echo' },
  ...overrides,
})

const FAULT = { status: 500, reason: { by: 'fault', name: 'server-error (header)' } } as const
const LIMIT = { status: 429, durationMs: 0, reason: { by: 'limit', name: 'requests-limit' } } as const

test('a retry is in the row of the call that failed, and the wait is between them', () => {
  const { totalMs, lanes } = drawRun([
    call(1, 5000, { ...FAULT, request: 'a' }),
    call(2, 5150),
    call(3, 5400, { request: 'a' }),
  ])
  expect(totalMs).toBe(500)
  expect(lanes).toHaveLength(1)
  expect(lanes[0]!.bars).toEqual([
    { number: 1, kind: 'fault', row: 0, fromMs: 0, toMs: 100 },
    { number: 2, kind: 'answered', row: 1, fromMs: 150, toMs: 250 },
    { number: 3, kind: 'answered', row: 0, fromMs: 400, toMs: 500 },
  ])
  expect(lanes[0]!.waits).toEqual([{ failed: 1, next: 3, row: 0, fromMs: 100, toMs: 400 }])
})

test('calls at the same time are in different rows, and calls after them in the first that is free', () => {
  const { lanes } = drawRun([call(1, 0), call(2, 50), call(3, 120)])
  expect(lanes[0]!.bars.map(({ row }) => row)).toEqual([0, 1, 0])
  expect(lanes[0]!.rows).toBe(2)
})

test('each key and each session of it has a lane, and many share the last one', () => {
  const { lanes } = drawRun([call(1, 0), call(2, 10, { session: 'chat-1' }), call(3, 20, { caller: 'two', key: '' })])
  expect(lanes.map(({ key, session }) => [key, session])).toEqual([
    ['sk-****ijkl', undefined],
    ['sk-****ijkl', 'chat-1'],
    ['', undefined],
  ])
  const many = drawRun(Array.from({ length: 40 }, (_, index) => call(index + 1, index, { caller: `key ${index}` })))
  expect(many.lanes).toHaveLength(MAX_LANES)
  expect(many.lanes.at(-1)).toMatchObject({ owners: 17, levels: [] })
  expect(many.lanes.flatMap(({ bars }) => bars)).toHaveLength(40)
})

test('an open call lasts until the end of the run', () => {
  const { lanes } = drawRun([call(1, 0, { outcome: 'open', durationMs: 0 }), call(2, 200)])
  expect(lanes[0]!.bars[0]).toEqual({ number: 1, kind: 'open', row: 0, fromMs: 0, toMs: 300 })
})

test('a bar says how its call ended', () => {
  expect(
    [
      call(1, 0),
      call(1, 0, FAULT),
      call(1, 0, LIMIT),
      call(1, 0, { status: 400, reason: { by: 'request', name: 'invalid-body' } }),
      call(1, 0, { outcome: 'client-left' }),
      call(1, 0, { outcome: 'open' }),
    ].map(kindOf),
  ).toEqual(['answered', 'fault', 'limit', 'error', 'left', 'open'])
})

test('a level rises with a call, falls evenly, and comes from the headers of the answers', () => {
  const headers = (remaining: number, reset: string) => ({
    'x-ratelimit-limit-requests': '4',
    'x-ratelimit-remaining-requests': String(remaining),
    'x-ratelimit-reset-requests': reset,
    'x-ratelimit-limit-tokens': '10000000',
    'x-ratelimit-remaining-tokens': '9999980',
    'x-ratelimit-reset-tokens': '0s',
  })
  const levels = readLevels(headers(3, '250ms'), 1)
  expect(levels).toEqual([{ kind: 'requests', limit: 4, used: 1, resetMs: 250 }])
  // A mock that runs twice as fast tells half of its own time.
  expect(readLevels(headers(2, '250ms'), 2)).toEqual([{ kind: 'requests', limit: 4, used: 2, resetMs: 500 }])
  expect(readLevels({}, 1)).toBeUndefined()

  const { lanes } = drawRun([
    call(1, 0, { levels }),
    call(2, 125, { levels: readLevels(headers(2, '375ms'), 1) }),
    call(3, 600, { levels: readLevels(headers(3, '250ms'), 1), ...FAULT }),
  ])
  expect(lanes[0]!.levels).toEqual([
    {
      kind: 'requests',
      limit: 4,
      points: [
        [0, 0],
        [0, 0],
        [0, 0.25],
        [125, 0.125],
        [125, 0.5],
        [500, 0],
        [700, 0],
      ],
    },
  ])
})

test('durations are counted in ranges of 1, 2 and 5', () => {
  const durations = [0.4, 3, 4.9, 5, 40]
  const calls = durations.map((durationMs, index) => call(index + 1, index, { durationMs }))
  expect(binDurations([...calls, call(6, 0, LIMIT), call(7, 0, { outcome: 'open' })])).toEqual([
    { fromMs: 0, toMs: 1, answered: 1, failed: 1 },
    { fromMs: 1, toMs: 2, answered: 0, failed: 0 },
    { fromMs: 2, toMs: 5, answered: 2, failed: 0 },
    { fromMs: 5, toMs: 10, answered: 1, failed: 0 },
    { fromMs: 10, toMs: 20, answered: 0, failed: 0 },
    { fromMs: 20, toMs: 50, answered: 1, failed: 0 },
  ])
  // A file may have any number.
  expect(binDurations([call(1, 0, { durationMs: Number.POSITIVE_INFINITY })])).toHaveLength(1)
  expect(binDurations([call(1, 0, { durationMs: -1 })])).toHaveLength(1)
  expect(binDurations([])).toEqual([])
})

const anyRun: fc.Arbitrary<DrawnCall[]> = fc
  .array(
    fc.record({
      waitMs: fc.double({ min: 0, max: 500, noNaN: true }),
      durationMs: fc.double({ min: 0, max: 400, noNaN: true }),
      outcome: fc.constantFrom(...OUTCOMES),
      caller: fc.constantFrom('one', 'two'),
      session: fc.constantFrom(undefined, 'chat-1'),
      request: fc.constantFrom('a', 'b', 'c'),
      facts: fc.constantFrom({}, FAULT, LIMIT),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let at = 0
    return steps.map(({ waitMs, facts, ...rest }, index) => {
      at += waitMs
      return call(index + 1, at, { ...rest, ...facts })
    })
  })

test('in every run, each call has one bar, bars of a row do not overlap, and a wait joins two bars of its row', () => {
  fc.assert(
    fc.property(anyRun, (calls) => {
      const { totalMs, lanes } = drawRun(calls)
      expect(lanes.flatMap(({ bars }) => bars.map(({ number }) => number)).sort((a, b) => a - b)).toEqual(
        calls.map(({ number }) => number),
      )
      for (const { rows, bars, waits } of lanes) {
        for (const { fromMs, toMs, row } of bars) {
          expect(0 <= fromMs && fromMs <= toMs && toMs <= totalMs && row < rows).toBe(true)
        }
        for (let row = 0; row < rows; row++) {
          const inRow = bars.filter((bar) => bar.row === row).sort((a, b) => a.fromMs - b.fromMs || a.toMs - b.toMs)
          for (const [index, bar] of inRow.entries()) {
            expect(bar.fromMs).toBeGreaterThanOrEqual(inRow[index - 1]?.toMs ?? 0)
          }
        }
        for (const { failed, next, row, fromMs, toMs } of waits) {
          const [before, after] = [failed, next].map((one) => bars.find(({ number }) => number === one))
          expect([before?.row, before?.toMs, after?.row, after?.fromMs]).toEqual([row, fromMs, row, toMs])
          expect(bars.some((bar) => bar.row === row && bar.fromMs < toMs && bar.toMs > fromMs)).toBe(false)
        }
      }
    }),
  )
})
