/** Moderation, metadata and the kinds of tokens in an answer. */
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
    const scores = Object.values(result.category_scores)
    expect(scores).toHaveLength(13)
    for (const score of scores) expect(score).toBeLessThan(0.001)
    expect(Math.max(...(scores as number[]))).toBeGreaterThan(0.00001)
    expect(result.category_applied_input_types.violence).toEqual(['text'])
  }
})

test('an image is moderated in the input, for the categories that apply to images', () => {
  const content = [{ type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }]
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'text', text: 'Who is this?' }, ...content] },
  ]
  const { input, output } = mockWith().json(chat({ moderation, messages })).moderation
  expect(input.results[0].category_applied_input_types).toMatchObject({ violence: ['text', 'image'], hate: ['text'] })
  expect(output.results[0].category_applied_input_types.violence).toEqual(['text'])
})

test('a message with parts of text only is moderated as text', () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello there!' }] }]
  const { input } = mockWith().json(chat({ moderation, messages })).moderation
  expect(input.results[0].category_applied_input_types.violence).toEqual(['text'])
})

test('a moderated stream has the same moderation in a chunk after that of usage', () => {
  const whole = mockWith().json(chat({ moderation })).moderation
  const request = chat({ moderation, stream: true, stream_options: { include_usage: true } })
  const chunks = chunksIn(mockWith().answer(request).text)
  expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } })
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: null })
  expect(Object.keys(chunks.at(-1)?.moderation)).toEqual(Object.keys(whole))
})

test('usage tells text and audio apart for an audio model only', () => {
  const usage = (content: unknown, more: object = {}) =>
    mockWith({ models: { 'echo-1': more } }).json({ body: { model: 'echo-1', messages: [{ role: 'user', content }] } })
      .usage
  expect(usage('Hello').prompt_tokens_details).toEqual({ cached_tokens: 0, audio_tokens: 0 })
  const text = { type: 'text', text: 'Hello' }
  const image = { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } }
  expect(usage([text, image]).prompt_tokens_details).toEqual({ cached_tokens: 0, audio_tokens: 0 })
  const sound = { type: 'input_audio', input_audio: { data: Buffer.alloc(48_000).toString('base64'), format: 'wav' } }
  const spoken = usage([text, sound], { supports: { audio: 'required' } })
  expect(spoken.prompt_tokens_details).toEqual({
    cached_tokens: 0,
    audio_tokens: 10,
    text_tokens: 12,
    image_tokens: 0,
  })
  expect(spoken.completion_tokens_details).toMatchObject({ audio_tokens: 0, text_tokens: spoken.completion_tokens })
})
