/** Moderation, metadata and the kinds of input tokens in an answer. */
import { expect, test } from 'vitest'
import { chunksIn, mockWith } from '../../../../support/core.ts'

const chat = (more: object) => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content: 'Hello there!' }], ...more },
})
const moderation = { model: 'omni-moderation-latest' }

test('metadata is stored and not answered', () => {
  expect(mockWith().json(chat({ store: true, metadata: { team: 'blue' } }))).not.toHaveProperty('metadata')
  expect(mockWith().json(chat({ metadata: null }))).not.toHaveProperty('metadata')
})

test('a moderated answer has results for input and output, and nothing is flagged', () => {
  const { input, output } = mockWith().json(chat({ moderation })).moderation
  for (const { type, model, results } of [input, output]) {
    expect({ type, model }).toEqual({ type: 'moderation_results', model: 'omni-moderation-latest' })
    const [result] = results
    expect(result).toMatchObject({ type: 'moderation_result', model: 'omni-moderation-latest', flagged: false })
    expect(Object.values(result.categories)).toEqual(Array(13).fill(false))
    for (const score of Object.values(result.category_scores)) expect(score).toBeLessThan(0.001)
    expect(result.category_applied_input_types.violence).toEqual(['text'])
  }
})

test('a moderated stream has the same moderation in a chunk before that of usage', () => {
  const whole = mockWith().json(chat({ moderation })).moderation
  const request = chat({ moderation, stream: true, stream_options: { include_usage: true } })
  const chunks = chunksIn(mockWith().answer(request).text)
  expect(chunks.at(-2)).toMatchObject({ choices: [], usage: null })
  expect(Object.keys(chunks.at(-2)?.moderation)).toEqual(Object.keys(whole))
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } })
})

test('usage tells text, images and audio apart where a prompt has several', () => {
  const details = (content: unknown) =>
    mockWith().json({ body: { model: 'echo-1', messages: [{ role: 'user', content }] } }).usage.prompt_tokens_details
  expect(details('Hello')).toEqual({ cached_tokens: 0, audio_tokens: 0 })
  const image = { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } }
  expect(details([{ type: 'text', text: 'Hello' }, image])).toEqual({
    cached_tokens: 0,
    audio_tokens: 0,
    text_tokens: 8,
    image_tokens: 85,
  })
})
