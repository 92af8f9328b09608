/** Embeddings of token ids. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mockWith, tokenizer } from '../support/core.ts'
import { jsonOf, send } from '../support/send.ts'
import { stillMock, transports } from '../support/transports.ts'
import { contractCall } from './calls.ts'

const MODELS = ['text-embedding-3-small', 'text-embedding-ada-002', 'hash-1']
const embedding = (model: string, input: unknown, dimensions = 8) => ({
  path: '/v1/embeddings',
  body: { model, input, dimensions },
})

test.each(MODELS)('%s answers any list of token ids; unknown ids decode to no text', (model) => {
  const mock = mockWith()
  const id = fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 199_990, max: 200_000 }))
  fc.assert(
    fc.property(fc.array(id, { minLength: 1, maxLength: 6 }), (tokens) => {
      const { data, usage } = mock.json(embedding(model, tokens))
      expect(data[0].embedding).toHaveLength(8)
      expect(usage.prompt_tokens).toBe(tokens.length)
    }),
    // The ids around the special ones of both encodings.
    { examples: [199_998, 199_999, 200_000, 100_256, 100_257, 100_261, 100_276].map((one) => [[one]]) },
  )
})

test.each(['o200k_base', 'cl100k_base'] as const)(
  '%s decodes the same ids to the same text, whatever it decoded before',
  (name) => {
    const { decode, pieces } = tokenizer(name)
    const text = 'Hello there, 世界!'
    const words = pieces(text)
    const id = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.array(id, { minLength: 1, maxLength: 4 }), (tokens) => {
        const first = decode(tokens)
        expect(pieces(text)).toEqual(words)
        expect(decode(tokens)).toBe(first)
      }),
      // The first bytes of a character, in each encoding.
      { examples: [[[281]], [[220, 117, 220]], [[119]]], numRuns: 1000 },
    )
  },
)

test('tokens that end inside a character do not change later calls', () => {
  const mock = mockWith()
  const ids = [...Array(300).keys()]
  const vectorOf = (id: number): unknown => mock.json(embedding('hash-1', [id])).data
  const upwards = ids.map(vectorOf)
  const downwards = [...ids].reverse().map(vectorOf).reverse()
  for (const id of ids) expect(downwards[id], `token ${id}`).toEqual(upwards[id])
})

test('tokens that end inside a character do not change later streams', () => {
  const mock = mockWith()
  // In the encoding of this model the first character is two tokens.
  const chat = { model: 'gpt-4', messages: [{ role: 'user', content: '世界' }], stream: true }
  const contents = (): unknown => mock.answer({ body: chat }).text.match(/"content":"[^"]*"/g)
  const expected = contents()
  for (let id = 0; id < 300; id++) {
    mock.plan(embedding('gpt-4', [id]))
    expect(contents(), `after token ${id}`).toEqual(expected)
  }
})

test.each(transports)('over $name, an id outside every encoding gets an answer', async (transport) => {
  const mock = stillMock({ description: 'anything' }, 1)
  await using opened = await transport.open(mock)
  const body = { model: 'hash-1', input: [199_998], encoding_format: 'float', dimensions: 8 }
  const answer = await send(opened.baseUrl, contractCall('tokens', { path: '/embeddings', body }))
  expect(answer.status).toBe(200)
  expect(jsonOf(answer).data[0].embedding).toHaveLength(8)
})
