/** The sums of `--tokens-file`, and the difference of two runs. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import { describeTokenChanges, parseRunTokens, type RunTokens, TokenSums } from '../../../src/core/report/token-sums.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock } from '../../../src/index.ts'
import { call } from '../../support/call.ts'

type Given = Partial<JournalEntry> & { readonly prompt?: number; readonly completion?: number; readonly usd?: number }

const used = ({ prompt = 100, completion = 10, usd, ...entry }: Given): JournalEntry =>
  ({
    method: 'POST',
    endpoint: 'chat',
    status: 200,
    model: 'gpt-4o',
    usage: { promptTokens: prompt, completionTokens: completion, ...(usd !== undefined && { usd }) },
    ...entry,
  }) as JournalEntry

function sumOf(...calls: readonly Given[]): RunTokens {
  const sums = new TokenSums()
  for (const one of calls) sums.add(used(one))
  return sums.tokens
}

test('calls are summed by session, those without one together, in any order', () => {
  const calls: Given[] = [
    { session: 'b', usd: 0.1 },
    { session: 'a', usd: 0.2, cache: { cachedTokens: 64, cacheWriteTokens: 0 } },
    { usd: 0.3, usage: { promptTokens: 5, completionTokens: 70, reasoningTokens: 64, usd: 0.3 } },
    { session: 'a', usd: 0.1 },
    { session: '__proto__', usd: 0.1 },
  ]
  const tokens = sumOf(...calls)
  expect(JSON.stringify(sumOf(...calls.toReversed()))).toBe(JSON.stringify(tokens))
  const one = { calls: 1, promptTokens: 100, completionTokens: 10, cachedTokens: 0, reasoningTokens: 0, usd: 0.1 }
  expect(tokens.total).toEqual({
    ...one,
    calls: 5,
    promptTokens: 405,
    completionTokens: 110,
    cachedTokens: 64,
    reasoningTokens: 64,
    usd: 0.8,
  })
  expect(tokens.withoutSession).toEqual({
    ...one,
    promptTokens: 5,
    completionTokens: 70,
    reasoningTokens: 64,
    usd: 0.3,
  })
  expect(Object.entries(tokens.sessions)).toEqual([
    ['__proto__', one],
    ['a', { ...one, calls: 2, promptTokens: 200, completionTokens: 20, cachedTokens: 64, usd: 0.3 }],
    ['b', one],
  ])
  expect(parseRunTokens(JSON.stringify(tokens))).toEqual(tokens)
})

test('models without a price and recorded answers without usage are named, and refused calls are left out', () => {
  const { total } = sumOf(
    { usd: 0.1 },
    { model: 'ours' },
    { model: 'echo-1' },
    { model: 'ours' },
    { usage: undefined },
    { usage: undefined, status: 429 },
  )
  expect(total).toMatchObject({ calls: 4, withoutPrice: ['echo-1', 'ours'], withoutUsage: 1 })
  expect(total).not.toHaveProperty('usd')
})

test('the difference has the largest change first, and only what has changed', () => {
  const before = sumOf(
    { session: 'checkout.test.ts', prompt: 1200, usd: 0.01 },
    { session: 'same', usd: 0.01 },
    { session: 'old', prompt: 20, usd: 0.01 },
    { session: 'tiny', prompt: 100_000, usd: 0.01 },
  )
  const after = sumOf(
    { session: 'tiny', prompt: 100_004, usd: 0.01 },
    { session: 'same', usd: 0.01 },
    { session: 'checkout.test.ts', prompt: 1656, usd: 0.01 },
    { session: 'new', prompt: 200, completion: 0, model: 'echo-1' },
  )
  expect(describeTokenChanges(before, after)).toEqual([
    'all calls: +1 % prompt tokens (101,320 to 101,960), -25 % completion tokens (40 to 30), cost ($0.04 to not known)',
    'checkout.test.ts: +38 % prompt tokens (1,200 to 1,656)',
    'new: new, 1 call, 200 prompt tokens, 0 completion tokens, no price for echo-1',
    'old: gone, had 1 call, 20 prompt tokens, 10 completion tokens, $0.01',
    'tiny: prompt tokens (100,000 to 100,004)',
  ])
  expect(describeTokenChanges(before, before)).toEqual([])
})

test('with a single session, its change is not repeated for all calls', () => {
  expect(describeTokenChanges(sumOf({ prompt: 100 }), sumOf({ prompt: 50 }))).toEqual([
    'calls without a session: -50 % prompt tokens (100 to 50)',
  ])
})

test('the same tokens at another price are a change', () => {
  const [before, after] = [sumOf({ session: 'a', usd: 0.01 }), sumOf({ session: 'a', usd: 0.025 })]
  expect(describeTokenChanges(before, after)).toEqual(['a: +150 % cost ($0.01 to $0.025)'])
})

test.each(['', '{', '[]', '"x"', '{"sessions":{}}', '{"total":{},"withoutSession":{},"sessions":{}}'])(
  '%j is not a file of tokens',
  (text) => {
    expect(parseRunTokens(text)).toBeUndefined()
  },
)

test('the journal says how many tokens of an answer are reasoning', () => {
  const mock = createMock('openai')
  for (const model of ['gpt-5.2', 'gpt-4o']) {
    const messages = [{ role: 'user', content: 'hello' }]
    const body = model === 'gpt-4o' ? { model, messages } : { model, messages, reasoning_effort: 'high' }
    engineOf(mock)
      .begin(call({ body, now: mock.clock.now() }))
      .end('complete')
  }
  const [reasoning, plain] = mock.calls()
  expect(reasoning?.usage?.reasoningTokens).toBeGreaterThan(0)
  expect(reasoning?.usage?.reasoningTokens).toBeLessThan(reasoning!.usage!.completionTokens)
  expect(plain?.usage).not.toHaveProperty('reasoningTokens')
})
