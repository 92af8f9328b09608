/** Strands with its model of OpenAI, which calls /v1/responses: an agent with a tool, streams and values of a schema. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const recipe = z.object({ name: z.string(), minutes: z.number().int(), course: z.enum(['starter', 'main', 'dessert']) })
const question = 'What is the weather in Oslo?'

// Strands needs Node 22.
const isSupported = Number(process.versions.node.split('.')[0]) >= 22
const CASES = PLACES.flatMap((place) => ['gpt-4o-mini', 'gpt-5.6-sol'].map((modelId) => ({ place, modelId })))

describe.skipIf(!isSupported).each(CASES)('$modelId $place (from Node 22 on)', { timeout: GENEROUS_MS }, (one) => {
  const { place, modelId } = one
  const start = async (settings: { stateful?: boolean } = {}) => {
    const opened = await placed(place)
    const { Agent, tool } = await import('@strands-agents/sdk')
    const { OpenAIModel } = await import('@strands-agents/sdk/models/openai')
    const { apiKey, baseURL } = opened
    const model = new OpenAIModel({ modelId, apiKey, clientConfig: { baseURL }, ...settings })
    const weather = tool({
      name: 'get_weather',
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      callback: ({ city }) => `rain in ${city}`,
    })
    return { ...opened, Agent, weather, settings: { model, printer: false } }
  }

  test('invoke returns the text', async () => {
    const { Agent, settings, mock } = await start()
    const result = await new Agent({ ...settings, systemPrompt: 'Be brief.' }).invoke('Hello there!')
    expect(result.toString()).toBe('Hello there!')
    expect(mock.journal[0]!.path).toBe('/v1/responses')
  })

  test.each([false, true])('a tool runs, and the answer mentions its result; stored: %s', async (stateful) => {
    const { Agent, settings, weather, bodies } = await start({ stateful })
    const result = await new Agent({ ...settings, tools: [weather] }).invoke(question)
    expect(result.toString()).toBe('rain in Oslo')
    expect(bodies().map(({ store, stream }) => [store, stream])).toEqual([
      [stateful, true],
      [stateful, true],
    ])
  })

  test('a second question is asked with the whole conversation', async () => {
    const { Agent, settings, weather, statuses } = await start()
    const agent = new Agent({ ...settings, tools: [weather] })
    await agent.invoke(question)
    expect((await agent.invoke('What is the weather in Rome?')).toString()).toBe('rain in Rome')
    expect(statuses()).toEqual([200, 200, 200, 200])
  })

  test('stream yields the text piece by piece', async () => {
    const { Agent, settings } = await start()
    const texts: string[] = []
    for await (const event of new Agent(settings).stream('One two three')) {
      if (event.type === 'modelStreamUpdateEvent' && event.event.type === 'modelContentBlockDeltaEvent') {
        if (event.event.delta.type === 'textDelta') texts.push(event.event.delta.text)
      }
    }
    expect(texts).toEqual(['One', ' two', ' three'])
  })

  test('a structured output is a value of the schema', async () => {
    const { Agent, settings } = await start()
    const result = await new Agent({ ...settings, structuredOutputSchema: recipe }).invoke('A recipe.')
    expect(recipe.parse(result.structuredOutput)).toEqual(result.structuredOutput)
  })
})
