/** What a key may use in total: the rules one by one, and any calls against a model that only adds up. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explainCall } from '../../../../src/core/decide/pipeline/explain.ts'
import { type Budget, formatAmount, toNumber } from '../../../../src/core/scenario/compile/budget.ts'
import type { ScenarioSource } from '../../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, HELLO, mockWith, read } from '../../../support/core.ts'
import { LimitedMock, tokensCall } from '../../../support/limits.ts'

const QUOTA =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.'
// HELLO takes 10 tokens, and its echo 3.
const statuses = (source: Partial<ScenarioSource>, calls: readonly CallOverrides[]): number[] => {
  const mock = mockWith(source)
  return calls.map((one) => mock.answer(one).status)
}
const times = (count: number, one: CallOverrides = {}) => Array<CallOverrides>(count).fill(one)

test('a key that has used up its budget gets the 429 of the service for it, without retry-after', () => {
  const mock = mockWith({ budget: { requests: 1 } })
  expect(mock.answer().status).toBe(200)
  const { status, headers, text } = mock.answer()
  expect(status).toBe(429)
  expect(JSON.parse(text)).toEqual({
    error: { message: QUOTA, type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
  })
  expect(Object.keys(headers).filter((name) => name.startsWith('retry-after') || name === 'x-should-retry')).toEqual([])
  expect(headers).toEqual({ ...mockWith().answer({ headers: { 'x-mock-fault': 'quota' } }).headers, ...idsOf(headers) })
})

/** The headers that differ from call to call. */
const idsOf = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'cf-ray', 'openai-processing-ms', 'x-envoy-upstream-service-time'].map((name) => [
      name,
      headers[name]!,
    ]),
  )

test('the call that crosses the budget is answered, and the next one is refused', () => {
  expect(statuses({ budget: { tokens: 14 } }, times(3))).toEqual([200, 200, 429])
  expect(statuses({ budget: { tokens: 13 } }, times(2))).toEqual([200, 429])
})

test('a budget of 0 refuses the first call', () => {
  expect(statuses({ budget: { tokens: 0 } }, times(1))).toEqual([429])
})

test('tokens that were read from the prompt cache cost their own price', () => {
  const prices = { input: 2, cachedInput: 0.5, output: 0 }
  const mock = mockWith({ cache: 'prefixes', budget: { usd: 1 }, models: { 'echo-1': { prices } } })
  const body = { model: 'echo-1', messages: [{ role: 'user', content: 'word '.repeat(1100) }] }
  const { prompt_tokens: prompt } = mock.json({ body }).usage
  mock.plan({ body })
  const picodollars = 2_000_000 * (prompt + (prompt - 1024)) + 500_000 * 1024
  expect(mock.context().session.spent.usd).toBe(BigInt(picodollars))
})

test('a budget does not refill with time, only with a reset', () => {
  const limited = new LimitedMock({ budget: { requests: 1 } })
  limited.call()
  limited.now = 400 * 86_400_000
  expect(limited.call().status).toBe(429)
  limited.mock.reset()
  expect(limited.call().status).toBe(200)
})

test('keys do not share a budget, and a unit that a key has replaces the same unit of the scenario', () => {
  const source = {
    budget: { requests: 2, tokens: 1000 },
    keys: { 'sk-a': {}, 'sk-b': { budget: { requests: 1 } }, 'sk-c': { budget: { tokens: 13 } }, 'sk-d-*': {} },
  }
  const first = (key: string) => statuses(source, times(3, { key }))
  expect(first('sk-a')).toEqual([200, 200, 429])
  expect(first('sk-b')).toEqual([200, 429, 429])
  expect(first('sk-c')).toEqual([200, 429, 429])
  const two = ['sk-d-1', 'sk-d-2', 'sk-d-1', 'sk-d-2', 'sk-d-1'].map((key) => ({ key }))
  expect(statuses(source, two)).toEqual([200, 200, 200, 200, 429])
})

test('embeddings use the budget too', () => {
  expect(statuses({ budget: { tokens: 50 } }, [tokensCall(30), tokensCall(20), tokensCall(1)])).toEqual([200, 200, 429])
})

test('errors, calls without an answer and the list of models cost nothing', () => {
  const free: CallOverrides[] = [
    { body: { ...HELLO, temperature: 9 } },
    { body: '{' },
    { headers: { 'x-mock-fault': 'server-error' } },
    { headers: { 'x-mock-fault': 'hang' } },
    { headers: { 'x-mock-fault': 'reset-before-headers' } },
    { method: 'GET', path: '/v1/models' },
    { method: 'OPTIONS' },
    { path: '/v1/unknown' },
  ]
  expect(statuses({ budget: { requests: 1 } }, [...free, {}, {}])).toEqual([
    ...[400, 400, 500, 0, 0, 200, 204, 404],
    ...[200, 429],
  ])
})

test('a stream that breaks off costs its whole answer, as the service bills it', () => {
  const call = { body: { ...HELLO, stream: true }, headers: { 'x-mock-fault': 'cut; after=1' } }
  expect(statuses({ budget: { tokens: 13 } }, [call, {}])).toEqual([200, 429])
})

test('a call is charged when it is decided, not when it ends', () => {
  const limited = new LimitedMock({ budget: { requests: 1 } })
  const open = limited.begin()
  expect(limited.call().status).toBe(429)
  open.end('client-left')
  expect(limited.call().status).toBe(429)
})

test('with its budget used up, a key still gets the list of models, and the errors that come before', () => {
  const mock = mockWith({ budget: { requests: 0 }, models: { 'echo-1': {} } })
  expect(mock.answer({ method: 'GET', path: '/v1/models' }).status).toBe(200)
  expect(mock.answer({ body: { ...HELLO, model: 'other' } }).status).toBe(404)
  expect(mock.answer({ key: '' }).status).toBe(401)
  expect(mock.answer({ headers: { 'x-mock-fault': '503' } }).status).toBe(503)
  expect(mock.answer({ body: { ...HELLO, temperature: 9 } }).status).toBe(429)
})

test('a call that the budget refuses counts for no limit', () => {
  const limited = new LimitedMock({ budget: { tokens: 0 }, limits: { requests: '5 per day' } })
  expect(limited.call().status).toBe(429)
  expect(limited.look('requests').remaining).toBe(5)
})

const PRICED = { 'echo-1': { prices: { input: 2.5, output: 10 } }, 'hash-1': { prices: { input: 0.02, output: 0 } } }

test('dollars are exact: a thousand calls of 0.000055 dollars use exactly 0.055 dollars', () => {
  const mock = mockWith({ budget: { usd: 0.055 }, models: PRICED })
  // 10 x 2.5 + 3 x 10 dollars for a million tokens.
  for (let call = 0; call < 1000; call++) expect(mock.answer().status).toBe(200)
  expect(mock.answer().status).toBe(429)
  const cheaper = mockWith({ budget: { usd: 0.055001 }, models: PRICED })
  for (let call = 0; call < 1001; call++) expect(cheaper.answer().status).toBe(200)
  expect(cheaper.answer().status).toBe(429)
})

test('input from the prompt cache costs its own price', () => {
  const prices = { input: 10, cachedInput: 1, output: 0 }
  const mock = mockWith({ cache: 'prefixes', budget: { usd: 1 }, models: { 'gpt-4o': { prices } } })
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'word '.repeat(1500) }] }
  const details = [1, 2].map(() => mock.json({ body }).usage)
  expect(details.map(({ prompt_tokens_details }) => prompt_tokens_details.cached_tokens)).toEqual([0, 1408])
  const [{ prompt_tokens: prompt }] = details
  const microdollars = BigInt(10 * prompt + 10 * (prompt - 1408) + 1408)
  expect(mock.context().session.spent.usd).toBe(microdollars * 1_000_000n)
})

test('the journal names the budget and says how much was used', () => {
  const limited = new LimitedMock({ budget: { usd: 0.00005 }, models: PRICED, keys: { 'sk-test': {} } })
  limited.call()
  limited.call()
  expect(limited.mock.journal[1]).toMatchObject({
    status: 429,
    reason: { by: 'limit', name: 'budget.usd' },
    limit: 'budget.usd',
    notes: ['the budget of $0.00005 is used up ($0.000055); only a reset refills it'],
  })
  expect(limited.mock.calls({ limit: 'budget.*' })).toHaveLength(1)
})

test('usage counts the calls that each budget refused, and limits show what each key has used', () => {
  const limited = new LimitedMock({
    budget: { tokens: 13 },
    keys: { 'sk-test': {}, 'sk-own': { budget: { requests: 1 } } },
  })
  for (const key of ['sk-test', 'sk-test', 'sk-own', 'sk-own', 'sk-own']) limited.call({ key })
  expect(limited.mock.usage).toEqual([
    { kind: 'limit', ruleId: 'keys["sk****wn"].budget.requests', count: 2 },
    { kind: 'limit', ruleId: 'budget.tokens', count: 1 },
  ])
  expect(limited.mock.limitUsage.map(({ limits }) => limits)).toEqual([
    [{ kind: 'budget.tokens', limit: 13, used: 13 }],
    [
      { kind: 'budget.requests', limit: 1, used: 1 },
      { kind: 'budget.tokens', limit: 13, used: 13 },
    ],
  ])
})

test('an explanation names the budget that refuses, and what is left of the others', () => {
  const mock = mockWith({ budget: { requests: 1, tokens: 100 } })
  expect(explainCall(mock.context()).passedOver).toEqual([
    { kind: 'limit', id: 'budget.requests', why: '1 request of 1 request left' },
    { kind: 'limit', id: 'budget.tokens', why: '100 tokens of 100 tokens left' },
  ])
  mock.answer()
  const { status, limit, passedOver } = explainCall(mock.context())
  expect({ status, limit, passedOver }).toEqual({
    status: 429,
    limit: 'budget.requests',
    passedOver: [{ kind: 'limit', id: 'budget.tokens', why: '87 tokens of 100 tokens left' }],
  })
})

test('a recorded answer costs what its usage says, and by estimate where it says nothing', () => {
  const body = JSON.stringify({ usage: { prompt_tokens: 70, completion_tokens: 30 } })
  expect(statuses({ budget: { tokens: 101 }, replies: [{ answer: { body } }] }, times(3))).toEqual([200, 200, 429])
  expect(statuses({ budget: { tokens: 100 }, replies: [{ answer: { body } }] }, times(2))).toEqual([200, 429])
  const silent = { budget: { tokens: 1 }, replies: [{ answer: { body: '{}' } }] }
  expect(statuses(silent, times(2))).toEqual([200, 429])
  expect(statuses({ ...silent, limits: { requests: '5 per minute' } }, times(2))).toEqual([200, 429])
  const failed = { answer: { status: 500, body: '{}' } }
  expect(statuses({ budget: { requests: 1 }, replies: [failed] }, times(2))).toEqual([500, 500])
})

test('amounts are written as people write them', () => {
  const DOLLAR = 10n ** 12n
  expect([0n, 1n, 50n * 10n ** 10n, DOLLAR / 3n, 12_345n * DOLLAR].map((one) => formatAmount('usd', one))).toEqual([
    '$0.00',
    '$0.000000000001',
    '$0.50',
    '$0.333333333333',
    '$12345.00',
  ])
  expect(['requests', 'tokens'].map((unit) => formatAmount(unit as keyof Budget, 1n))).toEqual(['1 request', '1 token'])
  expect(toNumber('usd', DOLLAR / 8n)).toBe(0.125)
})

// Any calls against a model that adds up the usage of the same calls without a budget.

/** A decimal number as a fraction: its digits, over a power of ten. Not how the mock computes it. */
function fraction(value: number): { readonly digits: bigint; readonly scale: bigint } {
  const [whole = '', decimals = ''] = value.toFixed(9).split('.')
  return { digits: BigInt(whole + decimals), scale: 10n ** BigInt(decimals.length) }
}

const price = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000_000 })).map((micro) => micro / 1_000_000)
const prices = fc.record({ input: price, output: price })
const budget = fc.record(
  {
    requests: fc.integer({ min: 0, max: 12 }),
    tokens: fc.integer({ min: 0, max: 200 }),
    usd: fc.integer({ min: 0, max: 4000 }).map((micro) => micro / 1_000_000),
  },
  { requiredKeys: [] },
)
const anyCall = fc
  .record({
    key: fc.constantFrom('sk-a', 'sk-b', 'sk-wrong'),
    kind: fc.constantFrom('chat', 'stream', 'embeddings', 'models', 'invalid'),
    words: fc.integer({ min: 1, max: 20 }),
    n: fc.constantFrom(1, 1, 3),
    fault: fc.constantFrom(undefined, undefined, undefined, '500', 'hang', 'cut', 'refusal', 'bandwidth'),
  })
  .map(({ key, kind, words, n, fault }): CallOverrides => {
    const common = { key, ...(fault !== undefined && { headers: { 'x-mock-fault': fault } }) }
    if (kind === 'models') return { ...common, method: 'GET', path: '/v1/models' }
    if (kind === 'embeddings') return { ...common, ...tokensCall(words) }
    const body = { model: 'echo-1', messages: [{ role: 'user', content: 'word '.repeat(words) }], n }
    if (kind === 'invalid') return { ...common, body: { ...body, temperature: 9 } }
    const stream = { stream: true, stream_options: { include_usage: true } }
    return { ...common, body: kind === 'chat' ? body : { ...body, ...stream } }
  })

test('for any budgets, prices and calls, exactly the calls after the end of a budget are refused, and no other byte changes', () => {
  fc.assert(
    fc.property(
      budget,
      fc.option(budget, { nil: undefined }),
      fc.record({ 'echo-1': prices, 'hash-1': prices }),
      fc.array(anyCall, { maxLength: 25 }),
      (ofAll, ofB, priceOf, calls) => {
        const models = Object.fromEntries(Object.entries(priceOf).map(([name, one]) => [name, { prices: one }]))
        const free = mockWith({ keys: { 'sk-a': {}, 'sk-b': {} }, models })
        const mock = mockWith({ budget: ofAll, keys: { 'sk-a': {}, 'sk-b': { budget: ofB } }, models })
        const budgets: Record<string, typeof ofAll> = { 'sk-a': ofAll, 'sk-b': { ...ofAll, ...ofB } }
        const answered: { key: string; prompt: number; completion: number; model: 'echo-1' | 'hash-1' }[] = []
        for (const one of calls) {
          const context = free.context(one)
          const plan = free.plan(one)
          const expected = read(plan)
          const { requests, tokens, usd } = budgets[one.key!] ?? {}
          const own = answered.filter(({ key }) => key === one.key)
          const isOver =
            (requests !== undefined && own.length >= requests) ||
            (tokens !== undefined &&
              own.reduce((sum, { prompt, completion }) => sum + prompt + completion, 0) >= tokens) ||
            (usd !== undefined && isSpent(usd, own, priceOf))
          // The budget is checked where the limits are: after the key and faults that replace the answer.
          const isChecked = one.method !== 'GET' && one.key !== 'sk-wrong' && one.headers?.['x-mock-fault'] !== '500'
          const got = mock.answer(one)
          if (isOver && isChecked) {
            expect([429, 0]).toContain(got.status)
            if (got.status === 429 && plan.events.at(-1)?.type === 'end')
              expect(got.text).toContain('insufficient_quota')
            continue
          }
          expect(got).toEqual(expected)
          if (one.method === 'GET' || expected.status !== 200) continue
          // A broken stream may lack the usage that it costs all the same.
          const { prompt_tokens: prompt, completion_tokens: completion = 0 } = usageIn(
            read(mockWith({ models }).plan({ ...one, headers: {}, key: 'sk-a' })).text,
          )
          const refused = one.headers?.['x-mock-fault'] === 'refusal'
          const counted = refused ? usageIn(expected.text).completion_tokens! : completion
          answered.push({ key: one.key!, prompt, completion: counted, model: context.request.model as 'echo-1' })
        }
      },
    ),
    { numRuns: 300 },
  )
})

function usageIn(text: string): { prompt_tokens: number; completion_tokens?: number } {
  const numbers = (name: string) => [...text.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].at(-1)?.[1]
  const completion = numbers('completion_tokens')
  return {
    prompt_tokens: Number(numbers('prompt_tokens')),
    ...(completion !== undefined && { completion_tokens: Number(completion) }),
  }
}

/** Whether the answered calls cost as much as the budget: both sides as fractions, multiplied out. */
function isSpent(
  usd: number,
  answered: readonly { prompt: number; completion: number; model: 'echo-1' | 'hash-1' }[],
  priceOf: Readonly<Record<'echo-1' | 'hash-1', { input: number; output: number }>>,
): boolean {
  const limit = fraction(usd)
  let cost = 0n
  for (const { prompt, completion, model } of answered) {
    cost += BigInt(prompt) * fraction(priceOf[model].input).digits
    cost += BigInt(completion) * fraction(priceOf[model].output).digits
  }
  return cost >= limit.digits * 1_000_000n
}
