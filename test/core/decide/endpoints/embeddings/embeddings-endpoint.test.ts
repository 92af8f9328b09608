/** Embeddings: the list of vectors, its encodings and its usage. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallOverrides, mockWith, tokenizer } from '../../../../support/core.ts'

const embeddings = (more: object): CallOverrides => ({
  path: '/v1/embeddings',
  body: { model: 'hash-1', input: 'Hello there!', ...more },
})

const vectorsOf = (more: object, mock = mockWith()): number[][] =>
  mock.json(embeddings(more)).data.map(({ embedding }: { embedding: number[] }) => embedding)
const vectorOf = (more: object, mock = mockWith()): number[] => vectorsOf(more, mock)[0]!

function decode(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
}

// What node:http and fetch accept as a header's value; they throw at anything else.
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

const norm = (vector: readonly number[]): number => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))

test('one text gives one vector, with its usage', () => {
  const { data, ...rest } = mockWith().json(embeddings({ input: 'Say this is a test' }))
  expect(rest).toEqual({ object: 'list', model: 'hash-1', usage: { prompt_tokens: 5, total_tokens: 5 } })
  expect(data).toEqual([{ object: 'embedding', index: 0, embedding: expect.any(Array) }])
  expect(data[0].embedding).toHaveLength(1536)
})

test('several texts give a vector each, in their order, the same as alone', () => {
  const { data, usage } = mockWith().json(embeddings({ input: ['one', 'two words', 'one'] }))
  expect(data.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2])
  expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
  const [first, second, third] = data.map(({ embedding }: { embedding: number[] }) => embedding)
  expect(third).toEqual(first)
  expect(second).toEqual(vectorOf({ input: 'two words' }))
})

test('base64 holds the same float32s as the list of numbers', () => {
  const floats = vectorOf({ encoding_format: 'float' })
  const { data } = mockWith().json(embeddings({ encoding_format: 'base64' }))
  expect(decode(data[0].embedding)).toEqual(floats.map(Math.fround))
})

test('without an encoding_format the numbers come as a list', () => {
  expect(vectorOf({})).toEqual(vectorOf({ encoding_format: 'float' }))
})

test('a vector of any size has norm 1 within 1e-7', () => {
  for (const dimensions of [1, 2, 3, 64, 256, 1000, 1536]) {
    const vector = vectorOf({ dimensions }).map(Math.fround)
    expect(vector).toHaveLength(dimensions)
    expect(Math.abs(norm(vector) - 1)).toBeLessThan(1e-7)
  }
})

test('every text has a vector of norm 1, even a lone surrogate', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (input) => {
      expect(Math.abs(norm(vectorOf({ input, dimensions: 64 })) - 1)).toBeLessThan(1e-6)
    }),
  )
})

test('token ids have the vector of their text', () => {
  const ids = [13225, 1354, 0]
  const text = tokenizer('o200k_base').decode(ids)
  expect(vectorOf({ input: ids })).toEqual(vectorOf({ input: text }))
  expect(vectorsOf({ input: [ids, ids] })).toEqual(vectorsOf({ input: [text, text] }))
  expect(mockWith().json(embeddings({ input: [ids, ids] })).usage.prompt_tokens).toBe(6)
})

test.each([
  ['hash-1', 199_990, 200_000],
  ['text-embedding-3-small', 100_250, 100_300],
  ['text-embedding-3-small', 199_000, 199_010],
])('token ids that %s does not have are accepted', (model, first, last) => {
  for (let id = first; id <= last; id++) {
    expect(mockWith().answer(embeddings({ model, input: [id] })).status).toBe(200)
  }
})

test('the size is the one of the model: 1536 unless the scenario says otherwise', () => {
  const mock = mockWith({ models: { small: { dimensions: 8 }, usual: {} } })
  expect(vectorOf({ model: 'small' }, mock)).toHaveLength(8)
  expect(vectorOf({ model: 'usual' }, mock)).toHaveLength(1536)
  expect(vectorOf({ model: 'small', dimensions: 4 }, mock)).toHaveLength(4)
})

test.each([0, -1, -1000])('dimensions %d is refused with the message of the service', (dimensions) => {
  expect(mockWith().json(embeddings({ dimensions })).error.message).toBe(
    `${dimensions} is less than the minimum of 1 - 'dimensions'`,
  )
})

test('more dimensions than the model has are refused', () => {
  const { error } = mockWith().json(embeddings({ dimensions: 1537 }))
  expect(error.message).toBe(
    "Invalid value for 'dimensions' = 1537. Must be less than or equal to 1536 for model 'hash-1'.",
  )
})

test('dimensions for a model of one size are refused', () => {
  const mock = mockWith({ models: { 'hash-1': { fixedDimensions: true } } })
  expect(mock.json(embeddings({ dimensions: 5 })).error.message).toBe(
    'This model does not support specifying dimensions.',
  )
  expect(mock.answer(embeddings({ dimensions: null })).status).toBe(200)
})

test.each([
  ['an empty text', ''],
  ['an empty list', []],
  ['an empty text among others', ['a', '']],
  ['an empty list of tokens', [[]]],
  ['texts and tokens together', ['a', [1]]],
  ['tokens and lists of tokens together', [1, [2]]],
])('%s is refused as input', (_, input) => {
  expect(mockWith().json(embeddings({ input })).error).toEqual({
    message: "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    type: 'invalid_request_error',
    param: null,
    code: null,
  })
})

test('2048 inputs are accepted and 2049 are not; token ids do not count as inputs', () => {
  const of = (length: number): string[] => Array.from({ length }, () => 'a')
  expect(mockWith().answer(embeddings({ input: of(2048), dimensions: 1 })).status).toBe(200)
  expect(mockWith().json(embeddings({ input: of(2049) })).error.message).toBe(
    "Invalid 'input': array length must be 2048 or less.",
  )
  expect(mockWith().answer(embeddings({ input: Array(2049).fill(1), dimensions: 1 })).status).toBe(200)
})

test('8192 tokens are accepted and 8193 are not; the input that is too long is named', () => {
  const of = (length: number): number[] => Array(length).fill(1)
  expect(mockWith().answer(embeddings({ input: of(8192), dimensions: 1 })).status).toBe(200)
  expect(mockWith().json(embeddings({ input: of(8193) })).error.message).toBe(
    "Invalid 'input': maximum context length is 8192 tokens.",
  )
  expect(mockWith().json(embeddings({ input: [of(1), of(8193)] })).error.message).toBe(
    "Invalid 'input[1]': maximum input length is 8192 tokens.",
  )
})

test('a text is counted in tokens, not in characters', () => {
  expect(mockWith().answer(embeddings({ input: ' word'.repeat(8192), dimensions: 1 })).status).toBe(200)
  expect(mockWith().answer(embeddings({ input: ' word'.repeat(8193), dimensions: 1 })).status).toBe(400)
})

test('300,000 tokens in total are accepted and one more is not', () => {
  const of = (last: number): number[][] => [
    ...Array.from({ length: 37 }, () => Array(8000).fill(1)),
    Array(last).fill(1),
  ]
  expect(mockWith().answer(embeddings({ input: of(4000), dimensions: 1 })).status).toBe(200)
  expect(mockWith().json(embeddings({ input: of(4001) })).error.message).toBe(
    "Invalid 'input': maximum request size is 300000 tokens per request.",
  )
})

test('the answer and its header have the dated name of the model', () => {
  const mock = mockWith({ models: { 'embed-1': { snapshot: 'embed-1-2026-01-01' } } })
  const { headers, text } = mock.answer(embeddings({ model: 'embed-1' }))
  expect(JSON.parse(text).model).toBe('embed-1-2026-01-01')
  expect(headers['openai-model']).toBe('embed-1-2026-01-01')
})

test.each(['modèle-é', 'модель', '模型', 'model\r\nx-injected: 1', 'model\0', '🦜', '\ud800'])(
  'a model named %j is answered with headers that can be sent',
  (model) => {
    const { status, headers, text } = mockWith().answer(embeddings({ model }))
    expect(status).toBe(200)
    expect(JSON.parse(text).model).toBe(model)
    expect(headers['openai-model'] ?? '').toMatch(SENDABLE)
  },
)

test('another seed, model or text gives another vector; the key and the attempt do not', () => {
  const mock = mockWith()
  const first = vectorOf({}, mock)
  expect(vectorOf({}, mock)).toEqual(first)
  expect(mockWith().json({ ...embeddings({}), key: 'sk-other' }).data[0].embedding).toEqual(first)
  expect(vectorOf({}, mockWith({ seed: 2 }))).not.toEqual(first)
  expect(vectorOf({ model: 'hash-2' })).not.toEqual(first)
  expect(vectorOf({ input: 'Hello there' + '?' })).not.toEqual(first)
})
