/** The timer wheel: waits that end in the same millisecond share a timer. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TimerWheel } from '../../src/engine/clock/timer-wheel.ts'

const newWheel = (): TimerWheel =>
  new TimerWheel({
    get now() {
      return Date.now()
    },
  })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a thousand waits within one millisecond take one timer, and end in the order they began', () => {
  const wheel = newWheel()
  const ended: number[] = []
  for (let wait = 0; wait < 1000; wait++) wheel.wake(4 + (wait + 5) / 2000, () => ended.push(wait))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(4)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  expect(ended).toEqual(Array.from({ length: 1000 }, (_, wait) => wait))
})

test('the timer goes with the last of its waits, and a wait that has ended can be cancelled', () => {
  const wheel = newWheel()
  const ended: string[] = []
  const cancelFirst = wheel.wake(5, () => ended.push('first'))
  const cancelSecond = wheel.wake(5, () => ended.push('second'))
  cancelFirst()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(5)
  wheel.wake(5, () => ended.push('third'))()
  cancelSecond()
  expect(vi.getTimerCount()).toBe(0)
  expect(ended).toEqual(['second'])
})

test('a wait may begin the next one, and cancel another one of the same millisecond', () => {
  const wheel = newWheel()
  const ended: number[] = []
  const next = (): void => {
    ended.push(Date.now())
    cancelOther()
    if (ended.length < 3) wheel.wake(0, next)
  }
  wheel.wake(5, next)
  const cancelOther = wheel.wake(5, () => ended.push(Number.NaN))
  const start = Date.now()
  vi.advanceTimersByTime(10)
  expect(ended).toEqual([start + 5, start + 6, start + 7])
})

test('a timer that ends too early, as after a long turn of the event loop, is set again', () => {
  const clock = { now: 0 }
  const wheel = new TimerWheel(clock)
  let isOver = false
  wheel.wake(50, () => {
    isOver = true
  })
  clock.now = 40
  vi.advanceTimersByTime(50)
  expect(isOver).toBe(false)
  clock.now = 50
  vi.advanceTimersByTime(10)
  expect(isOver).toBe(true)
})

test('a wait that fails does not keep the others from ending', async () => {
  const failures: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').once('uncaughtException', (error) => failures.push(error))
  try {
    const wheel = newWheel()
    const ended: string[] = []
    wheel.wake(5, () => {
      throw new Error('first')
    })
    wheel.wake(5, () => ended.push('second'))
    vi.advanceTimersByTime(5)
    vi.useRealTimers()
    await new Promise((resolve) => setTimeout(resolve))
    expect(ended).toEqual(['second'])
    expect(failures).toEqual([new Error('first')])
  } finally {
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
})
