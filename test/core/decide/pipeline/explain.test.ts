/** A dry run says what the next call gets, and changes nothing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explainCall } from '../../../../src/core/decide/pipeline/explain.ts'
import { LeakyBucket } from '../../../../src/core/decide/state/leaky-bucket.ts'
import { statusOf } from '../../../../src/core/protocol/plan/plan.ts'
import { type CallOverrides, type CoreMock, mockWith } from '../../../support/core.ts'
import { generatedCall } from '../../../support/generated-calls.ts'

const NOW = 1000
const explain = (mock: CoreMock, call: CallOverrides = {}) => explainCall(mock.context(call))

/** Everything that a mock remembers, as text; the cache of parsed bodies changes no answer. */
function dump({ state }: CoreMock): string {
  return JSON.stringify({ ...state, bodies: undefined }, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`
    if (value instanceof LeakyBucket) return [value.read(0), value.read(NOW)]
    return typeof value === 'object' && value !== null && Symbol.iterator in value ? [...value] : value
  })
}

const BUSY = {
  states: { up: { lasts: '3 calls', next: 'down' }, down: { faults: [{ fault: 'overloaded', every: 2 }] } },
  limits: { requests: '5 per minute', tokens: '4000 per minute', concurrent: 4 },
  budget: { tokens: 300 },
  replies: [
    { when: { user: 'weather' }, say: ['One.', 'Two.'] },
    { when: { user: 'count' }, fault: 'server-error' },
    { when: { attempt: 2 }, call: { name: 'get_weather' } },
  ],
  faults: [
    { fault: 'rate-limit', chance: '20%' },
    { fault: 503, when: { attempt: 3 }, times: 1 },
  ],
  pace: { firstToken: '10ms', queue: { concurrent: 1, waiting: 2 } },
} as const

test('for any calls, an explanation says exactly what the next call gets, and the state stays byte for byte', () => {
  const calls = fc.array(fc.tuple(generatedCall, fc.constantFrom(0, NOW)), { maxLength: 12 })
  fc.assert(
    fc.property(calls, (all) => {
      const mock = mockWith(BUSY as never)
      let now = 0
      for (const [{ method, path, headers, body }, wait] of all) {
        now += wait
        const call = { method, path: `/v1${path}`, headers, key: '', body: body === undefined ? '' : String(body), now }
        const before = dump(mock)
        const explained = explain(mock, call)
        expect(dump(mock)).toBe(before)
        const { attempt, state } = mock.context(call)
        const plan = mock.plan(call)
        expect(explained).toMatchObject({ status: statusOf(plan), reason: plan.reason, notes: plan.notes, attempt })
        expect(explained.state).toBe(state?.name)
      }
    }),
    { numRuns: 200 },
  )
})

test('an explanation says how long the answer waits, by the rule or the fault', () => {
  const mock = mockWith({ replies: [{ say: 'Hi', delay: '2s' }] })
  expect(explain(mock)).toMatchObject({ rule: 'replies[0]', waitMs: 2000 })
  expect(explain(mock, { headers: { 'x-mock-fault': 'delay; by=5s' } })).toMatchObject({ fault: 'delay', waitMs: 7000 })
  expect(explain(mockWith())).not.toHaveProperty('waitMs')
})

test('a reply rule that does not match is passed over with the condition that failed', () => {
  const mock = mockWith({ replies: [{ when: { user: 'weather' }, say: 'Rain.' }, { say: 'Yes?' }, { say: 'No.' }] })
  expect(explain(mock)).toMatchObject({
    status: 200,
    rule: 'replies[1]',
    passedOver: [
      { kind: 'rule', id: 'replies[0]', why: expect.stringContaining("'weather'") },
      { kind: 'rule', id: 'replies[2]', why: 'replies[1] comes first' },
    ],
  })
})

test('a rule that calls a tool is passed over when the request does not offer it', () => {
  const mock = mockWith({ replies: [{ call: { name: 'get_weather' } }] })
  const [passed] = explain(mock).passedOver
  expect(passed).toMatchObject({ id: 'replies[0]', why: expect.stringContaining("'get_weather'") })
})

test('a fault is passed over for its conditions or its schedule, with the reason', () => {
  const mock = mockWith({
    faults: [
      { fault: 500, when: { model: 'other' } },
      { fault: 500, every: 2 },
      { fault: 500, from: '1h' },
      { fault: 503 },
      { fault: 429 },
    ],
  })
  const { fault, passedOver } = explain(mock)
  expect(fault).toBe('overloaded')
  expect(passedOver.map(({ id, why }) => [id, why])).toEqual([
    ['faults[0]', expect.stringContaining('other')],
    ['faults[1]', 'every: call 1 of this key, applies to each 2.'],
    ['faults[2]', 'between, from, until: not at this time'],
    ['faults[4]', 'faults[3] comes first'],
  ])
})

test('a limit says what is left before the call, and names itself when it refuses', () => {
  const mock = mockWith({ limits: { requests: '1 per day', concurrent: 3 } })
  const first = explain(mock)
  expect(first).toMatchObject({ status: 200, attempt: 1 })
  expect(first.passedOver).toEqual([
    { kind: 'limit', id: '1 requests per day', why: '1 left, the call takes 1' },
    { kind: 'limit', id: '3 concurrent', why: '0 in flight' },
  ])
  mock.plan()
  expect(explain(mock)).toMatchObject({ status: 429, limit: 'requests', attempt: 2 })
})

test('a call without a key is refused before any rule is looked at', () => {
  const mock = mockWith({ replies: [{ say: 'Yes?' }], faults: [{ fault: 500 }] })
  expect(explain(mock, { key: '' })).toMatchObject({ status: 401, reason: { by: 'key' }, passedOver: [] })
})
