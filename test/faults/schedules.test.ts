/** Schedules of fault rules: which of the matching calls fail. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, type CoreMock, HELLO, mockWith } from '../support/core.ts'

type Rule = Omit<NonNullable<ScenarioSource['faults']>[number], 'fault'>

const FAULT = 500
const withRule = (rule: Rule, seed = 1): CoreMock => mockWith({ seed, faults: [{ fault: FAULT, ...rule }] })
const isFaulted = (mock: CoreMock, call: CallOverrides = {}): boolean => mock.answer(call).status === FAULT
/** `x` for each call that fails, `.` for each other call. */
const faultPattern = (mock: CoreMock, calls: readonly CallOverrides[]): string =>
  calls.map((call) => (isFaulted(mock, call) ? 'x' : '.')).join('')
const at = (...seconds: readonly number[]): CallOverrides[] => seconds.map((second) => ({ now: second * 1000 }))
const asking = (content: string | number): CallOverrides => ({
  body: { ...HELLO, messages: [{ role: 'user', content: String(content) }] },
})

// Attempt

test('attempt: 1 fails every first try, and every retry works', () => {
  const calls = [asking('a'), asking('a'), asking('b'), asking('b'), { ...asking('a'), key: 'sk-other' }]
  expect(faultPattern(withRule({ attempt: 1 }), calls)).toBe('x.x.x')
})

test('attempt is the same beside the fault as under when', () => {
  const calls = [asking('a'), asking('a'), asking('a'), asking('b')]
  expect(faultPattern(withRule({ attempt: [2, 3] }), calls)).toBe(
    faultPattern(withRule({ when: { attempt: [2, 3] } }), calls),
  )
  expect(faultPattern(withRule({ attempt: 1, when: { user: 'b' } }), calls)).toBe('...x')
})

// Every and times

test('every: n applies to each n-th call of a key', () => {
  const mock = withRule({ every: 3 })
  expect(faultPattern(mock, Array(9).fill({}))).toBe('..x..x..x')
  expect(faultPattern(mock, Array(4).fill({ key: 'sk-other' }))).toBe('..x.')
})

test('skip: 3 skips the first 3 calls of each key', () => {
  const mock = withRule({ skip: 3 })
  expect(faultPattern(mock, Array(6).fill({}))).toBe('...xxx')
  expect(faultPattern(mock, Array(5).fill({ key: 'sk-other' }))).toBe('...xx')
})

test('skip counts only the calls that the rest matches, and every and times count from then on', () => {
  const calls = [asking('a'), asking('b'), asking('a'), asking('b'), asking('b'), asking('a')]
  expect(faultPattern(withRule({ skip: 1, when: { user: 'b' } }), calls)).toBe('...xx.')
  expect(faultPattern(withRule({ skip: 2, from: '10s' }), at(0, 1, 10, 11, 12))).toBe('....x')
  expect(faultPattern(withRule({ skip: 2, every: 2, times: 2 }), Array(10).fill({}))).toBe('...x.x....')
})

test('a fault with its own option after can skip calls too', () => {
  const mock = mockWith({ faults: [{ fault: 'cut', skip: 1 }] })
  const body = { ...HELLO, stream: true }
  const ends = [1, 2].map(() => mock.plan({ body }).events.at(-1)!.type)
  expect(ends).toEqual(['end', 'reset'])
  expect(
    mockWith({ faults: [{ fault: 'cut', after: 1 }] })
      .plan({ body })
      .events.at(-1)!.type,
  ).toBe('reset')
})

test('the fault of a key begins after a number of calls', () => {
  const mock = mockWith({ keys: { 'sk-*': { fault: FAULT, skip: 2 }, other: {} } })
  expect(faultPattern(mock, Array(4).fill({}))).toBe('..xx')
  expect(faultPattern(mock, Array(3).fill({ key: 'sk-new' }))).toBe('..x')
  expect(faultPattern(mock, Array(3).fill({ key: 'other' }))).toBe('...')
})

test('before the fault of a key begins, the faults of the scenario apply', () => {
  const mock = mockWith({ keys: { 'sk-test': { fault: 401, skip: 2 } }, faults: [{ fault: 503, times: 1 }] })
  expect([1, 2, 3].map(() => mock.answer().status)).toEqual([503, 200, 401])
})

test('every counts only the calls that the rest matches', () => {
  const calls = [asking('a'), asking('b'), asking('a'), asking('b'), asking('b'), asking('b')]
  expect(faultPattern(withRule({ every: 2, when: { user: 'b' } }), calls)).toBe('...x.x')
})

test('every and times only count calls within the time span of the fault', () => {
  expect(faultPattern(withRule({ every: 2, from: '10s' }), at(0, 1, 2, 10, 11, 12, 13))).toBe('....x.x')
  expect(faultPattern(withRule({ times: 2, between: '10s and 20s' }), at(0, 1, 10, 11, 12, 20))).toBe('..xx..')
})

test('with every, times is the number of faults', () => {
  expect(faultPattern(withRule({ every: 3, times: 2 }), Array(12).fill({}))).toBe('..x..x......')
})

test('a call with the fault of an earlier rule is not counted by a later rule', () => {
  const mock = mockWith({
    faults: [
      { fault: 503, every: 2 },
      { fault: 500, every: 2 },
    ],
  })
  expect(Array.from({ length: 8 }, () => mock.answer().status)).toEqual([200, 503, 500, 503, 200, 503, 500, 503])
})

interface Model {
  readonly skip?: number
  readonly every?: number
  readonly times?: number
  readonly user?: string
}

/** What a person with a tally sheet for each key would say. */
function tally(
  { skip = 0, every = 1, times = Number.POSITIVE_INFINITY, user }: Model,
  calls: readonly Asked[],
): boolean[] {
  const matching = new Map<string, number>()
  const faulted = new Map<string, number>()
  return calls.map(({ key, content }) => {
    if (user !== undefined && content !== user) return false
    const number = (matching.get(key) ?? 0) + 1
    matching.set(key, number)
    const before = faulted.get(key) ?? 0
    if (number <= skip || (number - skip) % every !== 0 || before >= times) return false
    faulted.set(key, before + 1)
    return true
  })
}

type Asked = { readonly key: string; readonly content: string }

test('skip, every and times, alone and together, apply as a simple count predicts', () => {
  const model = fc.record(
    {
      skip: fc.integer({ min: 1, max: 9 }),
      every: fc.integer({ min: 1, max: 5 }),
      times: fc.integer({ min: 1, max: 5 }),
      user: fc.constant('b'),
    },
    { requiredKeys: [] },
  )
  const asked = fc.record({ key: fc.constantFrom('sk-a', 'sk-b'), content: fc.constantFrom('a', 'b') })
  fc.assert(
    fc.property(model, fc.array(asked, { maxLength: 40 }), ({ user, ...rule }, calls) => {
      const mock = withRule({ ...rule, ...(user !== undefined && { when: { user } }) })
      const found = calls.map(({ key, content }) => isFaulted(mock, { ...asking(content), key }))
      expect(found).toEqual(tally({ ...rule, ...(user !== undefined && { user }) }, calls))
    }),
    { numRuns: 200 },
  )
})

// Times

test('between applies from the first time until just before the second', () => {
  expect(faultPattern(withRule({ between: '10s and 20s' }), at(0, 9.999, 10, 19.999, 20, 100))).toBe('..xx..')
})

test('between takes several spans', () => {
  const mock = withRule({ between: ['10s and 20s', '1m and 1m5s'] })
  expect(faultPattern(mock, at(5, 15, 30, 60, 64, 65))).toBe('.x.xx.')
})

test('from and until apply on one side of a time, or between the two', () => {
  expect(faultPattern(withRule({ from: '10s' }), at(0, 9, 10, 1e6))).toBe('..xx')
  expect(faultPattern(withRule({ until: '10s' }), at(0, 9, 10, 1e6))).toBe('xx..')
  expect(faultPattern(withRule({ from: '10s', until: '20s' }), at(0, 10, 19, 20))).toBe('.xx.')
})

test('times count from the start, and from a reset', () => {
  const mock = withRule({ until: '10s' })
  expect(faultPattern(mock, at(5, 15))).toBe('x.')
  mock.apply({ type: 'reset', now: 100_000 })
  expect(faultPattern(mock, at(105, 115))).toBe('x.')
})

// Bursts

test('bursts apply in bad periods for every key, and not in good ones', () => {
  const rule = { bursts: { good: '30s', bad: '5s' } }
  const minutes = at(...Array.from({ length: 120 }, (_, second) => second))
  const faulted = faultPattern(withRule(rule), minutes)
  expect(faulted).toMatchInlineSnapshot(
    `"..........................x.......................................................xxxxxxxxxxxxxxxxx....................."`,
  )
  const keys = minutes.map((call, index) => ({ ...call, key: `sk-${index}` }))
  expect(faultPattern(withRule(rule), keys.toReversed())).toBe([...faulted].toReversed().join(''))
  expect(faultPattern(withRule(rule, 2), minutes)).not.toBe(faulted)
})

test('two rules with the same bursts have different periods', () => {
  const bursts = { good: '5s', bad: '5s' }
  const mock = mockWith({
    faults: [
      { fault: 503, bursts },
      { fault: 500, bursts },
    ],
  })
  const seen = Array.from({ length: 200 }, (_, second) => mock.answer({ now: second * 1000 }).status)
  expect(new Set(seen)).toEqual(new Set([200, 500, 503]))
})

// Together

test('all conditions of a rule must hold', () => {
  const rule: Rule = {
    when: { endpoint: 'chat', key: 'sk-a*', model: 'echo-*' },
    attempt: 1,
    from: '10s',
    chance: 1,
    every: 2,
    times: 1,
  }
  const mock = withRule(rule)
  const call = (content: number, more: CallOverrides = {}): CallOverrides => ({
    ...asking(content),
    key: 'sk-a1',
    now: 10_000,
    ...more,
  })
  const calls = [
    call(1, { now: 0 }), // too early
    call(2, { key: 'sk-b' }), // another key
    call(3), // counted: the first
    call(3), // a retry
    call(4), // counted: the second
    call(5),
    call(6), // the second again, but times: 1 is used up
  ]
  expect(faultPattern(mock, calls)).toBe('....x..')
})

test('chance, attempt, times and bursts apply to the same calls in any order of arrival', () => {
  const mock = (): CoreMock =>
    withRule({ chance: '50%', bursts: { good: '2s', bad: '2s' }, from: '5s', attempt: [1, 2] }, 7)
  const calls = Array.from({ length: 200 }, (_, index) => ({ ...asking(index), now: index * 100 }))
  const inOrder = faultPattern(mock(), calls)
  expect(inOrder).toMatchInlineSnapshot(
    `"..............................................................x..........................x....xxx.x.............xx..xx...xx...x....x.x...xxxxxxxx.xx......xx...x..x..x.xxx...xxxx.x.xx.............x..xx"`,
  )
  const shuffled = fc.shuffledSubarray([...calls.keys()], { minLength: calls.length })
  fc.assert(
    fc.property(shuffled, (order) => {
      const busy = mock()
      for (const index of order) {
        expect(isFaulted(busy, calls[index]) ? 'x' : '.').toBe(inOrder[index])
        busy.answer({ ...calls[index], key: 'sk-other' })
      }
    }),
    { numRuns: 10 },
  )
})
