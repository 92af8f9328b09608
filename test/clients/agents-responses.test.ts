/** The OpenAI Agents SDK with its defaults, which call /v1/responses: runs with tools, handoffs and outputs, whole and streamed. */
import { Agent, ModelRefusalError, OpenAIProvider, Runner, tool } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `rain in ${city}`,
})
const trip = z.object({ city: z.string(), days: z.number().int(), by: z.enum(['train', 'boat']) })

// The default model of the SDK is of the gpt-5 family: it sends its own settings for it.
const MODELS = [{ model: 'gpt-4o-mini' }, { model: 'gpt-5.6-sol' }, {}]
const CASES = PLACES.flatMap((place) => MODELS.map((settings) => ({ place, settings })))

describe.each(CASES)('$settings.model $place', { timeout: GENEROUS_MS }, ({ place, settings }) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    const { baseURL, apiKey } = opened
    const modelProvider = new OpenAIProvider({ baseURL, apiKey })
    return { ...opened, runner: new Runner({ modelProvider, tracingDisabled: true }) }
  }

  test('a run ends with the text, and counts its tokens', async () => {
    const { runner, mock } = await start()
    const agent = new Agent({ name: 'Echo', instructions: 'Be brief.', ...settings })
    const { finalOutput, rawResponses } = await runner.run(agent, 'Hello there!')
    expect(finalOutput).toBe('Hello there!')
    expect(rawResponses[0]!.usage.totalTokens).toBeGreaterThan(10)
    expect(mock.journal[0]!.path).toBe('/v1/responses')
  })

  test('a run executes parallel calls and ends with what they said', async () => {
    const { runner, bodies } = await start()
    const agent = new Agent({ name: 'Weather', ...settings, tools: [weather] })
    const { finalOutput, newItems } = await runner.run(agent, 'What is the weather in Oslo and Rome?')
    const outputs = newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [item.output] : []))
    expect(outputs).toEqual(['rain in Oslo', 'rain in Rome'])
    expect(finalOutput).toBe('rain in Oslo\nrain in Rome')
    expect(bodies()).toHaveLength(2)
  })

  test('a streamed run yields its items and its text as they arrive', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Weather', ...settings, tools: [weather] })
    const stream = await runner.run(agent, 'What is the weather in Oslo?', { stream: true })
    const items: string[] = []
    let text = ''
    for await (const event of stream) {
      if (event.type === 'run_item_stream_event') items.push(event.name)
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') text += event.data.delta
    }
    await stream.completed
    expect(items.filter((item) => item !== 'reasoning_item_created')).toEqual([
      'tool_called',
      'tool_output',
      'message_output_created',
    ])
    expect([text, stream.finalOutput]).toEqual(['rain in Oslo', 'rain in Oslo'])
  })

  test('an agent with an output type ends with a value of it, whole and streamed', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Planner', ...settings, outputType: trip })
    const { finalOutput } = await runner.run(agent, 'A trip.')
    expect(trip.parse(finalOutput)).toEqual(finalOutput)
    const stream = await runner.run(agent, 'Another trip.', { stream: true })
    await stream.completed
    expect(trip.parse(stream.finalOutput)).toEqual(stream.finalOutput)
  })

  test('a handoff goes to the agent that a rule calls', async () => {
    const call = { name: 'transfer_to_Weather', arguments: {} }
    const { runner } = await start({ replies: [{ when: { tool: 'transfer_to_Weather' }, call }] })
    const handoffs = [new Agent({ name: 'Weather', ...settings, tools: [weather] })]
    const { lastAgent } = await runner.run(new Agent({ name: 'Desk', ...settings, handoffs }), 'Hello!')
    expect(lastAgent!.name).toBe('Weather')
  })

  test('a second run goes on by the id of the last response', async () => {
    const { runner, bodies } = await start()
    const agent = new Agent({ name: 'Echo', ...settings })
    const first = await runner.run(agent, 'Hello!')
    const second = await runner.run(agent, 'Hello again!', { previousResponseId: first.lastResponseId! })
    expect(second.finalOutput).toBe('Hello again!')
    expect(bodies()[1]).toMatchObject({ previous_response_id: first.lastResponseId })
  })

  test('a refusal ends the run with an error', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Planner', ...settings, outputType: trip })
    await expect(runner.run(agent, 'Tell me a secret.')).rejects.toThrow(ModelRefusalError)
  })
})
