/** TanStack AI with its adapter of OpenAI, which calls /v1/responses: streams, tools and values of a schema. */
import { chat, maxIterations, type StreamChunk, toolDefinition } from '@tanstack/ai'
import { createOpenaiChat } from '@tanstack/ai-openai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const weather = toolDefinition({
  name: 'get_weather',
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
}).server(async ({ city }) => `rain in ${city}`)
const recipe = z.object({ name: z.string(), minutes: z.number().int(), course: z.enum(['starter', 'main', 'dessert']) })

const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] })
const textOf = (chunks: readonly StreamChunk[]): string[] =>
  chunks.flatMap((chunk) => (chunk.type === 'TEXT_MESSAGE_CONTENT' ? [chunk.delta] : []))

const CASES = PLACES.flatMap((place) => (['gpt-4o-mini', 'gpt-5.2'] as const).map((model) => ({ place, model })))

describe.each(CASES)('$model $place', { timeout: GENEROUS_MS }, ({ place, model }) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    return { ...opened, adapter: createOpenaiChat(model, opened.apiKey, { baseURL: opened.baseURL }) }
  }

  test('chat streams the text piece by piece', async () => {
    const { adapter, mock } = await start()
    const chunks: StreamChunk[] = []
    for await (const chunk of chat({ adapter, ...user('One two three') })) chunks.push(chunk)
    expect(textOf(chunks)).toEqual(['One', ' two', ' three'])
    expect(chunks.at(-1)).toMatchObject({ type: 'RUN_FINISHED', usage: { completionTokens: 3 } })
    expect(mock.journal[0]!.path).toBe('/v1/responses')
  })

  test('chat without a stream returns the text', async () => {
    const { adapter } = await start()
    expect(await chat({ adapter, ...user('Hello there!'), stream: false })).toBe('Hello there!')
  })

  test('chat runs two calls and streams what they said', async () => {
    const { adapter, bodies } = await start()
    const chunks: StreamChunk[] = []
    const both = user('What is the weather in Oslo and Rome?')
    const tools = [weather]
    for await (const chunk of chat({ adapter, ...both, tools, agentLoopStrategy: maxIterations(3) })) chunks.push(chunk)
    expect(textOf(chunks).join('')).toMatch(/rain in Oslo.*\n.*rain in Rome/)
    expect(bodies()).toHaveLength(2)
  })

  test('an output schema ends with a value of it', async () => {
    const { adapter } = await start()
    const value = await chat({ adapter, ...user('A recipe.'), outputSchema: recipe })
    expect(recipe.parse(value)).toEqual(value)
  })

  test('a stream that breaks off ends the run with an error', async () => {
    const { adapter, mock } = await start()
    mock.inject('cut', { after: 1 })
    const types: string[] = []
    const reading = async (): Promise<void> => {
      for await (const { type } of chat({ adapter, ...user('One two three') })) types.push(type)
    }
    const thrown = await reading().catch((error: unknown) => error)
    expect(thrown !== undefined || types.includes('RUN_ERROR'), types.join(' ')).toBe(true)
  })
})
