/** Spoken answers, as the official client gets them. */
import OpenAI, { BadRequestError } from 'openai'
import { beforeEach, describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { decoders } from '../core/lib/audio/decode.ts'
import { openAround } from '../support/open-around.ts'
import { IN_PROCESS_URL, transports } from '../support/transports.ts'

const FORMATS = ['wav', 'mp3', 'opus', 'flac', 'aac', 'pcm16'] as const
const ask = (format: (typeof FORMATS)[number], more: object = {}) => ({
  model: 'gpt-audio-mini',
  messages: [{ role: 'user' as const, content: 'Hello there!' }],
  modalities: ['text' as const, 'audio' as const],
  audio: { voice: 'alloy', format },
  ...more,
})

describe.each(transports)('over $name', (transport) => {
  const mock = createMock('openai', { baseURL: IN_PROCESS_URL, seed: 7 })
  const opened = openAround(transport, mock)
  beforeEach(() => mock.use('openai'))
  const clientOf = (): OpenAI => new OpenAI({ apiKey: 'sk-test', baseURL: opened.baseUrl, maxRetries: 0 })

  test.each(FORMATS)('an answer in %s is a valid file with a transcript', async (format) => {
    const { choices, usage, created } = await clientOf().chat.completions.create(ask(format))
    const { message } = choices[0]!
    expect([message.content, message.refusal]).toEqual([null, null])
    expect(choices[0]).not.toHaveProperty('logprobs')
    const { id, data, expires_at, transcript } = message.audio!
    expect(id).toMatch(/^audio_[0-9a-f]{32}$/)
    expect([transcript, expires_at]).toEqual(['Hello there!', created + 3600])
    // Three tokens of text, and six of audio for each.
    const { sampleRate, length } = decoders[format]!(Buffer.from(data, 'base64'))
    expect(Math.floor((length / sampleRate) * 20)).toBe(18)
    expect(usage).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 21,
      total_tokens: 31,
      prompt_tokens_details: { audio_tokens: 0, text_tokens: 10, image_tokens: 0 },
      completion_tokens_details: { audio_tokens: 18, text_tokens: 3 },
    })
  })

  test('a stream has the id first, then transcript and data in pieces, and last when the audio expires', async () => {
    const options = { stream_options: { include_usage: true } }
    const whole = await clientOf().chat.completions.create(ask('pcm16'))
    const stream = await clientOf().chat.completions.create({ ...ask('pcm16', options), stream: true })
    const deltas: { audio?: Record<string, string> }[] = []
    let last: OpenAI.ChatCompletionChunk | undefined
    for await (const chunk of stream) {
      last = chunk
      if (chunk.choices[0] !== undefined) deltas.push(chunk.choices[0].delta as (typeof deltas)[number])
    }
    const [first, ...others] = deltas.map(({ audio = {} }) => audio)
    expect(first).toEqual({ id: expect.stringMatching(/^audio_[0-9a-f]{32}$/), transcript: '' })
    expect(others.map((audio) => Object.keys(audio).join())).toEqual([
      ...['transcript', 'transcript', 'transcript'],
      ...Array(18).fill('data'),
      'expires_at',
      '',
    ])
    const { data, transcript } = whole.choices[0]!.message.audio!
    expect(others.map((audio) => audio.transcript ?? '').join('')).toBe(transcript)
    const pieces = others.map((audio) => Buffer.from(audio.data ?? '', 'base64'))
    expect(Buffer.concat(pieces).equals(Buffer.from(data, 'base64'))).toBe(true)
    expect(last?.usage).toEqual(whole.usage)
  })

  test.each(FORMATS.filter((format) => format !== 'pcm16'))('a stream in %s is refused', async (format) => {
    const asked = clientOf().chat.completions.create({ ...ask(format), stream: true })
    await expect(asked).rejects.toBeInstanceOf(BadRequestError)
    await expect(asked).rejects.toMatchObject({ param: 'audio.format', code: 'unsupported_value' })
  })

  test('a model without audio refuses it, and an audio model a request without audio', async () => {
    const client = clientOf().chat.completions
    await expect(client.create(ask('wav', { model: 'gpt-4o' }))).rejects.toMatchObject({ param: 'modalities' })
    const silent = { model: 'gpt-audio-mini', messages: [{ role: 'user' as const, content: 'hi' }] }
    await expect(client.create(silent)).rejects.toMatchObject({ param: 'model' })
  })

  test('in the scenario default, any model answers with audio', async () => {
    mock.use('default')
    const { choices } = await clientOf().chat.completions.create(ask('wav', { model: 'echo-1', n: 2 }))
    expect(choices.map(({ message }) => message.audio?.transcript)).toEqual(['Hello there!', 'Hello there!'])
  })
})
