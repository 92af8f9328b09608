/** The Vercel AI SDK, versions 7 and 6, with its default model of OpenAI: `openai('gpt-4o')`, which calls /v1/responses. */
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAI as createOpenAI3 } from '@ai-sdk/openai3'
import * as ai7 from 'ai'
import * as ai6 from 'ai6'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, type Placed, placed } from './placed.ts'

// It would warn of what is deprecated, and of settings that a provider does not know.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

// Both versions have these functions; the types of the older one differ where these tests do not look.
const VERSIONS = {
  'ai 7': { ai: ai7, create: createOpenAI },
  'ai 6': { ai: ai6 as unknown as typeof ai7, create: createOpenAI3 as unknown as typeof createOpenAI },
}
const names = Object.keys(VERSIONS) as (keyof typeof VERSIONS)[]
const CASES = names.flatMap((name) => PLACES.map((place) => ({ name, place })))

const recipe = z.object({
  name: z.string(),
  minutes: z.number().int().min(1).max(600),
  course: z.enum(['starter', 'main', 'dessert']),
})
const prompt = 'What is the weather in Oslo?'

describe.each(CASES)('$name $place', { timeout: GENEROUS_MS }, ({ name, place }) => {
  const { ai, create } = VERSIONS[name]
  const get_weather = ai.tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `rain in ${city}`,
  })
  const stopWhen = ai.stepCountIs(5)
  const start = async (scenario = {}, id = 'gpt-4o-mini') => {
    const opened: Placed = await placed(place, scenario)
    return { ...opened, model: create({ baseURL: opened.baseURL, apiKey: opened.apiKey })(id) }
  }

  test('generateText returns the text, why it ended, and the usage', async () => {
    const { model, mock } = await start()
    const { text, finishReason, usage, response } = await ai.generateText({ model, prompt: 'Hello there!' })
    expect([text, finishReason]).toEqual(['Hello there!', 'stop'])
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 3, totalTokens: 13 })
    expect(response.id).toMatch(/^resp_[0-9a-f]{50}$/)
    expect(mock.journal[0]!.path).toBe('/v1/responses')
  })

  test('generateText is cut at maxOutputTokens', async () => {
    const { model } = await start()
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')
    const { text, finishReason } = await ai.generateText({ model, prompt: words, maxOutputTokens: 16 })
    expect(finishReason).toBe('length')
    expect(words.startsWith(text)).toBe(true)
  })

  test('streamText streams text in parts, then why it ended and the usage', async () => {
    const { model } = await start()
    const result = ai.streamText({ model, prompt: 'One two three' })
    const texts: string[] = []
    for await (const text of result.textStream) texts.push(text)
    expect(texts).toEqual(['One', ' two', ' three'])
    expect(await result.finishReason).toBe('stop')
    expect(await result.usage).toMatchObject({ inputTokens: 10, outputTokens: 3, totalTokens: 13 })
  })

  test('generateText runs the tool in one step and mentions its result in the next', async () => {
    const { model, bodies } = await start()
    const { text, steps } = await ai.generateText({ model, tools: { get_weather }, stopWhen, prompt })
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(steps[0]!.toolCalls).toMatchObject([{ toolName: 'get_weather', input: { city: 'Oslo' } }])
    expect(steps[0]!.toolResults).toMatchObject([{ output: 'rain in Oslo' }])
    expect(text).toBe('rain in Oslo')
    expect(bodies()).toHaveLength(2)
  })

  test('streamText runs two calls of one step', async () => {
    const { model } = await start()
    const both = 'What is the weather in Oslo and Rome?'
    const result = ai.streamText({ model, tools: { get_weather }, stopWhen, prompt: both })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(text).toBe('rain in Oslo\nrain in Rome')
    expect((await result.steps)[0]!.toolResults.map(({ output }) => output)).toEqual(['rain in Oslo', 'rain in Rome'])
  })

  test('the items of an earlier answer are sent as references, which the mock resolves', async () => {
    const { model, bodies, statuses } = await start()
    const first = await ai.generateText({ model, prompt: 'Hello there!' })
    const messages: ai7.ModelMessage[] = [
      { role: 'user', content: 'Hello there!' },
      ...first.response.messages,
      { role: 'user', content: 'And again!' },
    ]
    const { text } = await ai.generateText({ model, messages })
    expect(text).toBe('And again!')
    expect(bodies()[1]!.input).toMatchObject([{ role: 'user' }, { type: 'item_reference' }, { role: 'user' }])
    expect(statuses()).toEqual([200, 200])
  })

  test.each([true, false])('a reasoning model runs a tool and gets its reasoning back; stored: %s', async (store) => {
    const { model, statuses } = await start({}, 'gpt-5-mini')
    const providerOptions = { openai: { store, reasoningEffort: 'low', reasoningSummary: 'auto' } }
    const settings = { model, tools: { get_weather }, stopWhen, providerOptions }
    const { text, steps } = await ai.generateText({ ...settings, prompt })
    expect(steps).toHaveLength(2)
    expect(text).toBe('rain in Oslo')
    expect(statuses()).toEqual([200, 200])
  })

  test('generateObject and Output.object return a value of the schema', async () => {
    const { model } = await start()
    const { object } = await ai.generateObject({ model, schema: recipe, prompt: 'A recipe.' })
    expect(recipe.parse(object)).toEqual(object)
    const { output } = await ai.generateText({
      model,
      output: ai.Output.object({ schema: recipe }),
      prompt: 'A recipe.',
    })
    expect(recipe.parse(output)).toEqual(output)
  })

  test('a 429 is retried after retry-after, and a broken stream is an error', async () => {
    const { mock, model, statuses } = await start()
    mock.inject('rate-limit', { retryAfter: '0s' })
    expect((await ai.generateText({ model, prompt: 'Hello!' })).text).toBe('Hello!')
    expect(statuses()).toEqual([429, 200])
    mock.inject('cut', { after: 2 })
    const received: string[] = []
    const reading = (async () => {
      const { textStream } = ai.streamText({ model, prompt: 'One two three', onError: () => {} })
      for await (const text of textStream) received.push(text)
    })()
    await expect(reading).rejects.toSatisfy(ai.APICallError.isInstance)
    expect(received).toEqual(['One'])
  })
})
