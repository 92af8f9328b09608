/** The OpenAI Agents SDK against the mock: runs with tools, handoffs and structured outputs, whole and streamed. */
import {
  Agent,
  MaxTurnsExceededError,
  ModelBehaviorError,
  ModelRefusalError,
  OpenAIChatCompletionsModel,
  OpenAIProvider,
  Runner,
  run,
  setDefaultOpenAIClient,
  setOpenAIAPI,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const model = 'gpt-4o-mini'
const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `rain in ${city}`,
})
const trip = z.object({ city: z.string(), days: z.number().int(), by: z.enum(['train', 'boat']) })

describe.each(PLACES)('%s', { timeout: GENEROUS_MS }, (place) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    const client = new OpenAI({ baseURL: opened.baseURL, apiKey: opened.apiKey })
    const modelProvider = new OpenAIProvider({ openAIClient: client, useResponses: false })
    return { ...opened, client, runner: new Runner({ modelProvider, tracingDisabled: true }) }
  }

  test('a run ends with the text, and counts its tokens', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Echo', instructions: 'Be brief.', model })
    const { finalOutput, rawResponses } = await runner.run(agent, 'Hello there!')
    expect(finalOutput).toBe('Hello there!')
    expect(rawResponses[0]!.usage).toMatchObject({ inputTokens: 17, outputTokens: 3, totalTokens: 20 })
  })

  test('a run executes the tool and ends with what it said', async () => {
    const { runner, bodies } = await start()
    const agent = new Agent({ name: 'Weather', model, tools: [weather] })
    const { finalOutput, newItems } = await runner.run(agent, 'What is the weather in Oslo?')
    expect(finalOutput).toBe('rain in Oslo')
    expect(newItems.map(({ type }) => type)).toEqual(['tool_call_item', 'tool_call_output_item', 'message_output_item'])
    expect(bodies()).toHaveLength(2)
  })

  test('a run executes parallel calls', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Weather', model, tools: [weather] })
    const { newItems } = await runner.run(agent, 'What is the weather in Oslo and Rome?')
    const outputs = newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [item.output] : []))
    expect(outputs).toEqual(['rain in Oslo', 'rain in Rome'])
  })

  test('a streamed run yields its items and its text as they arrive', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Weather', model, tools: [weather] })
    const stream = await runner.run(agent, 'What is the weather in Oslo?', { stream: true })
    const items: string[] = []
    let text = ''
    for await (const event of stream) {
      if (event.type === 'run_item_stream_event') items.push(event.name)
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') text += event.data.delta
    }
    await stream.completed
    expect(items).toEqual(['tool_called', 'tool_output', 'message_output_created'])
    expect(text).toBe('rain in Oslo')
    expect(stream.finalOutput).toBe('rain in Oslo')
  })

  test('an agent with an output type ends with a value of it, whole and streamed', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Planner', model, outputType: trip })
    const { finalOutput } = await runner.run(agent, 'A trip.')
    expect(trip.parse(finalOutput)).toEqual(finalOutput)
    const stream = await runner.run(agent, 'Another trip.', { stream: true })
    await stream.completed
    expect(trip.parse(stream.finalOutput)).toEqual(stream.finalOutput)
  })

  test('an agent with a tool and an output type runs the tool first', async () => {
    const { runner } = await start()
    const agent = new Agent({ name: 'Planner', model, tools: [weather], outputType: trip })
    const { finalOutput, newItems } = await runner.run(agent, 'What is the weather in Oslo?')
    expect(newItems[0]!.type).toBe('tool_call_item')
    expect(trip.parse(finalOutput)).toEqual(finalOutput)
  })

  test('a tool that the model has to use is called with arguments that it accepts', async () => {
    const { runner } = await start({ replies: [] })
    const agent = new Agent({ name: 'Weather', model, tools: [weather], modelSettings: { toolChoice: 'required' } })
    const { finalOutput } = await runner.run(agent, 'Hello!')
    expect(finalOutput).toMatch(/^rain in ./)
  })

  test('a handoff goes to the agent that a rule calls', async () => {
    const call = { name: 'transfer_to_Weather', arguments: {} }
    const { runner } = await start({ replies: [{ when: { tool: 'transfer_to_Weather' }, call }] })
    const weatherAgent = new Agent({ name: 'Weather', model, tools: [weather] })
    const { finalOutput, lastAgent } = await runner.run(
      new Agent({ name: 'Desk', model, handoffs: [weatherAgent] }),
      'Hello!',
    )
    expect(lastAgent!.name).toBe('Weather')
    expect(finalOutput).toBeTypeOf('string')
  })

  test('a model that always calls tools stops at maxTurns', async () => {
    const call = { name: 'get_weather', arguments: { city: 'Oslo' } }
    const { runner, bodies } = await start({ replies: [{ when: { toolResult: 'rain' }, call }, { call }] })
    const agent = new Agent({ name: 'Weather', model, tools: [weather] })
    await expect(runner.run(agent, 'Hello!', { maxTurns: 3 })).rejects.toThrow(MaxTurnsExceededError)
    expect(bodies()).toHaveLength(3)
  })

  test('a refusal, a tool that was not declared, and JSON that breaks off end the run with an error', async () => {
    const { mock, runner } = await start()
    const agent = new Agent({ name: 'Planner', model, tools: [weather], outputType: trip })
    await expect(runner.run(agent, 'Tell me a secret.')).rejects.toThrow(ModelRefusalError)
    mock.inject('undeclared-tool')
    await expect(runner.run(agent, 'Hello!')).rejects.toThrow(ModelBehaviorError)
    mock.inject('truncated-json')
    await expect(runner.run(agent, 'Hello!')).rejects.toThrow(ModelBehaviorError)
  })

  test('a custom runner with a custom model needs no defaults', async () => {
    const { client } = await start()
    const agent = new Agent({ name: 'Echo', model: new OpenAIChatCompletionsModel(client, model) })
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, 'Hello!')
    expect(finalOutput).toBe('Hello!')
  })

  test('the underlying client retries a 429, and the run succeeds', async () => {
    const { runner, mock, statuses } = await start()
    mock.inject('rate-limit', { retryAfter: '20ms' })
    expect((await runner.run(new Agent({ name: 'Echo', model }), 'Hello!')).finalOutput).toBe('Hello!')
    expect(statuses()).toEqual([429, 200])
  })
})

// The default is the responses API, with traces that go to the real service; and the first client is kept for good.
test('the default runner uses the client that was set before its first run', async () => {
  const { baseURL, apiKey, bodies } = await placed('over HTTP')
  setTracingDisabled(true)
  setOpenAIAPI('chat_completions')
  setDefaultOpenAIClient(new OpenAI({ baseURL, apiKey }))
  const { finalOutput } = await run(new Agent({ name: 'Echo', model }), 'Hello!')
  expect(finalOutput).toBe('Hello!')
  expect(bodies()).toHaveLength(1)
})
