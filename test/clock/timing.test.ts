/** How the mock measures its own timing, and when it says that results are invalid. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventLoopLag } from '../../src/engine/timing/event-loop-lag.ts'
import { type LoopWatch, MAX_ERROR_MS, MAX_LAG_MS, type Percentiles, Timing } from '../../src/engine/timing/timing.ts'

/** A loop that lags as told, once it is watched. */
class Loop implements LoopWatch {
  readonly #lag: Percentiles
  isStarted = false

  constructor(p99: number) {
    this.#lag = { p50: 0, p99, max: p99 }
  }

  start(): void {
    this.isStarted = true
  }

  reset(): void {
    this.isStarted = false
  }

  percentiles(): Percentiles | undefined {
    return this.isStarted ? this.#lag : undefined
  }
}

test('quantiles are those of the durations: never below, at most 6% above', () => {
  const durations = fc.array(fc.double({ min: 0.011, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(durations, (durations) => {
      const timing = new Timing()
      for (const ms of durations) timing.record(ms)
      const sorted = durations.toSorted((a, b) => a - b)
      const { waits, errorMs } = timing.report()
      const { p50, p99, max } = errorMs
      for (const [share, told] of [
        [0.5, p50],
        [0.99, p99],
      ] as const) {
        const exact = sorted[Math.ceil(sorted.length * share) - 1]!
        expect(told).toBeGreaterThanOrEqual(exact - 0.001)
        expect(told).toBeLessThanOrEqual(exact * 1.06 + 0.001)
      }
      expect(max).toBeCloseTo(sorted.at(-1)!, 3)
      expect(waits).toBe(durations.length)
    }),
  )
})

test('durations of any length are counted', () => {
  const timing = new Timing()
  for (const ms of [0, 1e-9, 1e12]) timing.record(ms)
  expect(timing.report().errorMs).toEqual({ p50: 0.01, p99: 1e12, max: 1e12 })
  timing.reset()
  expect(timing.report().errorMs).toEqual({ p50: 0, p99: 0, max: 0 })
})

test('before the first wait the report is empty, and the event loop is not monitored', () => {
  const timing = new Timing()
  const loop = new Loop(0)
  timing.watchLoop(loop)
  expect(timing.report()).toEqual({
    waits: 0,
    errorMs: { p50: 0, p99: 0, max: 0 },
    eventLoopLagMs: null,
    valid: true,
    verdict: 'nothing measured: no answer has waited yet',
  })
  expect(loop.isStarted).toBe(false)
  timing.record(0.5)
  expect(loop.isStarted).toBe(true)
})

test('waits that end too early make the results invalid, like those that end too late', () => {
  const timing = new Timing()
  timing.record(-3)
  expect(timing.report().errorMs.max).toBe(3)
})

test.each([
  [MAX_ERROR_MS, MAX_LAG_MS, 'results valid'],
  [12, 0, 'results invalid: the p99 of the pacing error is 12 ms, above 10 ms.'],
  [0, 31, 'results invalid: the p99 of the event-loop lag is 31 ms, above 20 ms.'],
  [12, 31, 'pacing error is 12 ms, above 10 ms; the p99 of the event-loop lag is 31 ms, above 20 ms.'],
])('with an error of %d ms and a lag of %d ms the verdict is: %s', (errorMs, lagMs, verdict) => {
  const timing = new Timing()
  timing.watchLoop(new Loop(lagMs))
  timing.record(errorMs)
  const report = timing.report()
  expect(report.verdict).toContain(verdict)
  expect(report.valid).toBe(verdict === 'results valid')
})

test('one percent of the waits may be late', () => {
  const timing = new Timing()
  for (let wait = 0; wait < 99; wait++) timing.record(1)
  timing.record(500)
  expect(timing.report()).toMatchObject({ waits: 100, errorMs: { max: 500 }, valid: true })
})

test('a reset clears the measurements', () => {
  const timing = new Timing()
  timing.record(500)
  timing.reset()
  expect(timing.report()).toMatchObject({ waits: 0, valid: true })
})

test('the lag of a blocked event loop is how long it was blocked', async () => {
  const lag = new EventLoopLag()
  expect(lag.percentiles()).toBeUndefined()
  lag.start()
  lag.start()
  const nextRound = () => new Promise((resolve) => setTimeout(resolve, 30))
  await nextRound()
  const end = performance.now() + 300
  while (performance.now() < end);
  await nextRound()
  expect(lag.percentiles()!.max).toBeGreaterThan(100)
  lag.stop()
})
