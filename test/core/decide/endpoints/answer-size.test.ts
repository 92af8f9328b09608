/** The bound on an answer: sizes are known to the byte before an answer is built, and a larger one is refused. */
import { expect, test } from 'vitest'
import { decide } from '../../../../src/core/decide/pipeline/decide.ts'
import { countUtf8 } from '../../../../src/core/lib/text/bytes.ts'
import { statusOf } from '../../../../src/core/protocol/plan/plan.ts'
import { sendsOf } from '../../../../src/core/protocol/plan/transform.ts'
import { lengthOfLogprob } from '../../../../src/core/protocol/turn/logprobs.ts'
import { type CallOverrides, mockWith, read } from '../../../support/core.ts'

const MIXED = 'Hello "you", naïve 日本語 👩‍👩‍👧 \ud800 \n \u0001 𓀀. '
const chat = (more: object, words = 40): CallOverrides => ({
  body: { model: 'gpt-4o', messages: [{ role: 'user', content: MIXED.repeat(words) }], ...more },
})
const LOGPROBS = { logprobs: true, top_logprobs: 20 }
const embeddings = (more: object): CallOverrides => ({
  path: '/v1/embeddings',
  body: { model: 'hash-1', input: Array.from({ length: 20 }, (_, index) => `text ${index}`), ...more },
})
const responses = (more: object, words = 40): CallOverrides => ({
  path: '/v1/responses',
  body: { model: 'gpt-4o', input: MIXED.repeat(words), instructions: MIXED, ...more },
})
const OPEN = { include: ['message.output_text.logprobs'], top_logprobs: 20 }
const OBFUSCATED = { stream: true, stream_options: { include_obfuscation: true } }
const FUNCTION = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false }
const TOOL = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }

const CALLS: Readonly<Record<string, CallOverrides>> = {
  'a text': chat({}),
  'a short text': chat({}, 1),
  'many choices': chat({ n: 20 }),
  logprobs: chat({ n: 3, ...LOGPROBS }),
  'logprobs without alternatives': chat({ logprobs: true }),
  'a stream': chat({ stream: true, stream_options: { include_usage: true } }),
  'a short stream': chat({ stream: true, n: 2 }, 1),
  'a stream of many choices with logprobs': chat({ stream: true, n: 12, ...LOGPROBS }, 10),
  'an obfuscated stream': chat({ stream: true, n: 2, stream_options: { include_obfuscation: true } }),
  'calls in many choices': chat({ n: 128, tools: [TOOL], tool_choice: 'required' }),
  'a stream of calls in many choices': chat({ n: 128, stream: true, tools: [TOOL], tool_choice: 'required' }),
  'a response': responses({}),
  'a response with logprobs': responses(OPEN),
  'a streamed response': responses({ stream: true }),
  'a short streamed response': responses({ stream: true }, 1),
  'an obfuscated response': responses(OBFUSCATED),
  'an obfuscated response with logprobs': responses({ ...OBFUSCATED, ...OPEN }),
  'a response with a call': responses({ ...OBFUSCATED, tools: [FUNCTION], tool_choice: 'required' }),
  'embeddings as base64': embeddings({ encoding_format: 'base64' }),
  'embeddings as floats': embeddings({}),
}

test.each(Object.entries(CALLS))('%s may have as many bytes as the limit, and not one more', (_, call) => {
  const sized = read(mockWith().plan(call))
  expect(sized.status).toBe(200)
  const bytes = Buffer.byteLength(sized.text)
  expect(read(mockWith({}, bytes).plan(call))).toEqual(sized)
  const refused = read(mockWith({}, bytes - 1).plan(call))
  expect(refused.status).toBe(400)
  const { code, message } = JSON.parse(refused.text).error
  expect(code).toBe('mock_answer_too_large')
  expect(message).toContain(`at most ${bytes - 1}.`)
})

test.each(Object.entries(CALLS))('%s has events that know their size', (_, call) => {
  for (const { data, byteLength } of sendsOf(mockWith().plan(call))) {
    if (byteLength !== undefined) expect(byteLength).toBe(Buffer.byteLength(data as string))
  }
})

test('a refused answer uses no tokens and no turn of a sequence', () => {
  const mock = mockWith({ replies: [{ say: ['x'.repeat(10_000), 'short'] }] }, 5000)
  const { usage, effects } = decide(mock.context())
  expect(usage).toBeUndefined()
  expect(effects).not.toContainEqual(expect.objectContaining({ type: 'count' }))
})

test.each(['float', 'base64'])('a full batch of the largest vectors is answered by default, as %s', (encoding) => {
  const call = { path: '/v1/embeddings', body: { model: 'hash-1', input: Array(2048).fill('a'), dimensions: 3072 } }
  const plan = mockWith({ models: { 'hash-1': { dimensions: 3072 } } }).plan({
    ...call,
    body: { ...call.body, encoding_format: encoding },
  })
  expect(statusOf(plan)).toBe(200)
  const { byteLength, parts = [] } = sendsOf(plan)[0]!
  let bytes = 0
  for (const part of parts) bytes += part.length
  expect(byteLength).toBe(bytes)
  expect(bytes).toBeGreaterThan(30_000_000)
})

test.each(['float', 'base64'])(
  'a list of embeddings is the same, built before or while it is sent, as %s',
  (encoding) => {
    const inputs = Array.from({ length: 100 }, (_, index) => `text ${index}`)
    const listOf = (input: readonly string[]): { embedding: unknown }[] => {
      const call = { path: '/v1/embeddings', body: { model: 'hash-1', input, encoding_format: encoding } }
      return JSON.parse(read(mockWith().plan(call)).text).data
    }
    const long = listOf(inputs)
    expect(long.map(({ embedding }) => embedding)).toEqual(inputs.map((text) => listOf([text])[0]!.embedding))
  },
)

test.each(['an obfuscated stream', 'an obfuscated response with logprobs'])(
  'the events of %s are the same, whatever the order they are read in',
  (name) => {
    const sends = sendsOf(mockWith().plan(CALLS[name]))
    const backwards = sends.toReversed().map(({ data }) => data)
    expect(backwards.toReversed()).toEqual(sends.map(({ data }) => data))
  },
)

test('the length of a logprob is that of its decimals', () => {
  for (const digits of [13_862_944, 210_444_000, 20_000_000, 99_999_999, 100_000_000, 10_000_001, 138_600_000]) {
    expect(lengthOfLogprob(-digits)).toBe(String(-digits / 1e7).length)
  }
})

test.each(['', 'abc', 'naïve', '日本語', '👩‍👩‍👧', '\ud800', 'a\udc00\ud800b', '\ud83d\ud83d\ude00'])(
  '%j has as many bytes as TextEncoder writes',
  (text) => {
    const { length } = new TextEncoder().encode(text)
    expect(countUtf8(text)).toBe(length)
  },
)
