/** The Vercel AI SDK against the mock, with both of its providers for such services. */
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  cosineSimilarity,
  embed,
  embedMany,
  generateObject,
  generateText,
  isStepCount,
  NoSuchToolError,
  Output,
  RetryError,
  streamObject,
  streamText,
  ToolLoopAgent,
  tool,
} from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sessionUrl } from '../../src/core/protocol/request/request-path.ts'
import { GENEROUS_MS, PLACES, type Placed, placed } from './placed.ts'

// It would warn of what is deprecated, and of settings that a provider does not know.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

// The default of @ai-sdk/openai, `openai('gpt-4o')`, is the responses API: see ai-sdk-responses.test.ts.
const PROVIDERS = {
  '@ai-sdk/openai': ({ baseURL, apiKey }: Placed) => {
    const openai = createOpenAI({ baseURL, apiKey })
    return { model: openai.chat('gpt-4o-mini'), embeddingModel: openai.embedding('text-embedding-3-small') }
  },
  '@ai-sdk/openai-compatible': ({ baseURL, apiKey }: Placed) => {
    const settings = { name: 'mock', includeUsage: true, supportsStructuredOutputs: true }
    const mock = createOpenAICompatible({ ...settings, baseURL, apiKey })
    return { model: mock('echo-1'), embeddingModel: mock.embeddingModel('hash-1') }
  },
}
const names = Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[]
const CASES = names.flatMap((name) => PLACES.map((place) => ({ name, place })))

const get_weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `rain in ${city}`,
})

const recipe = z.object({
  name: z.string(),
  minutes: z.number().int().min(1).max(600),
  course: z.enum(['starter', 'main', 'dessert']),
  ingredients: z.array(z.object({ name: z.string(), grams: z.number() })).min(1),
})

async function arrayFrom<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe.each(CASES)('$name $place', { timeout: GENEROUS_MS }, ({ name, place }) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    return { ...opened, ...PROVIDERS[name](opened) }
  }

  test('generateText returns the text, why it ended, and the usage', async () => {
    const { model } = await start()
    const { text, finishReason, usage, response } = await generateText({
      model,
      instructions: 'Be brief.',
      prompt: 'Hello there!',
    })
    expect(text).toBe('Hello there!')
    expect(finishReason).toBe('stop')
    expect(usage).toMatchObject({ inputTokens: 17, outputTokens: 3, totalTokens: 20 })
    expect(response.id).toMatch(/^chatcmpl-/)
  })

  test('two sessions that share a key count their attempts apart', async () => {
    const opened = await placed(place, { faults: [{ fault: 'server-error', attempt: 1, retryAfter: '0s' }] })
    for (const session of ['one', 'two']) {
      const { model } = PROVIDERS[name]({ ...opened, baseURL: sessionUrl(opened.baseURL, session) })
      await generateText({ model, prompt: 'Hello there!' })
    }
    expect(opened.mock.journal.map(({ session, status }) => [session, status])).toEqual([
      ['one', 500],
      ['one', 200],
      ['two', 500],
      ['two', 200],
    ])
  })

  test('generateText is cut at maxOutputTokens and at a stop sequence', async () => {
    const { model } = await start()
    const cut = await generateText({ model, prompt: 'One two three four', maxOutputTokens: 2 })
    expect([cut.text, cut.finishReason]).toEqual(['One two', 'length'])
    const stopped = await generateText({ model, prompt: 'One two three four', stopSequences: [' three'] })
    expect([stopped.text, stopped.finishReason]).toEqual(['One two', 'stop'])
  })

  test('streamText streams text in parts, then why it ended and the usage', async () => {
    const { model } = await start()
    const result = streamText({ model, prompt: 'One two three' })
    const parts = await arrayFrom(result.stream)
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []))).toEqual(['One', ' two', ' three'])
    const frame = parts.map(({ type }) => type).filter((type) => type !== 'text-delta')
    expect(frame).toEqual(['start', 'start-step', 'text-start', 'text-end', 'finish-step', 'finish'])
    expect(await result.finishReason).toBe('stop')
    expect(await result.usage).toMatchObject({ inputTokens: 10, outputTokens: 3, totalTokens: 13 })
  })

  test('generateText runs the tool and mentions its result', async () => {
    const { model, bodies } = await start()
    const { text, steps, finalStep } = await generateText({
      model,
      tools: { get_weather },
      stopWhen: isStepCount(5),
      prompt: 'What is the weather in Oslo?',
    })
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(steps[0]!.toolCalls).toMatchObject([{ toolName: 'get_weather', input: { city: 'Oslo' } }])
    expect(steps[0]!.toolResults).toMatchObject([{ output: 'rain in Oslo' }])
    expect(text).toBe('rain in Oslo')
    expect(finalStep.toolCalls).toEqual([])
    expect(bodies()).toHaveLength(2)
  })

  test('generateText runs two calls of one step in parallel', async () => {
    const { model } = await start()
    const { text, steps } = await generateText({
      model,
      tools: { get_weather },
      stopWhen: isStepCount(5),
      prompt: 'What is the weather in Oslo and Rome?',
    })
    expect(steps[0]!.toolResults.map(({ output }) => output)).toEqual(['rain in Oslo', 'rain in Rome'])
    expect(text).toBe('rain in Oslo\nrain in Rome')
  })

  test('streamText streams the input of a tool, runs it, and streams the answer', async () => {
    const { model } = await start()
    const result = streamText({
      model,
      tools: { get_weather },
      stopWhen: isStepCount(5),
      prompt: 'What is the weather in Oslo?',
    })
    const parts = await arrayFrom(result.stream)
    const input = parts.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : []))
    expect(JSON.parse(input.join(''))).toEqual({ city: 'Oslo' })
    expect(input.length).toBeGreaterThan(1)
    expect(parts.find(({ type }) => type === 'tool-result')).toMatchObject({ output: 'rain in Oslo' })
    expect(await result.text).toBe('rain in Oslo')
    expect(await result.finishReason).toBe('stop')
    expect((await result.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
  })

  test('a forced tool gets an input that its schema accepts', async () => {
    const { model } = await start()
    const cook = tool({ inputSchema: recipe, execute: async ({ name }) => `${name} is ready` })
    const { toolCalls, toolResults } = await generateText({
      model,
      tools: { get_weather, cook },
      toolChoice: { type: 'tool', toolName: 'cook' },
      prompt: 'Hello!',
    })
    expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['cook'])
    const { name: dish } = recipe.parse(toolCalls[0]!.input)
    expect(toolResults).toMatchObject([{ output: `${dish} is ready` }])
  })

  test('toolChoice required calls a tool with no rule for it, and none calls none', async () => {
    const { model } = await start({ replies: [] })
    const options = { model, tools: { get_weather }, prompt: 'What is the weather in Oslo?' }
    const required = await generateText({ ...options, toolChoice: 'required' })
    expect(required.toolResults).toMatchObject([
      { toolName: 'get_weather', output: expect.stringMatching(/^rain in ./) },
    ])
    const none = await generateText({ ...options, toolChoice: 'none' })
    expect(none.text).toBe('What is the weather in Oslo?')
  })

  test('an agent ends its loop without a limit on its steps', async () => {
    const { model } = await start()
    const agent = new ToolLoopAgent({ model, tools: { get_weather }, instructions: 'Be brief.' })
    const { text, steps } = await agent.generate({ prompt: 'What is the weather in Oslo?' })
    expect(text).toBe('rain in Oslo')
    expect(steps).toHaveLength(2)
  })

  test('Output.object is a value of its schema, whole and streamed', async () => {
    const { model, bodies } = await start()
    const output = Output.object({ schema: recipe })
    const whole = await generateText({ model, output, prompt: 'A lasagna.' })
    expect(recipe.parse(whole.output)).toEqual(whole.output)
    const streamed = streamText({ model, output, prompt: 'A lasagna.' })
    const partial = await arrayFrom(streamed.partialOutputStream)
    expect(partial.length).toBeGreaterThan(3)
    expect(partial.at(-1)).toEqual(await streamed.output)
    expect(recipe.parse(await streamed.output)).toEqual(await streamed.output)
    expect(bodies().map(({ response_format }) => response_format)).toMatchObject([
      { type: 'json_schema', json_schema: { strict: true } },
      { type: 'json_schema', json_schema: { strict: true } },
    ])
  })

  test('Output.array, Output.choice and Output.json are parsed', async () => {
    const { model } = await start()
    const ask = { model, prompt: 'As JSON: what is the weather?' }
    const days = await generateText({ ...ask, output: Output.array({ element: z.object({ day: z.string() }) }) })
    expect(z.array(z.object({ day: z.string() })).parse(days.output)).toEqual(days.output)
    const choice = await generateText({ ...ask, output: Output.choice({ options: ['sunny', 'rainy'] }) })
    expect(['sunny', 'rainy']).toContain(choice.output)
    const json = await generateText({ ...ask, output: Output.json() })
    expect(json.output).toBeTypeOf('object')
  })

  test('tools and an output in one run: the tool first, then the value', async () => {
    const { model } = await start()
    const { output, steps } = await generateText({
      model,
      tools: { get_weather },
      output: Output.object({ schema: z.object({ forecast: z.string() }) }),
      stopWhen: isStepCount(5),
      prompt: 'What is the weather in Oslo?',
    })
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(output).toEqual({ forecast: expect.any(String) })
  })

  test('generateObject and streamObject, deprecated in 7, work too', async () => {
    const { model } = await start()
    const { object } = await generateObject({ model, schema: recipe, prompt: 'A lasagna.' })
    expect(recipe.parse(object)).toEqual(object)
    const streamed = streamObject({ model, schema: recipe, prompt: 'A lasagna.' })
    const partial = await arrayFrom(streamed.partialObjectStream)
    expect(partial.at(-1)).toEqual(await streamed.object)
  })

  test('embed and embedMany rank similar texts first', async () => {
    const { embeddingModel } = await start()
    const { embedding, usage } = await embed({ model: embeddingModel, value: 'A cat sat on the mat.' })
    expect(embedding).toHaveLength(1536)
    expect(usage.tokens).toBeGreaterThan(0)
    const { embeddings } = await embedMany({
      model: embeddingModel,
      values: ['Cats sit on mats.', 'Interest rates rise again.'],
      maxParallelCalls: 2,
    })
    const [near, far] = embeddings.map((one) => cosineSimilarity(embedding, one))
    expect(near!).toBeGreaterThan(far!)
  })

  test('embedMany splits more values than one call may have', async () => {
    const { embeddingModel, bodies } = await start()
    const values = Array.from({ length: 2049 }, (_, index) => `text ${index}`)
    const { embeddings } = await embedMany({ model: embeddingModel, values, dimensions: 8 })
    expect(embeddings).toHaveLength(2049)
    expect(bodies()).toHaveLength(2)
  })

  test('log probabilities come with the text, where the provider can ask for them', async () => {
    const { model } = await start()
    const providerOptions = { openai: { logprobs: 2 } }
    const { finalStep } = await generateText({ model, prompt: 'One two three', providerOptions })
    const logprobs = finalStep.providerMetadata?.openai?.logprobs
    if (name !== '@ai-sdk/openai') expect(logprobs).toBeUndefined()
    else expect(logprobs).toMatchObject([{ token: 'One' }, { token: ' two' }, { token: ' three' }])
  })

  test('embedMany does not sort vectors: shuffled ones belong to the wrong texts', async () => {
    const { mock, embeddingModel } = await start()
    const request = { model: embeddingModel, values: ['one', 'two', 'three'] }
    const { embeddings } = await embedMany(request)
    mock.inject('shuffled-embeddings')
    const shuffled = await embedMany(request)
    expect(shuffled.embeddings).not.toEqual(embeddings)
    expect(shuffled.embeddings).toEqual(expect.arrayContaining(embeddings))
  })

  test('a 429 is retried after the time in its header, and succeeds', async () => {
    const { mock, model, statuses } = await start()
    mock.inject('rate-limit', { times: 2, retryAfter: '20ms' })
    const { text } = await generateText({ model, prompt: 'Hello!' })
    expect(text).toBe('Hello!')
    expect(statuses()).toEqual([429, 429, 200])
  })

  test('a 429 before a stream, and before embeddings, is retried too', async () => {
    const { mock, model, embeddingModel, statuses } = await start()
    mock.inject('rate-limit', { retryAfter: '20ms' })
    expect(await streamText({ model, prompt: 'Hello!' }).text).toBe('Hello!')
    mock.inject('rate-limit', { retryAfter: '20ms' })
    await embed({ model: embeddingModel, value: 'Hello!' })
    expect(statuses()).toEqual([429, 200, 429, 200])
  })

  test('after maxRetries, the last error is thrown', async () => {
    const { mock, model, statuses } = await start()
    mock.inject('rate-limit', { times: 2, retryAfter: '20ms' })
    const failure = await generateText({ model, prompt: 'Hello!', maxRetries: 1 }).catch((error: unknown) => error)
    expect(RetryError.isInstance(failure)).toBe(true)
    expect((failure as RetryError).lastError).toMatchObject({ statusCode: 429, isRetryable: true })
    expect(statuses()).toEqual([429, 429])
  })

  test('a 401 is thrown at once, with the message of the service', async () => {
    const { model, statuses } = await start({ keys: { 'sk-another': {} } })
    const failure = await generateText({ model, prompt: 'Hello!' }).catch((error: unknown) => error)
    expect(APICallError.isInstance(failure)).toBe(true)
    expect(failure).toMatchObject({
      statusCode: 401,
      isRetryable: false,
      message: expect.stringMatching(/^Incorrect API key provided/),
    })
    expect(statuses()).toEqual([401])
  })

  test('a cut stream fails after the text that arrived', async () => {
    const { mock, model } = await start()
    mock.inject('cut', { after: 3 })
    const received: string[] = []
    const reading = (async () => {
      for await (const text of streamText({ model, prompt: 'One two three four', onError: () => {} }).textStream) {
        received.push(text)
      }
    })()
    await expect(reading).rejects.toSatisfy(APICallError.isInstance)
    expect(received).toEqual(['One', ' two'])
  })

  test('a refusal is a text, and the finish reason says so', async () => {
    const { model } = await start()
    const { text, finishReason } = await generateText({ model, prompt: 'Tell me a secret.' })
    expect([text, finishReason]).toEqual(['I cannot help with that.', 'content-filter'])
  })

  test('a call of an undeclared tool is reported as such', async () => {
    const { mock, model } = await start()
    mock.inject('undeclared-tool')
    const { toolCalls } = await generateText({ model, tools: { get_weather }, prompt: 'Hello!' })
    expect(toolCalls).toMatchObject([{ invalid: true }])
    expect(NoSuchToolError.isInstance((toolCalls[0] as { error?: unknown }).error)).toBe(true)
  })

  test.each(['truncated-json', 'wrong-enum', 'empty-text'] as const)('no object is made of %s', async (fault) => {
    const { mock, model } = await start()
    mock.inject(fault)
    const asking = generateText({ model, output: Output.object({ schema: recipe }), prompt: 'A lasagna.' })
    await expect(asking.then(({ output }) => output)).rejects.toThrow()
  })
})

test('@ai-sdk/openai sends a reasoning model the parameters that it accepts', async () => {
  const { baseURL, apiKey, bodies } = await placed('over HTTP', { models: { 'gpt-5-nano': { reasoning: true } } })
  const model = createOpenAI({ baseURL, apiKey }).chat('gpt-5-nano')
  // Thinking takes 64 tokens and more.
  const { text } = await generateText({ model, instructions: 'Be brief.', prompt: 'Hello!', maxOutputTokens: 500 })
  expect(text).toBe('Hello!')
  expect(bodies()).toMatchObject([{ max_completion_tokens: 500, messages: [{ role: 'developer' }, { role: 'user' }] }])
})
