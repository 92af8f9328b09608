/** Chat completions without a scenario: the echo, its usage, limits and choices. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayCut } from '../../../../../src/core/lib/text/graphemes.ts'
import { chunksIn, mockWith, tokenizer } from '../../../../support/core.ts'

const chat = (content: unknown, more: object = {}) => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})

test('the last user message is echoed', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'First.' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'Second.' },
  ]
  const { choices } = mockWith().json({ body: { model: 'echo-1', messages } })
  expect(choices[0]).toEqual({
    index: 0,
    message: { role: 'assistant', content: 'Second.', refusal: null, annotations: [] },
    logprobs: null,
    finish_reason: 'stop',
  })
})

test('the parts of a message are echoed on a line each, and other media are named', () => {
  const parts = [
    { type: 'text', text: 'one' },
    { type: 'image_url', image_url: { url: 'data:,' } },
    { type: 'text', text: 'two' },
    { type: 'input_audio', input_audio: { data: '', format: 'wav' } },
    { type: 'file', file: { filename: 'report.pdf' } },
  ]
  const { content } = mockWith().json(chat(parts)).choices[0].message
  expect(content).toBe('one\n[image]\ntwo\n[audio]\n[file report.pdf]')
})

test('after a tool message, its result is echoed', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: '21 degrees' },
  ]
  expect(mockWith().json({ body: { model: 'echo-1', messages } }).choices[0].message.content).toBe('21 degrees')
})

test('usage counts the prompt by the formula and the answer by its tokens', () => {
  const { usage } = mockWith().json(chat('Say this is a test'))
  expect(usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 })
})

test('n choices each have the text, and each is counted', () => {
  const { choices, usage } = mockWith().json(chat('Say this is a test', { n: 3 }))
  expect(choices.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2])
  expect(usage.completion_tokens).toBe(15)
})

test('the answer ends before the first stop sequence', () => {
  const { choices } = mockWith().json(chat('one two three', { stop: ['three', ' two'] }))
  expect(choices[0]).toMatchObject({ message: { content: 'one' }, finish_reason: 'stop' })
})

test.each(['max_tokens', 'max_completion_tokens'])('%s cuts the text and says length', (field) => {
  const { choices, usage } = mockWith().json(chat('Say this is a test', { [field]: 2 }))
  expect(choices[0]).toMatchObject({ message: { content: 'Say this' }, finish_reason: 'length' })
  expect(usage.completion_tokens).toBe(2)
})

test('a text of exactly max_tokens is complete', () => {
  expect(mockWith().json(chat('Say this is a test', { max_tokens: 5 })).choices[0].finish_reason).toBe('stop')
})

test('a cut text never ends inside a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 10 }), (text, most) => {
      const cut = mockWith().json(chat(text, { max_tokens: most })).choices[0].message.content as string
      expect(text.startsWith(cut)).toBe(true)
      expect(mayCut(text, cut.length)).toBe(true)
    }),
  )
})

test('a stream is role, content, finish, [DONE]', () => {
  const { text, headers } = mockWith().answer(chat('Hello there', { stream: true }))
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const deltas = chunksIn(text).map(({ choices }) => [choices[0].delta, choices[0].finish_reason])
  expect(deltas).toEqual([
    [{ role: 'assistant', content: '', refusal: null }, null],
    [{ content: 'Hello' }, null],
    [{ content: ' there' }, null],
    [{}, 'stop'],
  ])
})

test('usage in a stream comes last, without choices, and is null before', () => {
  const asked = chat('Say this is a test', { stream: true, stream_options: { include_usage: true } })
  const chunks = chunksIn(mockWith().answer(asked).text)
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 5 } })
})

test('a stream has no usage unless the request asks for it', () => {
  expect(mockWith().answer(chat('hi', { stream: true })).text).not.toContain('usage')
})

test('the streamed text is the whole text, for every choice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 3 }), (text, n) => {
      const chunks = chunksIn(mockWith().answer(chat(text, { stream: true, n })).text)
      for (let index = 0; index < n; index++) {
        const ofChoice = chunks.map(({ choices }) => choices[0]).filter((choice) => choice.index === index)
        expect(ofChoice.map(({ delta }) => delta.content ?? '').join('')).toBe(text)
      }
    }),
  )
})

test('no chunk splits a grapheme', () => {
  const text = 'A family 👨‍👩‍👧 in 🇫🇷🇩🇪, क्षत्रिय, e\u0301 and ภาษาไทย'
  const chunks = chunksIn(mockWith().answer(chat(text, { stream: true })).text)
  const graphemes = new Intl.Segmenter().segment(text)
  let place = 0
  for (const { choices } of chunks) {
    place += (choices[0].delta.content ?? '').length
    if (place < text.length) expect(graphemes.containing(place)!.index).toBe(place)
  }
})

test.each([
  ['strict', undefined, true],
  ['strict', null, true],
  ['strict', false, false],
  ['lenient', undefined, false],
  ['lenient', true, true],
] as const)('with %s validation, include_obfuscation: %s makes obfuscation %s', (validation, asked, isOn) => {
  const request = { stream: true, stream_options: { include_obfuscation: asked } }
  const { text } = mockWith({ validation }).answer(chat('hi', request))
  expect(chunksIn(text).map(({ obfuscation }) => typeof obfuscation === 'string')).toEqual([isOn, isOn, isOn])
})

test('every chunk with obfuscation is 1 modulo 16 long', () => {
  const { text } = mockWith().answer(
    chat('Hello there', { stream: true, stream_options: { include_obfuscation: true } }),
  )
  const lengths = text
    .split('\n\n')
    .filter((event) => event.includes('{'))
    .map((event) => event.length - 'data: '.length)
  expect(lengths.every((length) => length % 16 === 1)).toBe(true)
})

test.each([
  [undefined, 'default'],
  ['auto', 'default'],
  ['default', 'default'],
  ['fast', 'priority'],
  ['priority', 'priority'],
  ['flex', 'flex'],
])('service tier %s is answered with %s', (asked, answered) => {
  expect(mockWith().json(chat('hi', { service_tier: asked })).service_tier).toBe(answered)
})

test('a scenario may give a model a dated name', () => {
  const mock = mockWith({ models: { 'gpt-4o-mini': { snapshot: 'gpt-4o-mini-2024-07-18' } } })
  expect(mock.json({ body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] } }).model).toBe(
    'gpt-4o-mini-2024-07-18',
  )
})

test('a prompt longer than the context of the model is a 400 that names both sizes', () => {
  const mock = mockWith({ models: { 'echo-1': { contextTokens: 10 } } })
  const { error } = mock.json(chat('Say this is a test'))
  expect(error.message).toContain('maximum context length is 10 tokens. However, your messages resulted in 12 tokens.')
})

test('the tokens of a text do not depend on how it is streamed', () => {
  const text = 'Counting is the same, streamed or not.'
  const asked = chat(text, { stream: true, stream_options: { include_usage: true } })
  const streamed = chunksIn(mockWith().answer(asked).text).at(-1).usage
  expect(streamed).toEqual(mockWith().json(chat(text)).usage)
  expect(streamed.completion_tokens).toBe(tokenizer('o200k_base').count(text))
})
