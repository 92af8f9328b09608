/** The real clock: speeds, fake timers in its place, and waits that are longer than a timer can be. */
import { afterEach, expect, test, vi } from 'vitest'
import { realClock, waitUntil } from '../../src/engine/clock/clock.ts'
import { createMock } from '../../src/index.ts'

afterEach(() => void vi.useRealTimers())

test('at a speed of 100 a minute is over in 0.6 s', async () => {
  vi.useFakeTimers()
  const clock = realClock(100)
  const start = clock.now()
  let isOver = false
  void waitUntil(clock, start + 60_000).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(599)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
  expect(clock.now() - start).toBeCloseTo(60_000, 3)
})

test('a day at a speed of 0.01, longer than the longest timer, does not end at once', async () => {
  vi.useFakeTimers()
  const clock = realClock(0.01)
  let isOver = false
  void waitUntil(clock, clock.now() + 86_400_000).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(100 * 86_400_000 - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
})

test('a wait never ends before its time, fractions of a millisecond included', async () => {
  vi.useFakeTimers()
  const clock = realClock()
  const due = clock.now() + 1.2
  const end = waitUntil(clock, due)
  await vi.advanceTimersByTimeAsync(2)
  await end
  expect(clock.now()).toBeGreaterThanOrEqual(due)
})

test.each([undefined, ['setTimeout', 'clearTimeout'] as const])(
  'the clock follows fake timers; faked: %j',
  async (names) => {
    vi.useFakeTimers(names && { toFake: [...names] })
    const clock = realClock()
    const start = clock.now()
    const times: number[] = []
    const nap = async (): Promise<void> => {
      for (let due = start + 10; due <= start + 50; due += 10) {
        await waitUntil(clock, due)
        times.push(clock.now() - start)
      }
    }
    void nap()
    await vi.advanceTimersByTimeAsync(45)
    expect(times).toEqual([10, 20, 30, 40])
  },
)

test('waits shorter than the timer resolution add up to their sum', async () => {
  vi.useFakeTimers()
  const clock = realClock()
  const start = clock.now()
  let naps = 0
  const nap = async (): Promise<void> => {
    for (let due = 0.25; due <= 250; due += 0.25) {
      await waitUntil(clock, start + due)
      naps++
    }
  }
  void nap()
  await vi.advanceTimersByTimeAsync(100)
  expect(naps).toBe(400)
  await vi.advanceTimersByTimeAsync(150)
  expect(naps).toBe(1000)
})

test('installing and removing fake timers neither turns the clock back nor makes it jump', async () => {
  const clock = realClock()
  const seen = [clock.now()]
  vi.useFakeTimers()
  seen.push(clock.now())
  await vi.advanceTimersByTimeAsync(60_000)
  seen.push(clock.now())
  vi.useRealTimers()
  seen.push(clock.now())
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen[2]! - seen[1]!).toBe(60_000)
  expect(seen[3]! - seen[0]!).toBeLessThan(65_000)
})

test('a wait that is aborted leaves no timer behind', async () => {
  vi.useFakeTimers()
  const leave = new AbortController()
  const left = waitUntil(realClock(), 1e9, leave.signal)
  expect(vi.getTimerCount()).toBe(1)
  leave.abort()
  await left
  expect(vi.getTimerCount()).toBe(0)
})

test.each([0, -1, 0.0009, 1_000_001, Number.NaN, Number.POSITIVE_INFINITY])('%d is not a valid speed', (speed) => {
  expect(() => createMock('default', { speed })).toThrow(
    `createMock: expected speed to be a number from 0.001 to 1,000,000, got ${speed}.`,
  )
})

test('a manual clock has no speed', () => {
  expect(() => createMock('default', { clock: 'manual', speed: 2 })).toThrow('expected speed or clock, got both')
})
