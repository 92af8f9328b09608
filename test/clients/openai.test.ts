/** The helpers of the official client against the mock: parse, runTools, stream, and how it reads embeddings. */
import OpenAI from 'openai'
import { LengthFinishReasonError } from 'openai/core/error'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const model = 'gpt-4o-mini'
const WEATHER = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }]
const HELLO = [{ role: 'user' as const, content: 'One two three' }]

const event = z.object({
  title: z.string(),
  kind: z.enum(['meeting', 'party']),
  guests: z.array(z.string()),
  place: z.object({ city: z.string(), floor: z.number().int().nullable() }),
  start: z.discriminatedUnion('type', [
    z.object({ type: z.literal('day'), day: z.iso.date() }),
    z.object({ type: z.literal('hour'), hour: z.number().int() }),
  ]),
})

/** A type that holds itself: the schema has a $ref. */
const folder = z.object({
  name: z.string(),
  get folders() {
    return z.array(folder)
  },
})

const CITY = z.object({ city: z.string() })

/** A weather tool for `runTools`, and the cities that it was asked for. */
function weatherTool() {
  const asked: string[] = []
  const weather = zodFunction({
    name: 'get_weather',
    parameters: CITY,
    function: ({ city }) => {
      asked.push(city)
      return `rain in ${city}`
    },
  })
  return { asked, tools: [weather] }
}

describe.each(PLACES)('%s', { timeout: GENEROUS_MS }, (place) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    return { ...opened, client: new OpenAI({ baseURL: opened.baseURL, apiKey: opened.apiKey }) }
  }

  test('parse returns a value of the response format', async () => {
    const { client } = await start()
    const { choices } = await client.chat.completions.parse({
      model,
      messages: HELLO,
      response_format: zodResponseFormat(event, 'event'),
    })
    const { parsed, refusal, content } = choices[0]!.message
    expect(event.parse(JSON.parse(content!))).toEqual(parsed)
    expect(refusal).toBeNull()
  })

  test('parse returns a value of a recursive format', async () => {
    const { client } = await start()
    const { choices } = await client.chat.completions.parse({
      model,
      messages: HELLO,
      response_format: zodResponseFormat(folder, 'folder'),
    })
    expect(folder.parse(choices[0]!.message.parsed)).toEqual(choices[0]!.message.parsed)
  })

  test('parse distinguishes a refusal from a value', async () => {
    const { client } = await start()
    const { choices } = await client.chat.completions.parse({
      model,
      messages: [{ role: 'user', content: 'Tell me a secret.' }],
      response_format: zodResponseFormat(event, 'event'),
    })
    expect(choices[0]!.message).toMatchObject({ refusal: 'I cannot help with that.', content: null, parsed: null })
  })

  test('parse throws if max_tokens cut the value', async () => {
    const { client } = await start()
    const call = client.chat.completions.parse({
      model,
      messages: HELLO,
      max_tokens: 3,
      response_format: zodResponseFormat(event, 'event'),
    })
    await expect(call).rejects.toThrow(LengthFinishReasonError)
  })

  test('parse returns the parsed arguments of a tool', async () => {
    const { client } = await start()
    const tools = [zodFunction({ name: 'get_weather', parameters: CITY })]
    const { choices } = await client.chat.completions.parse({ model, messages: WEATHER, tools })
    expect(choices[0]!.finish_reason).toBe('tool_calls')
    expect(choices[0]!.message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', parsed_arguments: { city: 'Oslo' } } },
    ])
  })

  test('parse returns arguments of a forced tool that its schema accepts', async () => {
    const { client } = await start()
    const { choices } = await client.chat.completions.parse({
      model,
      messages: HELLO,
      tools: [zodFunction({ name: 'invite', parameters: event })],
      tool_choice: { type: 'function', function: { name: 'invite' } },
    })
    const [call] = choices[0]!.message.tool_calls!
    const parsed = call!.type === 'function' ? call!.function.parsed_arguments : undefined
    expect(event.parse(parsed)).toEqual(parsed)
  })

  test("runTools runs the tool and ends with the tool's result", async () => {
    const { client, bodies } = await start()
    const { asked, tools } = weatherTool()
    const runner = client.chat.completions.runTools({ model, messages: WEATHER, tools })
    expect(await runner.finalContent()).toBe('rain in Oslo')
    expect(asked).toEqual(['Oslo'])
    expect(runner.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect((await runner.totalUsage()).total_tokens).toBeGreaterThan(20)
    expect(bodies()).toHaveLength(2)
  })

  test('runTools, streamed, does the same', async () => {
    const { client } = await start()
    const { asked, tools } = weatherTool()
    const runner = client.chat.completions.runTools({ model, messages: WEATHER, tools, stream: true })
    expect(await runner.finalContent()).toBe('rain in Oslo')
    expect(await runner.finalFunctionToolCallResult()).toBe('rain in Oslo')
    expect(asked).toEqual(['Oslo'])
  })

  test('runTools runs parallel calls', async () => {
    const { client } = await start()
    const { asked, tools } = weatherTool()
    const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo and Rome?' }]
    const runner = client.chat.completions.runTools({ model, messages, tools })
    expect(await runner.finalContent()).toBe('rain in Oslo\nrain in Rome')
    expect(asked).toEqual(['Oslo', 'Rome'])
  })

  test('runTools, streamed, runs parallel calls', async () => {
    const { client } = await start()
    const { asked, tools } = weatherTool()
    const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo and Rome?' }]
    const runner = client.chat.completions.runTools({ model, messages, tools, stream: true })
    expect(await runner.finalContent()).toBe('rain in Oslo\nrain in Rome')
    expect(asked).toEqual(['Oslo', 'Rome'])
  })

  test('stream yields the text piece by piece, then the whole completion', async () => {
    const { client } = await start()
    const options = { model, messages: HELLO, stream_options: { include_usage: true } }
    const stream = client.chat.completions.stream(options)
    const told: string[] = []
    stream.on('content', (delta, snapshot) => told.push(`${delta}|${snapshot}`))
    const { choices, usage } = await stream.finalChatCompletion()
    expect(told).toEqual(['One|One', ' two|One two', ' three|One two three'])
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'One two three' } })
    expect(usage).toMatchObject({ completion_tokens: 3 })
  })

  test('stream yields the arguments of a tool piece by piece, then parsed', async () => {
    const { client } = await start()
    const tools = [zodFunction({ name: 'get_weather', parameters: CITY })]
    const stream = client.chat.completions.stream({ model, messages: WEATHER, tools })
    const pieces: string[] = []
    const done: unknown[] = []
    stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => pieces.push(arguments_delta))
    stream.on('tool_calls.function.arguments.done', ({ parsed_arguments }) => done.push(parsed_arguments))
    const { choices } = await stream.finalChatCompletion()
    expect(JSON.parse(pieces.join(''))).toEqual({ city: 'Oslo' })
    expect(pieces.length).toBeGreaterThan(1)
    expect(done).toEqual([{ city: 'Oslo' }])
    expect(choices[0]!.finish_reason).toBe('tool_calls')
  })

  test('stream parses a response format as it grows', async () => {
    const { client } = await start()
    const response_format = zodResponseFormat(event, 'event')
    const stream = client.chat.completions.stream({ model, messages: HELLO, response_format })
    const grown: unknown[] = []
    stream.on('content.delta', ({ parsed }) => grown.push(parsed))
    const { choices } = await stream.finalChatCompletion()
    expect(event.parse(choices[0]!.message.parsed)).toEqual(choices[0]!.message.parsed)
    expect(grown.length).toBeGreaterThan(5)
  })

  test('stream yields a refusal, and log probabilities if requested', async () => {
    const { client } = await start()
    const messages = [{ role: 'user' as const, content: 'Tell me a secret.' }]
    const refused = client.chat.completions.stream({ model, messages })
    const refusals: string[] = []
    refused.on('refusal.done', ({ refusal }) => refusals.push(refusal))
    await refused.done()
    expect(refusals).toEqual(['I cannot help with that.'])

    const stream = client.chat.completions.stream({ model, messages: HELLO, logprobs: true, top_logprobs: 2 })
    const tokens: string[] = []
    stream.on('logprobs.content.done', ({ content }) => tokens.push(...content.map(({ token }) => token)))
    await stream.done()
    expect(tokens.join('')).toBe('One two three')
  })

  test('runTools itself answers a call of an undeclared tool, and continues', async () => {
    const { mock, client } = await start()
    const { asked, tools } = weatherTool()
    mock.inject('undeclared-tool')
    const runner = client.chat.completions.runTools({ model, messages: WEATHER, tools })
    expect(await runner.finalContent()).toMatch(/^Invalid tool_call: .* Available options are: "get_weather"/)
    expect(asked).toEqual([])
  })

  test('parse throws for truncated JSON and for a value outside an enum', async () => {
    const { mock, client } = await start()
    const request = { model, messages: HELLO, response_format: zodResponseFormat(event, 'event') }
    mock.inject('truncated-json')
    await expect(client.chat.completions.parse(request)).rejects.toThrow()
    mock.inject('wrong-enum')
    await expect(client.chat.completions.parse(request)).rejects.toThrow()
    expect((await client.chat.completions.parse(request)).choices[0]!.message.parsed).not.toBeNull()
  })

  test('the client requests embeddings as base64 and reads the same numbers as with float', async () => {
    const { client, bodies } = await start()
    const request = { model: 'text-embedding-3-small', input: ['One', 'two'], dimensions: 64 }
    const decoded = await client.embeddings.create(request)
    const plain = await client.embeddings.create({ ...request, encoding_format: 'float' })
    expect(bodies().map(({ encoding_format }) => encoding_format)).toEqual(['base64', 'float'])
    expect(decoded.data.map(({ index }) => index)).toEqual([0, 1])
    for (const [index, { embedding }] of decoded.data.entries()) {
      expect([...embedding]).toEqual([...Float32Array.from(plain.data[index]!.embedding)])
    }
  })
})
