/** Calls that arrive together are decided in several turns of the event loop, in their order. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { Arrivals } from '../../src/engine/call-order.ts'

const names = Array.from({ length: 30 }, (_, index) => `call ${index}`)
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Arrivals of calls that take so long to decide, each of which adds its name to `decided`. */
function arrivalsOf(ms: number) {
  const arrivals = new Arrivals()
  const decided: string[] = []
  const add = (name: string): void =>
    arrivals.add(() => {
      const end = performance.now() + ms
      while (performance.now() < end);
      decided.push(name)
    })
  return { add, decided }
}

test('a call that arrives alone is decided at once', () => {
  const { add, decided } = arrivalsOf(10)
  add('one')
  expect(decided).toEqual(['one'])
})

test('calls that take longer than a turn is for are decided in later turns, in their order', async () => {
  const { add, decided } = arrivalsOf(2)
  for (const name of names) add(name)
  expect(decided.length).toBeLessThan(5)
  const counts = [decided.length]
  while (decided.length < names.length) {
    await nextTurn()
    counts.push(decided.length)
  }
  expect(counts.length).toBeGreaterThan(5)
  expect(decided).toEqual(names)
})

test('a call does not overtake those that wait', async () => {
  const { add, decided } = arrivalsOf(10)
  for (const name of ['first', 'second', 'third']) add(name)
  await nextTurn()
  add('last')
  expect(decided).not.toContain('last')
  await vi.waitFor(() => expect(decided).toEqual(['first', 'second', 'third', 'last']))
})

test('with fake timers every call is decided at once', () => {
  const arrivals = new Arrivals()
  const decided: string[] = []
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (const name of names) {
    arrivals.add(() => {
      decided.push(name)
      vi.advanceTimersByTime(10)
    })
  }
  expect(decided).toEqual(names)
})
