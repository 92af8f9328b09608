/** The picture of a run on the page: its scale, the bars that are drawn as one, and its texts. */
import { expect, test } from 'vitest'
import { joinBars, placeOf, ticksOf, timeAt, windowAround } from '../../src/console/picture/picture-scale.ts'
import { describeCall, describeLane, describeRun, summarizeLane } from '../../src/console/picture/picture-text.ts'
import { type Bar, type DrawnCall, drawRun } from '../../src/core/report/run-picture.ts'

const WHOLE = { fromMs: 0, toMs: 1000 }
const bar = (number: number, fromMs: number, toMs: number, overrides: Partial<Bar> = {}): Bar => ({
  number,
  kind: 'answered',
  row: 0,
  fromMs,
  toMs,
  ...overrides,
})

test('a time has a place, and the place has the time', () => {
  expect([0, 500, 1000].map((ms) => placeOf(ms, { ...WHOLE, width: 1024 }))).toEqual([12, 512, 1012])
  expect(timeAt(512, { ...WHOLE, width: 1024 })).toBe(500)
})

test('a window stays within the run', () => {
  expect(windowAround(500, 100, 1000)).toEqual({ fromMs: 450, toMs: 550 })
  expect(windowAround(0, 100, 1000)).toEqual({ fromMs: 0, toMs: 100 })
  expect(windowAround(990, 100, 1000)).toEqual({ fromMs: 900, toMs: 1000 })
  expect(windowAround(500, 9000, 1000)).toEqual(WHOLE)
  expect(windowAround(500, 0, 1000)).toEqual({ fromMs: 499.5, toMs: 500.5 })
})

test('ticks are at round times', () => {
  expect(ticksOf({ ...WHOLE, width: 400 })).toEqual([0, 200, 400, 600, 800, 1000])
  expect(ticksOf({ fromMs: 130, toMs: 560, width: 400 })).toEqual([200, 300, 400, 500])
  expect(ticksOf({ ...WHOLE, width: 0 })).toHaveLength(1)
})

test('bars of one kind that touch are drawn as one, so that thousands are a few hundred', () => {
  const calls = Array.from({ length: 2000 }, (_, index) => bar(index, index / 2, index / 2 + 0.4))
  expect(joinBars(calls, { ...WHOLE, width: 800 })).toHaveLength(1)
  const [joined, fault, row, last] = joinBars(
    [
      bar(1, 0, 100),
      bar(2, 101, 200),
      bar(3, 201, 202, { kind: 'fault' }),
      bar(4, 150, 300, { row: 1 }),
      bar(5, 400, 500),
    ],
    { ...WHOLE, width: 524 },
  )
  expect(joined).toMatchObject({ x: 12, width: 100, bars: [{ number: 1 }, { number: 2 }] })
  expect(fault).toMatchObject({ kind: 'fault', width: 3 })
  expect(row!.row).toBe(1)
  expect(last!.bars).toHaveLength(1)
})

test('bars outside of the window are not drawn, and those across its edges are cut', () => {
  const calls = [bar(1, 0, 100), bar(2, 150, 350), bar(3, 380, 900)]
  expect(joinBars(calls, { fromMs: 200, toMs: 400, width: 224 })).toMatchObject([
    { x: 0, width: 162, bars: [{ number: 2 }] },
    { x: 192, width: 32, bars: [{ number: 3 }] },
  ])
})

const call = (number: number, at: number, overrides: Partial<DrawnCall> = {}): DrawnCall => ({
  number,
  at,
  durationMs: 100,
  status: 200,
  outcome: 'complete',
  key: 'sk-****ijkl',
  caller: 'one',
  session: undefined,
  request: 'a',
  method: 'POST',
  reason: { by: 'echo', name: 'echo' },
  ...overrides,
})

test('the picture has texts for the run, its lanes and its calls', () => {
  const calls = [
    call(1, 0, { status: 500, reason: { by: 'fault', name: 'server-error (header)' } }),
    call(2, 1350),
    call(3, 2000, { session: 'chat-1', outcome: 'client-left' }),
  ]
  const { totalMs, lanes } = drawRun(calls)
  const bars = lanes.flatMap((lane) => lane.bars)
  expect(describeRun(bars, totalMs)).toBe('3 calls in 2.1 s: 1 answered, 1 with a fault, 1 left by the client.')
  expect(lanes.map(describeLane)).toEqual(['sk-****ijkl', 'sk-****ijkl, session chat-1'])
  expect(summarizeLane(lanes[0]!)).toBe(
    'sk-****ijkl: 2 calls (1 answered, 1 with a fault), 1 retry after at most 1.25 s',
  )
  expect(summarizeLane({ ...lanes[1]!, levels: [{ kind: 'requests', limit: 4, points: [[0, 0.75]] }] })).toBe(
    'sk-****ijkl, session chat-1: 1 call (1 left by the client), limit of requests up to 75 % used',
  )
  expect(describeLane({ ...lanes[0]!, key: '' })).toBe('no key')
  expect(describeLane({ ...lanes[0]!, owners: 7 })).toBe('7 other keys and sessions')
  expect(calls.map((one, index) => describeCall(one, lanes[Number(index === 2)]!))).toEqual([
    ['#1: 500 fault server-error (header)', 'at 0 ms, took 100 ms', 'retried by #2 after 1.25 s'],
    ['#2: 200 echo', 'at 1.35 s, took 100 ms', 'a retry of #1 after 1.25 s'],
    ['#3: 200 echo', 'at 2 s, the client left after 100 ms'],
  ])
})
