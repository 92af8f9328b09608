/** States of a scenario: which faults, pace and rules apply, and what answers say about it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { waitsOf } from '../../../../src/core/protocol/plan/plan.ts'
import type { ScenarioSource } from '../../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, type CoreMock, mockWith } from '../../../support/core.ts'

const INCIDENT: ScenarioSource['states'] = {
  healthy: { lasts: '2 calls', next: 'degraded' },
  degraded: { pace: { firstToken: '1s' }, lasts: '30s', next: 'down' },
  down: { faults: [{ fault: 'overloaded' }], lasts: '10s', next: 'recovering' },
  recovering: { faults: [{ fault: 'server-error', attempt: 1 }], lasts: '1 call', next: 'healthy' },
}
const explained = (call: CallOverrides = {}): CallOverrides => ({ ...call, headers: { 'x-mock-explain': '1' } })
const stateFor = (mock: CoreMock, call: CallOverrides = {}): string | undefined =>
  mock.answer(explained(call)).headers['x-mock-state']

test('a call records the state that it found', () => {
  const mock = mockWith({ states: INCIDENT })
  const found = [0, 0, 1, 30, 31, 41, 42].map((second) => stateFor(mock, { now: second * 1000 }))
  expect(found).toEqual(['healthy', 'healthy', 'degraded', 'down', 'down', 'recovering', 'healthy'])
})

test('the faults and the pace of a state apply while it lasts', () => {
  const mock = mockWith({ states: INCIDENT, pace: { firstToken: '5ms' } })
  const answers = [0, 0, 1, 30, 40, 40].map((second) => {
    const plan = mock.plan({ now: second * 1000 })
    return [plan.reason.name, waitsOf(plan)]
  })
  expect(answers).toEqual([
    ['echo', 5],
    ['echo', 5],
    ['echo', 1000],
    ['overloaded (states.down.faults[0])', 0],
    ['echo', 5],
    ['echo', 5],
  ])
})

test("a state's faults come before the scenario's, which still apply", () => {
  const mock = mockWith({
    faults: [{ fault: 500 }],
    states: { odd: { faults: [{ fault: 503, when: { endpoint: 'chat' } }] } },
  })
  expect(mock.answer().status).toBe(503)
  expect(mock.answer({ path: '/v1/embeddings' }).status).toBe(500)
})

test('all keys share one state', () => {
  const mock = mockWith({ states: INCIDENT })
  expect(['sk-a', 'sk-b', 'sk-c'].map((key) => stateFor(mock, { key }))).toEqual(['healthy', 'healthy', 'degraded'])
})

test('calls refused by route or key, and CORS preflights, do not advance the state machine', () => {
  const mock = mockWith({ states: INCIDENT, keys: { 'sk-*': {} } })
  const refused: CallOverrides[] = [
    { key: 'pk-other' },
    { path: '/v1/nowhere' },
    { method: 'PUT' },
    { method: 'OPTIONS' },
  ]
  for (const call of refused) expect(mock.answer(call).status).not.toBe(200)
  expect([stateFor(mock), stateFor(mock), stateFor(mock)]).toEqual(['healthy', 'healthy', 'degraded'])
})

test('a call without a key does not advance the state machine, even if any key is accepted', () => {
  const mock = mockWith({ states: INCIDENT })
  for (let call = 0; call < 5; call++) expect(mock.answer({ key: '' }).status).toBe(401)
  expect(stateFor(mock)).toBe('healthy')
})

test('a failed call advances the state machine, also one that a header made fail', () => {
  const mock = mockWith({ states: INCIDENT })
  mock.answer({ body: '{' })
  mock.answer({ headers: { 'x-mock-fault': '500' } })
  expect(stateFor(mock)).toBe('degraded')
})

test('when: state chooses replies and faults', () => {
  const mock = mockWith({
    states: { up: { lasts: '1 call', next: 'down' }, down: { lasts: '1 call', next: 'up' } },
    replies: [
      { when: { state: 'down' }, say: 'I am down.' },
      { when: { state: ['up', 'down'] }, say: 'I am up.' },
    ],
    faults: [{ fault: 503, when: { state: 'down' }, every: 2 }],
  })
  const said = Array.from({ length: 4 }, () => mock.json().choices?.[0].message.content)
  expect(said).toEqual(['I am up.', 'I am down.', 'I am up.', undefined])
})

test('without states the explanation does not mention them', () => {
  expect(stateFor(mockWith())).toBeUndefined()
})

test('a reset restarts the first state', () => {
  const mock = mockWith({ states: INCIDENT })
  for (let call = 0; call < 3; call++) mock.answer()
  mock.apply({ type: 'reset', now: 5000 })
  expect(stateFor(mock, { now: 5000 })).toBe('healthy')
})

test('a state that is entered by hand starts at that time', () => {
  const mock = mockWith({ states: INCIDENT })
  mock.apply({ type: 'enter', position: { state: 'down', sinceMs: 3000, calls: 0 } })
  expect([3, 12.999, 13].map((second) => stateFor(mock, { now: second * 1000 }))).toEqual([
    'down',
    'down',
    'recovering',
  ])
})

test('reading the state does not move it', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 20 })
  fc.assert(
    fc.property(gaps, (waits) => {
      const looking = mockWith({ states: INCIDENT })
      const blind = mockWith({ states: INCIDENT })
      let now = 0
      for (const wait of waits) {
        now += wait
        const seen = looking.state.positionAt(looking.scenario.states!, now, '').state
        expect(stateFor(looking, { now })).toBe(seen)
        expect(stateFor(blind, { now })).toBe(seen)
      }
    }),
    { numRuns: 100 },
  )
})
