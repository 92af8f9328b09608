/** The content of chat answers beside plain text: refusals, logprobs and finish reasons. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScenarioSource } from '../../../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, chunksIn, mockWith } from '../../../../support/core.ts'

const ask = (content: string, more: object = {}): CallOverrides => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
type Json = any
const chunks = (call: CallOverrides, mock = mockWith()): Json[] => chunksIn(mock.answer(call).text)
const stream = { stream: true }
const FUNCTION = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }

// Refusals and finish reasons

test('a refusal has its own field, whole and streamed', () => {
  const mock = mockWith({ replies: [{ refuse: 'Not about {{user}}.' }] })
  expect(mock.json(ask('ducks')).choices[0]).toMatchObject({
    message: { content: null, refusal: 'Not about ducks.' },
    finish_reason: 'stop',
  })
  const deltas = chunks(ask('ducks', stream), mock).map(({ choices }) => choices[0].delta)
  expect(deltas[0]).toEqual({ role: 'assistant', content: null, refusal: '' })
  expect(deltas.map(({ refusal = '' }) => refusal).join('')).toBe('Not about ducks.')
})

test.each(['content_filter', 'length'] as const)('a scenario may end a text with %s', (finish) => {
  const mock = mockWith({ replies: [{ say: 'It begins with', finish }] })
  expect(mock.json(ask('Tell me')).choices[0]).toMatchObject({
    message: { content: 'It begins with' },
    finish_reason: finish,
  })
  expect(chunks(ask('Tell me', stream), mock).at(-1).choices[0].finish_reason).toBe(finish)
})

// Logprobs

test('logprobs list the tokens of the text, byte for byte', () => {
  const decoder = new TextDecoder()
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.integer({ min: 0, max: 20 }),
      (text, top_logprobs) => {
        const { choices, usage } = mockWith().json(ask(text, { logprobs: true, top_logprobs }))
        const { content, refusal } = choices[0].logprobs
        expect(refusal).toBeNull()
        expect(decoder.decode(new Uint8Array(content.flatMap(({ bytes }: Json) => bytes)))).toBe(text)
        expect(content.length).toBe(usage.completion_tokens)
        for (const { token, logprob, bytes, top_logprobs: top } of content) {
          expect(top).toHaveLength(top_logprobs)
          if (top_logprobs === 0) continue
          expect(top[0]).toEqual({ token, logprob, bytes })
          expect(new Set(top.map((one: Json) => one.token)).size).toBe(top.length)
          expect(top.reduce((sum: number, one: Json) => sum + Math.exp(one.logprob), 0)).toBeLessThanOrEqual(1 + 1e-6)
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('each chunk of a stream has its logprobs', () => {
  const call = ask('Hello 🎉 there', { logprobs: true, top_logprobs: 1, ...stream })
  const [role, ...others] = chunks(call).map(({ choices }) => choices[0])
  // As recorded.
  expect(role.logprobs).toEqual({ content: [], refusal: null })
  expect(others.pop().logprobs).toBeNull()
  for (const { delta, logprobs } of others) {
    const bytes = logprobs.content.flatMap((one: Json) => one.bytes)
    expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe(delta.content)
  }
})

test('models with reasoning have no key logprobs unless the request asks for them, nor others that say so', () => {
  const keysOf = (model: object, more: object = {}): boolean[] => {
    const mock = mockWith({ models: { 'echo-1': model } })
    const streamed = chunks(ask('Hi there', { ...more, ...stream }), mock)
    const all = [mock.json(ask('Hi there', more)), ...streamed]
    return [...new Set(all.map(({ choices }) => 'logprobs' in choices[0]))]
  }
  expect(keysOf({})).toEqual([true])
  expect(keysOf({ reasoning: true })).toEqual([false])
  expect(keysOf({ logprobsKey: false })).toEqual([false])
  expect(keysOf({ reasoning: true, logprobsKey: true })).toEqual([true])
  expect(keysOf({ reasoning: true }, { logprobs: true })).toEqual([true])
})

test('of two choices each sends its role and first text, then they take turns, and each has its end', () => {
  const order = chunks(ask('one two three', { n: 2, logprobs: true, ...stream })).map(({ choices: [choice] }) => [
    choice.index,
    choice.finish_reason ?? (choice.delta.role === undefined ? choice.delta.content : 'role'),
  ])
  // As recorded.
  expect(order).toEqual([
    [0, 'role'],
    [0, 'one'],
    [1, 'role'],
    [1, 'one'],
    [0, ' two'],
    [1, ' two'],
    [0, ' three'],
    [1, ' three'],
    [0, 'stop'],
    [1, 'stop'],
  ])
})

test('logprobs are pinned, and absent unless the request asks for them', () => {
  expect(mockWith().json(ask('Hi')).choices[0].logprobs).toBeNull()
  expect(mockWith().json(ask('Hi', { logprobs: true, top_logprobs: 2 })).choices[0].logprobs).toMatchInlineSnapshot(`
    {
      "content": [
        {
          "bytes": [
            72,
            105,
          ],
          "logprob": -0.6931472,
          "token": "Hi",
          "top_logprobs": [
            {
              "bytes": [
                72,
                105,
              ],
              "logprob": -0.6931472,
              "token": "Hi",
            },
            {
              "bytes": [
                32,
                97,
                115,
              ],
              "logprob": -1.492489,
              "token": " as",
            },
          ],
        },
      ],
      "refusal": null,
    }
  `)
})

test('a refusal has its logprobs in the field refusal', () => {
  const mock = mockWith({ replies: [{ refuse: 'No.' }] })
  const { logprobs } = mock.json(ask('Do it', { logprobs: true })).choices[0]
  expect([logprobs.content, logprobs.refusal.length]).toEqual([null, 2])
})

// What is charged

const reasoning = { models: { 'echo-1': { reasoning: true } } }

/** The reasoning tokens of 200 questions. */
const thoughts = (body: object, model: object = {}): number[] =>
  Array.from({ length: 200 }, (_, index) => {
    const mock = mockWith({ models: { 'echo-1': { reasoning: true, ...model } } })
    const { usage } = mock.json(ask(`Why ${index}?`, body))
    return usage.completion_tokens_details.reasoning_tokens
  })
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

test('thinking comes in blocks of 64 tokens, more for a higher effort', () => {
  const efforts = ['low', 'medium', 'high', 'xhigh', 'max'].map((reasoning_effort) => thoughts({ reasoning_effort }))
  for (const all of efforts) for (const tokens of all) expect(tokens % 64).toBe(0)
  const sums = efforts.map(sum)
  expect(sums).toEqual([...sums].sort((a, b) => a - b))
  expect(new Set(sums).size).toBe(5)
  for (const reasoning_effort of ['none', 'minimal']) expect(sum(thoughts({ reasoning_effort }))).toBe(0)
})

test('without an effort the model has its own, or medium', () => {
  expect(sum(thoughts({}, { effort: 'none' }))).toBe(0)
  expect(sum(thoughts({ reasoning_effort: 'medium' }, { effort: 'none' }))).toBeGreaterThan(0)
  expect([...new Set(thoughts({}))].sort((a, b) => a - b)).toEqual([0, 64, 128, 192])
})

test('at effort medium, 9 of 9 recorded caps of 50 tokens, 4 of 12 of 100 and 0 of 22 of 500 leave no answer', () => {
  const shareOver = (cap: number): number => thoughts({}).filter((tokens) => tokens >= cap).length / 200
  expect(shareOver(50)).toBeGreaterThan(0.8)
  expect(Math.abs(shareOver(100) - 4 / 12)).toBeLessThan(0.15)
  expect(shareOver(500)).toBe(0)
})

test('thinking that does not fit the cap leaves no text and no call: 200, length', () => {
  const calls: readonly [object, Partial<ScenarioSource>][] = [
    [{}, {}],
    [{ tools: [FUNCTION], tool_choice: 'required' }, {}],
    [{}, { replies: [{ refuse: 'No.' }] }],
  ]
  const judge = fc.property(fc.nat(1000), fc.integer({ min: 2, max: 200 }), fc.constantFrom(...calls), (...drawn) => {
    const [place, max_completion_tokens, [more, source]] = drawn
    const mock = mockWith({ ...reasoning, ...source })
    const request = { max_completion_tokens, ...more }
    const { choices, usage } = mock.json(ask(`Why ${place}?`, request))
    const tokens = usage.completion_tokens_details.reasoning_tokens
    expect(usage.completion_tokens).toBeLessThanOrEqual(max_completion_tokens)
    if (tokens % 64 === 0 && tokens < max_completion_tokens) return
    expect([tokens, usage.completion_tokens]).toEqual([max_completion_tokens, max_completion_tokens])
    const message = { role: 'assistant', content: '', refusal: null, annotations: [] }
    expect(choices).toEqual([{ index: 0, message, finish_reason: 'length' }])
    const streamed = chunks(ask(`Why ${place}?`, { ...request, ...stream }), mock)
    expect(streamed.at(-1).choices[0].delta).toEqual({})
  })
  fc.assert(judge)
})

test('a reasoning model refuses a cap of one token, and others take it', () => {
  const answer = mockWith(reasoning).answer(ask('Hi', { max_completion_tokens: 1 }))
  const message =
    'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.'
  expect([answer.status, JSON.parse(answer.text).error]).toEqual([
    400,
    { message, type: 'invalid_request_error', param: null, code: null },
  ])
  expect(mockWith(reasoning).answer(ask('Hi', { max_completion_tokens: 4, reasoning_effort: 'none' })).status).toBe(200)
  expect(mockWith().answer(ask('Hi', { max_completion_tokens: 1 })).status).toBe(200)
})

test('the part of a prediction that the answer contains is accepted; the rest counts as completion', () => {
  const usageFor = (content: string) =>
    mockWith().json(ask('let a = 1\nlet b = 2\n', { prediction: { type: 'content', content } })).usage
  const same = usageFor('let a = 1\nlet b = 2\n')
  expect(same.completion_tokens_details).toMatchObject({ rejected_prediction_tokens: 0 })
  expect(same.completion_tokens_details.accepted_prediction_tokens).toBe(same.completion_tokens)
  const other = usageFor('let a = 1\nlet unknown = 3\n')
  const { accepted_prediction_tokens: accepted, rejected_prediction_tokens: rejected } = other.completion_tokens_details
  expect([accepted > 0, rejected > 0]).toEqual([true, true])
  expect(other.completion_tokens).toBe(same.completion_tokens + rejected)
})

test('parameters that the mock ignores are accepted', () => {
  const more = {
    seed: 5,
    user: 'u-1',
    store: true,
    metadata: { run: '7' },
    logit_bias: { 50256: -100 },
    safety_identifier: 's',
    prompt_cache_key: 'k',
    verbosity: 'low',
    modalities: ['text'],
  }
  const plan = mockWith({ validation: 'strict' }).plan(ask('Hi', more))
  expect([plan.reason.by, plan.notes]).toEqual(['echo', []])
})

test('the fingerprint names the configuration: one for a model and seed, null for a reasoning model', () => {
  const fingerprints = ['a', 'b'].map((text) => mockWith().json(ask(text)).system_fingerprint)
  expect(fingerprints[0]).toMatch(/^fp_[0-9a-f]{10}$/)
  expect(fingerprints[1]).toBe(fingerprints[0])
  expect(mockWith({ seed: 8 }).json(ask('a')).system_fingerprint).not.toBe(fingerprints[0])
  expect(mockWith(reasoning).json(ask('a')).system_fingerprint).toBeNull()
  const model = (settings: object) => mockWith({ models: { 'echo-1': settings } }).json(ask('a')).system_fingerprint
  expect(model({ reasoning: true, fingerprint: true })).toBe(fingerprints[0])
  expect(model({ fingerprint: false })).toBeNull()
})
