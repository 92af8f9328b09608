/** The manual clock by itself: order, ties, waits that come up on the way, and what it refuses. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { waitUntil } from '../../src/engine/clock/clock.ts'
import { ManualClock } from '../../src/engine/clock/manual-clock.ts'

test('time does not move until it is advanced', async () => {
  const clock = new ManualClock()
  expect(clock.now()).toBe(0)
  await clock.advance('1m30s')
  await clock.advance(500)
  expect(clock.now()).toBe(90_500)
})

test('waits end in the order in which they are due, each at its own time', async () => {
  const clock = new ManualClock()
  const seen: [string, number][] = []
  const wait = (name: string, time: number) => waitUntil(clock, time).then(() => seen.push([name, clock.now()]))
  const all = [wait('third', 30), wait('first', 10), wait('second', 20), wait('never', 41)]
  await clock.advance(40)
  await Promise.all(all.slice(0, 3))
  expect(seen).toEqual([
    ['first', 10],
    ['second', 20],
    ['third', 30],
  ])
  expect(clock.now()).toBe(40)
})

test('waiting for a past time ends at once', async () => {
  const clock = new ManualClock()
  await clock.advance(10)
  await waitUntil(clock, 10)
  await waitUntil(clock, -1)
  expect(clock.now()).toBe(10)
})

test('an aborted wait ends at once and does not delay other waits', async () => {
  const clock = new ManualClock()
  const leave = new AbortController()
  const left = waitUntil(clock, 10, leave.signal)
  const stays = waitUntil(clock, 20)
  leave.abort()
  await left
  expect(clock.now()).toBe(0)
  await waitUntil(clock, 30, leave.signal)
  await clock.advance(20)
  await stays
})

test('advances that are not awaited run one after another', async () => {
  const clock = new ManualClock()
  const late = waitUntil(clock, 15).then(() => clock.now())
  await Promise.all([clock.advance(10), clock.advance(10)])
  expect(clock.now()).toBe(20)
  expect(await late).toBe(15)
})

test('waiting resolves as soon as the given number of waits is pending', async () => {
  const clock = new ManualClock()
  let isMet = false
  const met = clock.waiting(2).then(() => {
    isMet = true
  })
  void waitUntil(clock, 1)
  await clock.waiting()
  expect(isMet).toBe(false)
  void waitUntil(clock, 2)
  await met
})

test.each<[string | number, string]>([
  ['60', "'60'"],
  ['-1s', "'-1s'"],
  ['soon', "'soon'"],
  ['', "''"],
  [-1, '-1'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [undefined as never, 'undefined'],
  [null as never, 'null'],
])('advance(%j) is refused, and the error says what is expected', (by, shown) => {
  const clock = new ManualClock()
  expect(() => clock.advance(by)).toThrow(
    `Failed to advance the clock: expected a duration such as '500ms', '60s' or '1m30s', or a number of milliseconds from 0, got ${shown}.`,
  )
  expect(clock.now()).toBe(0)
})

/** A sleeper waits for each of its delays in turn, from the end of the one before. */
type Sleepers = readonly (readonly number[])[]
type Log = [sleeper: number, time: number][]

/** What is seen of sleepers until a time, by the simplest means: always the earliest of all; of equals, who asked first. */
function model(sleepers: Sleepers, until: number): Log {
  const log: Log = []
  let asked = 0
  const asleep: { sleeper: number; nap: number; time: number; order: number }[] = []
  const ask = (sleeper: number, nap: number, from: number): void => {
    const delay = sleepers[sleeper]![nap]
    if (delay !== undefined) asleep.push({ sleeper, nap, time: from + delay, order: asked++ })
  }
  for (const sleeper of sleepers.keys()) ask(sleeper, 0, 0)
  for (;;) {
    asleep.sort((a, b) => a.time - b.time || a.order - b.order)
    const first = asleep[0]
    if (first === undefined || first.time > until) return log
    asleep.shift()
    log.push([first.sleeper, first.time])
    ask(first.sleeper, first.nap + 1, first.time)
  }
}

test('any sleepers wake as in a simple model, however the time is cut into advances', async () => {
  const naps = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }), { maxLength: 6 })
  const steps = fc.array(fc.nat(12), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(naps, steps, async (sleepers, steps) => {
      const clock = new ManualClock()
      const log: Log = []
      const sleep = async (sleeper: number): Promise<void> => {
        let due = 0
        for (const nap of sleepers[sleeper]!) {
          due += nap
          await waitUntil(clock, due)
          log.push([sleeper, clock.now()])
        }
      }
      for (const sleeper of sleepers.keys()) void sleep(sleeper)
      for (const step of steps) await clock.advance(step)
      expect(log).toEqual(model(sleepers, clock.now()))
    }),
    { numRuns: 200 },
  )
})
