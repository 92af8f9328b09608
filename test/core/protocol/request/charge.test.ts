/** The charge of a call: the law of section 11.7 of the wire contract for any texts, and recorded figures. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChat } from '../../../../src/core/dialects/chat/read-chat.ts'
import { chargeOf, maxAnswerTokens } from '../../../../src/core/protocol/request/charge.ts'
import { ENDPOINTS } from '../../../../src/core/protocol/request/endpoints.ts'

const chat = (messages: unknown, more: object = {}) => chargeOf(readChat({ messages, ...more }).messages)
const inputs = (input: unknown) => ENDPOINTS.embeddings.estimateCharge({ input } as never).tokens
const text = (content: string) => ({ role: 'user', content })
const image = { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }
const file = { type: 'file', file: { file_id: 'file-1' } }
const audio = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }

const bytesOf = (value: string): number => new TextEncoder().encode(value).length
const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
const anyPart = fc.oneof(
  anyText.map((value) => ({ part: { type: 'text', text: value }, bytes: bytesOf(value), images: 0, media: 0 })),
  fc.constant({ part: image, bytes: 0, images: 1, media: 1 }),
  fc.constant({ part: file, bytes: 0, images: 0, media: 1 }),
  fc.constant({ part: audio, bytes: 0, images: 0, media: 0 }),
)
const anyMessage = fc.oneof(
  anyText.map((value) => ({ content: value as unknown, bytes: bytesOf(value), images: 0, media: 0 })),
  fc.array(anyPart, { maxLength: 5 }).map((parts) => ({
    content: parts.map(({ part }) => part) as unknown,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    images: parts.reduce((sum, { images }) => sum + images, 0),
    media: parts.reduce((sum, { media }) => sum + media, 0),
  })),
)

test('any chat is charged a quarter of its bytes, its messages, 1, and 765 for an image or file', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 6 }), (messages) => {
      const sum = (key: 'bytes' | 'images' | 'media'): number => messages.reduce((all, one) => all + one[key], 0)
      const body = messages.map(({ content }) => ({ role: 'user', content }))
      const tools = [{ type: 'function', function: { name: 'f', description: 'x'.repeat(1000) } }]
      expect(chat(body, { tools, max_tokens: 1000, n: 3 })).toEqual({
        tokens: Math.ceil(sum('bytes') / 4) + messages.length + 1 + 765 * sum('media'),
        images: sum('images'),
      })
    }),
  )
})

test('any texts to embed are charged a quarter of all their bytes', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), (texts) => {
      const bytes = texts.reduce((sum, value) => sum + bytesOf(value), 0)
      expect(inputs(texts)).toBe(Math.max(1, Math.floor(bytes / 4)))
    }),
  )
})

// Lengths of recorded texts of ASCII in bytes, message for message, and what the headers showed as charged.
test.each([
  [[6], 4],
  [[23], 8],
  [[42], 13],
  [[54], 16],
  [[66], 19],
  [[93], 26],
  [[100, 220], 83],
  [[20, 40, 40, 17], 35],
  [[0], 2],
  [[], 1],
])('recorded: messages of %j bytes are charged %i', (lengths, tokens) => {
  expect(chat(lengths.map((length) => text('x'.repeat(length)))).tokens).toBe(tokens)
})

test('recorded: an image beside 46 bytes is charged 779, sound beside 56 bytes 16', () => {
  const beside = (bytes: number, part: object) => [
    { role: 'user', content: [{ type: 'text', text: 'x'.repeat(bytes) }, part] },
  ]
  expect(chat(beside(46, image))).toEqual({ tokens: 779, images: 1 })
  expect(chat(beside(22, image)).tokens).toBe(773)
  expect(chat(beside(56, audio))).toEqual({ tokens: 16, images: 0 })
})

test.each([
  [['x'.repeat(27)], 6],
  [['x'.repeat(569)], 142],
  [['x'.repeat(7500)], 1875],
  [[18, 27, 25, 238, 42].map((length) => 'x'.repeat(length)), 87],
  [[4438, 656, 358, 7738, 856, 3636, 30], 7],
  [[102_257], 1],
])('recorded: inputs of %j are charged %i', (input, tokens) => {
  expect(inputs(input)).toBe(tokens)
})

test.each([
  [{}, 0],
  [{ max_tokens: 20 }, 20],
  [{ max_completion_tokens: 20, n: 3 }, 60],
  [{ max_tokens: 1, n: Number.POSITIVE_INFINITY }, Number.MAX_SAFE_INTEGER],
  // Not checked yet
  [{ max_tokens: 20, n: 0 }, 20],
  [{ max_tokens: 1.5, n: 2 }, 2],
  [{ max_tokens: 'many' }, 0],
  [{ max_tokens: -5 }, 0],
])('a body with %j may be answered with %i tokens', (body, tokens) => {
  expect(maxAnswerTokens(readChat(body))).toBe(tokens)
})

test('a body that has not been checked is charged for its texts', () => {
  expect(chat(undefined).tokens).toBe(1)
  expect(chat(['x', null, { content: [null, 5, { text: 7 }] }]).tokens).toBe(4)
})
