/** The state machine of a scenario: calls and time move it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  advance,
  initialPosition,
  positionAt,
  type StateExit,
  type StateMachine,
  type StatePosition,
} from '../../../src/core/scenario/compile/states.ts'

const machine = (exits: Record<string, StateExit | undefined>): StateMachine => ({
  first: Object.keys(exits)[0]!,
  byName: new Map(Object.entries(exits).map(([name, exit]) => [name, { exit }])),
})

const incident = machine({
  healthy: { next: 'degraded', calls: 3 },
  degraded: { next: 'down', ms: 30 },
  down: { next: 'recovering', ms: 10 },
  recovering: { next: 'healthy', calls: 2 },
})

/** The state each call finds. */
function walk(states: StateMachine, times: readonly number[]): string[] {
  let standing = initialPosition(states)
  return times.map((at) => {
    standing = positionAt(states, standing, at)
    const { state } = standing
    standing = advance(states, standing, at)
    return state
  })
}

test('calls and time move the state machine', () => {
  expect(walk(incident, [0, 0, 5, 6, 34, 35, 44, 45, 99, 100])).toEqual([
    ...['healthy', 'healthy', 'healthy'],
    ...['degraded', 'degraded', 'down', 'down', 'recovering', 'recovering'],
    'healthy',
  ])
})

test('elapsed time can pass through several states at once', () => {
  expect(walk(incident, [0, 0, 0, 1000])).toEqual(['healthy', 'healthy', 'healthy', 'recovering'])
})

test('a state without an exit stays', () => {
  const once = machine({ up: { next: 'down', ms: 5 }, down: undefined })
  expect(walk(once, [4, 5, 1e12])).toEqual(['up', 'down', 'down'])
})

test('a call with an earlier time than the last move gets the state of that move', () => {
  const states = machine({ a: { next: 'b', calls: 1 }, b: { next: 'c', calls: 1 }, c: { next: 'a', ms: 10 } })
  expect(walk(states, [100, 50, 105, 109, 110])).toEqual(['a', 'b', 'c', 'c', 'a'])
})

test('a cycle of one millisecond is at the right state after a hundred years, without a loop', () => {
  const ring = machine({ a: { next: 'b', ms: 1 }, b: { next: 'c', ms: 1 }, c: { next: 'b', ms: 1 } })
  const years = 100 * 365 * 86_400_000
  expect([0, 1, 2].map((ms) => positionAt(ring, initialPosition(ring), years + ms).state)).toEqual(['c', 'b', 'c'])
})

/** Millisecond by millisecond, as one would explain it. */
function reference({ first, byName }: StateMachine, calls: readonly number[]): string[] {
  let state = first
  let ms = 0
  let count = 0
  const enter = (next: string): void => {
    state = next
    ms = 0
    count = 0
  }
  const found: string[] = []
  let now = 0
  for (const at of calls) {
    for (; now < at; now++) {
      ms++
      const exit = byName.get(state)?.exit
      if (exit?.ms === ms) enter(exit.next)
    }
    found.push(state)
    count++
    const exit = byName.get(state)?.exit
    if (exit?.calls === count) enter(exit.next)
  }
  return found
}

const names = ['a', 'b', 'c', 'd', 'e']
const exit = fc.option(
  fc.oneof(
    fc.record({ next: fc.constantFrom(...names), calls: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ next: fc.constantFrom(...names), ms: fc.integer({ min: 1, max: 20 }) }),
  ),
  { nil: undefined, freq: 8 },
)
const anyMachine = fc.tuple(exit, exit, exit, exit, exit).map((exits) => {
  return machine(Object.fromEntries(names.map((name, index) => [name, exits[index]])))
})
const gap = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 300 }))

test('any machine moves like one that steps through every millisecond', () => {
  fc.assert(
    fc.property(anyMachine, fc.array(gap, { maxLength: 40 }), (states, gaps) => {
      let now = 0
      const calls = gaps.map((ms) => (now += ms))
      expect(walk(states, calls)).toEqual(reference(states, calls))
    }),
    { numRuns: 1000 },
  )
})

test('asking for the state in between changes nothing', () => {
  fc.assert(
    fc.property(anyMachine, gap, gap, (states, first, second) => {
      const start = initialPosition(states)
      const onTheWay: StatePosition = positionAt(states, start, first)
      expect(positionAt(states, onTheWay, first + second)).toEqual(positionAt(states, start, first + second))
    }),
    { numRuns: 1000 },
  )
})
