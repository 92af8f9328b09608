/** The content of chat answers beside plain text: refusals, logprobs and finish reasons. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallOverrides, chunksIn, mockWith } from '../../../../support/core.ts'

const ask = (content: string, more: object = {}): CallOverrides => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
type Json = any
const chunks = (call: CallOverrides, mock = mockWith()): Json[] => chunksIn(mock.answer(call).text)
const stream = { stream: true }

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
  for (const { choices } of chunks(call)) {
    const { delta, logprobs } = choices[0]
    if (!delta.content) expect(logprobs).toBeNull()
    else {
      const bytes = logprobs.content.flatMap((one: Json) => one.bytes)
      expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe(delta.content)
    }
  }
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

test('a reasoning model uses reasoning tokens, more for a higher effort', () => {
  const thought = (reasoning_effort: string): number => {
    const { usage } = mockWith(reasoning).json(ask('Why?', { reasoning_effort }))
    const { reasoning_tokens } = usage.completion_tokens_details
    expect(usage.completion_tokens).toBe(2 + reasoning_tokens)
    expect(reasoning_tokens % 64).toBe(0)
    return reasoning_tokens
  }
  expect(['none', 'minimal'].map(thought)).toEqual([0, 0])
  expect(thought('low')).toBeLessThan(thought('high'))
  expect(thought('high')).toBeLessThan(thought('max'))
})

test('reasoning uses at most half of max_tokens, so that there is an answer', () => {
  const { choices, usage } = mockWith(reasoning).json(ask('one two three four five six', { max_completion_tokens: 8 }))
  expect(usage.completion_tokens_details.reasoning_tokens).toBe(4)
  expect(choices[0]).toMatchObject({ message: { content: 'one two three four' }, finish_reason: 'length' })
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

test('images are counted by their detail, audio by its length', () => {
  const promptOf = (...content: object[]): Json =>
    mockWith().json({ body: { model: 'echo-1', messages: [{ role: 'user', content }] } }).usage
  const text = { type: 'text', text: 'What is this?' }
  const image = (detail: string) => ({ type: 'image_url', image_url: { url: 'https://example.com/a.png', detail } })
  const sound = { type: 'input_audio', input_audio: { data: Buffer.alloc(48_000).toString('base64'), format: 'wav' } }
  const plain = promptOf(text).prompt_tokens
  expect(promptOf(text, image('low')).prompt_tokens - plain).toBe(85)
  expect(promptOf(text, image('high')).prompt_tokens - plain).toBe(765)
  expect(promptOf(text, sound).prompt_tokens_details.audio_tokens).toBe(10)
  expect(promptOf(text, sound).prompt_tokens - plain).toBe(14)
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
})
