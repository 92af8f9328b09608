/** Calls that arrive together are decided in several turns of the event loop, in their order. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { Arrivals } from '../../src/engine/scheduling/arrivals.ts'
import { type CallOverrides, call } from '../support/call.ts'

/** Arrivals in turns that the test makes. `add` decides a call by adding its name to `decided`. */
function arrivalsInTurns() {
  const later: (() => void)[] = []
  const arrivals = new Arrivals((run) => void later.push(run))
  const decided: string[] = []
  const add = (name: string, overrides: CallOverrides = {}): void =>
    arrivals.add(call(overrides), () => void decided.push(name))
  const turn = (): void => {
    for (const run of later.splice(0)) run()
  }
  return { arrivals, add, turn, decided }
}

const names = Array.from({ length: 1000 }, (_, index) => `call ${index}`)

test('a call that arrives alone is decided at once', () => {
  const { add, decided } = arrivalsInTurns()
  add('one')
  expect(decided).toEqual(['one'])
})

test('a thousand calls that arrive together take several turns, and keep their order', () => {
  const { add, turn, decided } = arrivalsInTurns()
  for (const name of names) add(name)
  let turns = 1
  for (; decided.length < names.length && turns < names.length; turns++) {
    expect(decided.length).toBeLessThan(turns * 60)
    turn()
  }
  expect(turns).toBeGreaterThan(15)
  expect(decided).toEqual(names)
})

test('a call does not overtake those that wait', () => {
  const { add, turn, decided } = arrivalsInTurns()
  for (const name of names) add(name)
  turn()
  add('last')
  while (decided.length <= names.length) turn()
  expect(decided.at(-1)).toBe('last')
})

test('after a large body or a long plan, the next call waits for the next turn', () => {
  const { arrivals, add, turn, decided } = arrivalsInTurns()
  add('large', { body: 'x'.repeat(300_000) })
  add('second')
  expect(decided).toEqual(['large'])
  turn()
  expect(decided).toEqual(['large', 'second'])
  arrivals.spend(10_000)
  add('third')
  expect(decided).toEqual(['large', 'second'])
  turn()
  expect(decided).toEqual(['large', 'second', 'third'])
})

test('a call that fails does not hold up the next one', () => {
  const { arrivals, add, turn, decided } = arrivalsInTurns()
  arrivals.spend(10_000)
  arrivals.add(call(), () => {
    throw new Error('broken')
  })
  add('next')
  expect(turn).toThrow('broken')
  turn()
  turn()
  expect(decided).toEqual(['next'])
})

test('with fake timers every call is decided at once', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { add, decided } = arrivalsInTurns()
  for (const name of names) add(name)
  expect(decided).toEqual(names)
})
