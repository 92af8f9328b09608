/** The clock that leaps with another process: waits end when real and skipped time reach them. */
import { expect, test } from 'vitest'
import { waitUntil } from '../../../src/engine/clock/clock.ts'
import { LeapingClock } from '../../../src/play/time/leaping-clock.ts'

test('a leap brings the waits nearer, in their order', async () => {
  const clock = new LeapingClock(1)
  const ended: string[] = []
  const late = waitUntil(clock, clock.now() + 60_010).then(() => ended.push('late'))
  const early = waitUntil(clock, clock.now() + 60_000).then(() => ended.push('early'))
  expect([clock.waits, clock.nextMs > 59_000]).toEqual([2, true])
  clock.leap(clock.nextMs)
  await Promise.all([late, early])
  expect([ended, clock.waits]).toEqual([['early', 'late'], 0])
})

test('a leap is in real milliseconds at any speed', () => {
  const clock = new LeapingClock(10)
  const before = clock.now()
  clock.leap(1000)
  expect(clock.now() - before).toBeGreaterThanOrEqual(10_000)
})

test('an aborted or cancelled wait is none', async () => {
  const clock = new LeapingClock(1)
  const left = new AbortController()
  const wait = waitUntil(clock, clock.now() + 60_000, left.signal)
  const cancel = clock.wake(clock.now() + 60_000, () => {})
  left.abort()
  cancel()
  await wait
  expect([clock.waits, clock.nextMs]).toEqual([0, Number.POSITIVE_INFINITY])
})
