/** Mastra with the name of a model, `'openai/...'`, which calls /v1/responses. */
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const recipe = z.object({ name: z.string(), minutes: z.number().int(), course: z.enum(['starter', 'main', 'dessert']) })
const question = 'What is the weather in Oslo?'

// Mastra needs Node 22.13.
const isSupported = Number(process.versions.node.split('.')[0]) >= 22
const CASES = PLACES.flatMap((place) => ['openai/gpt-4o-mini', 'openai/gpt-5.6-sol'].map((model) => ({ place, model })))

let started = 0

describe.skipIf(!isSupported).each(CASES)('$model $place (from Node 22 on)', { timeout: GENEROUS_MS }, (one) => {
  const { place, model } = one
  const start = async (settings = {}) => {
    const opened = await placed(place)
    // Mastra keeps a client for each key, with the address that it had then.
    vi.stubEnv('OPENAI_API_KEY', `sk-client-${++started}`)
    vi.stubEnv('OPENAI_BASE_URL', opened.baseURL)
    const { Agent } = await import('@mastra/core/agent')
    const agent = new Agent({ id: 'one', name: 'One', instructions: 'Be brief.', model, ...settings })
    return { ...opened, agent }
  }
  const weather = async () => {
    const { createTool } = await import('@mastra/core/tools')
    const get_weather = createTool({
      id: 'get_weather',
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `rain in ${city}`,
    })
    return { tools: { get_weather } }
  }

  test('generate returns the text and the usage', async () => {
    const { agent, mock } = await start()
    const { text, usage, finishReason } = await agent.generate('Hello there!')
    expect([text, finishReason]).toEqual(['Hello there!', 'stop'])
    expect(usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) })
    expect(mock.journal[0]!.path).toBe('/v1/responses')
  })

  test('stream yields the text piece by piece', async () => {
    const { agent } = await start()
    const pieces: string[] = []
    for await (const piece of (await agent.stream('One two three')).textStream) pieces.push(piece)
    expect(pieces).toEqual(['One', ' two', ' three'])
  })

  test('a tool runs, and the answer mentions its result', async () => {
    const { agent, bodies } = await start(await weather())
    const { text, toolResults } = await agent.generate(question)
    expect(text).toBe('rain in Oslo')
    expect(toolResults).toHaveLength(1)
    expect(bodies()).toHaveLength(2)
  })

  test('a structured output is a value of the schema', async () => {
    const { agent } = await start()
    const { object } = await agent.generate('A recipe.', { structuredOutput: { schema: recipe } })
    expect(recipe.parse(object)).toEqual(object)
  })
})
