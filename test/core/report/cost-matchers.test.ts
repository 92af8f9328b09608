/** The matchers of cost and tokens: bounds, sums, and messages with the dearest calls. */
import { expect, test } from 'vitest'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock, type MockOptions, type ScenarioInput } from '../../../src/index.ts'
import { matchers } from '../../../src/testing/mock-matchers.ts'
import { call } from '../../support/call.ts'

const { toCost, toUseTokens } = matchers
const PRICES = { input: 1000, output: 2000 }
const SCENARIO: ScenarioInput = {
  replies: [{ when: { user: 'hello' }, say: 'hi' }],
  models: { dear: { endpoint: 'chat', prices: PRICES }, cheap: { endpoint: 'chat', prices: { input: 1, output: 2 } } },
}

function mockWithCalls(models: readonly string[], scenario = SCENARIO, options?: MockOptions) {
  const mock = createMock(scenario, options)
  for (const model of models) {
    const body = { model, messages: [{ role: 'user', content: 'hello' }] }
    engineOf(mock)
      .begin(call({ body, now: mock.clock.now() }))
      .end('complete')
  }
  return mock
}

test('a bound has a sign, and its thousands may be separated', () => {
  const mock = mockWithCalls(['dear'])
  const [{ usage } = {}] = mock.calls()
  const tokens = usage!.promptTokens + usage!.completionTokens
  const passes = (bound: string): boolean => toUseTokens(mock, bound).pass
  expect(passes(`< ${tokens}`)).toBe(false)
  expect(passes(`<=${tokens}`)).toBe(true)
  for (const many of ['< 4000', '< 4,000', '< 4 000', '< 4_000', ' <4,000 ', '< 4,000,000'])
    expect(passes(many)).toBe(true)
  expect(toCost(mock, `<= $${usage!.usd}`).pass).toBe(true)
  expect(toCost(mock, `< $${usage!.usd}`).pass).toBe(false)
  expect(toCost(mock, '< $1,000.5').pass).toBe(true)
})

test.each(['', '4000', '= 4', '< 4,00', '< 4.5', '< $4', '< -1', '4 to 5', '> 4', '< 4k'])(
  'toUseTokens refuses the bound %j',
  (bound) => {
    expect(() => toUseTokens(mockWithCalls([]), bound)).toThrow(
      "toUseTokens: expected a whole number of tokens with < or <=, such as '< 4,000', got ",
    )
  },
)

test.each(['< 0.02', '$0.02', '< $', '< $.5', '$1 to $2', '> $1', 0.02 as unknown as string])(
  'toCost refuses the bound %j',
  (bound) => {
    expect(() => toCost(mockWithCalls([]), bound)).toThrow(
      "toCost: expected an amount in US dollars with < or <=, such as '< $0.02', got ",
    )
  },
)

test('a failure shows the cost of each model and the dearest calls', () => {
  const mock = mockWithCalls(['cheap', 'dear', 'cheap'])
  expect(toCost(mock, '< $0.001').message()).toMatchInlineSnapshot(`
    "Expected the calls to cost < $0.001, got $0.01002 in 3 calls:
      cheap: 2 calls, 16 prompt tokens, 2 completion tokens, $0.00002
      dear: 1 call, 8 prompt tokens, 1 completion token, $0.01
    The dearest calls are
      #2 POST /v1/chat/completions 'hello' -> 200 reply replies[0]: 8 prompt tokens, 1 completion token, $0.01
      #1 POST /v1/chat/completions 'hello' -> 200 reply replies[0]: 8 prompt tokens, 1 completion token, $0.00001
      #3 POST /v1/chat/completions 'hello' -> 200 reply replies[0]: 8 prompt tokens, 1 completion token, $0.00001"
  `)
  expect(toUseTokens(mock, '< 5', { model: 'dear' }).message()).toMatchInlineSnapshot(`
    "Expected the calls with model 'dear' to use < 5 tokens, got 9 tokens in 1 call:
      dear: 1 call, 8 prompt tokens, 1 completion token, $0.01
    The largest calls are
      #2 POST /v1/chat/completions 'hello' -> 200 reply replies[0]: 8 prompt tokens, 1 completion token, $0.01"
  `)
})

test('without a price of a model, the cost is unknown', () => {
  const mock = mockWithCalls(['dear', 'free'], { models: { ...SCENARIO.models, free: { endpoint: 'chat' } } })
  expect(() => toCost(mock, '< $9')).toThrow(
    "toCost: there is no price for 'free'. Add it to the scenario, in US dollars for a million tokens: models: { 'free': { prices: { input: 2.5, output: 10 } } }.",
  )
  expect(toCost(mock, '< $9', { model: 'dear' }).pass).toBe(true)
})

test('no calls cost nothing, and a failure asks for the address', () => {
  const mock = mockWithCalls([])
  expect(toCost(mock, '< $0.02').pass).toBe(true)
  expect(toUseTokens(mock, '< 0').message()).toBe(
    'Expected the calls to use < 0 tokens, got 0 tokens in 0 calls. The mock got no calls: does the app call its address?',
  )
})

test('a filter that selects none of the calls is named', () => {
  expect(toUseTokens(mockWithCalls(['dear']), '< 0', { model: 'cheap' }).message()).toBe(
    "Expected the calls with model 'cheap' to use < 0 tokens, got 0 tokens in 0 calls. None of the 1 call of the mock counts here.",
  )
})

test('a journal with dropped calls gives no sum', () => {
  const mock = mockWithCalls(['dear', 'dear', 'dear'], SCENARIO, { journal: { entries: 1 } })
  expect(() => toUseTokens(mock, '< 1')).toThrow('toUseTokens: the journal has dropped 2 calls')
})
