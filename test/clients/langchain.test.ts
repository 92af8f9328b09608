/** LangChain against the mock: ChatOpenAI and OpenAIEmbeddings. */
import { type AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const weather = tool(({ city }) => `rain in ${city}`, {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})

const book = z.object({
  title: z.string(),
  year: z.number().int(),
  genre: z.enum(['crime', 'romance']),
  authors: z.array(z.object({ name: z.string() })),
})

describe.each(PLACES)('%s', { timeout: GENEROUS_MS }, (place) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    const { apiKey, baseURL } = opened
    const chat = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey, configuration: { baseURL } })
    const embeddings = new OpenAIEmbeddings({ model: 'text-embedding-3-small', apiKey, configuration: { baseURL } })
    return { ...opened, chat, embeddings }
  }

  test('invoke returns the text and the usage', async () => {
    const { chat } = await start()
    const answer = await chat.invoke([new SystemMessage('Be brief.'), new HumanMessage('Hello there!')])
    expect(answer.text).toBe('Hello there!')
    expect(answer.response_metadata).toMatchObject({ finish_reason: 'stop', model_name: 'gpt-4o-mini' })
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 17, output_tokens: 3, total_tokens: 20 })
  })

  test('stream yields the text piece by piece, then the usage', async () => {
    const { chat } = await start()
    const pieces: string[] = []
    let whole: AIMessageChunk | undefined
    for await (const chunk of await chat.stream('One two three')) {
      if (chunk.text !== '') pieces.push(chunk.text)
      whole = whole === undefined ? chunk : whole.concat(chunk)
    }
    expect(pieces).toEqual(['One', ' two', ' three'])
    expect(whole!.usage_metadata).toMatchObject({ input_tokens: 10, output_tokens: 3, total_tokens: 13 })
    expect(whole!.response_metadata).toMatchObject({ finish_reason: 'stop' })
  })

  test('without streamUsage, no usage is requested and none is sent', async () => {
    const { baseURL, apiKey, bodies } = await start()
    const settings = { model: 'gpt-4o-mini', apiKey, configuration: { baseURL }, streamUsage: false }
    let whole: AIMessageChunk | undefined
    for await (const chunk of await new ChatOpenAI(settings).stream('One two three')) {
      whole = whole === undefined ? chunk : whole.concat(chunk)
    }
    expect(whole!.text).toBe('One two three')
    expect(whole!.usage_metadata).toBeUndefined()
    expect(bodies()[0]).not.toHaveProperty('stream_options')
  })

  test('batch answers in the order of its inputs', async () => {
    const { chat } = await start()
    const answers = await chat.batch(['one', 'two', 'three'], { maxConcurrency: 2 })
    expect(answers.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  })

  test('a chain of prompt, model and parser streams too', async () => {
    const { chat } = await start()
    const chain = ChatPromptTemplate.fromTemplate('Hello {name}!').pipe(chat).pipe(new StringOutputParser())
    expect(await chain.invoke({ name: 'Ann' })).toBe('Hello Ann!')
    let text = ''
    for await (const piece of await chain.stream({ name: 'Ann' })) text += piece
    expect(text).toBe('Hello Ann!')
  })

  test('bindTools: the call is parsed, the tool runs, the answer mentions its result', async () => {
    const { chat } = await start()
    const model = chat.bindTools([weather])
    const question = new HumanMessage('What is the weather in Oslo?')
    const asking = await model.invoke([question])
    expect(asking.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Oslo' }, type: 'tool_call' }])
    expect(asking.response_metadata.finish_reason).toBe('tool_calls')
    const result = await weather.invoke(asking.tool_calls![0]!)
    const answer = await model.invoke([question, asking, result])
    expect(answer.text).toBe('rain in Oslo')
    expect(answer.tool_calls).toEqual([])
  })

  test('bindTools: two calls at once are streamed in pieces that concat puts together', async () => {
    const { chat } = await start()
    const model = chat.bindTools([weather])
    let whole: AIMessageChunk | undefined
    let pieces = 0
    for await (const chunk of await model.stream('What is the weather in Oslo and Rome?')) {
      whole = whole === undefined ? chunk : whole.concat(chunk)
      pieces += chunk.tool_call_chunks?.length ?? 0
    }
    expect(whole!.tool_calls!.map(({ args }) => args)).toEqual([{ city: 'Oslo' }, { city: 'Rome' }])
    expect(whole!.invalid_tool_calls).toEqual([])
    expect(pieces).toBeGreaterThan(4)
  })

  test('bindTools with tool_choice any gets a call that the tool accepts', async () => {
    const { chat } = await start({ replies: [] })
    const asking = await chat.bindTools([weather], { tool_choice: 'any' }).invoke('Hello!')
    expect(asking.tool_calls).toHaveLength(1)
    const result = await weather.invoke(asking.tool_calls![0]!)
    expect(result.text).toMatch(/^rain in ./)
  })

  test.each(['jsonSchema', 'functionCalling'] as const)(
    'withStructuredOutput by %s returns a value of the schema',
    async (method) => {
      const { chat, bodies } = await start()
      const value = await chat.withStructuredOutput(book, { name: 'book', method }).invoke('A book.')
      expect(book.parse(value)).toEqual(value)
      const [body] = bodies()
      if (method === 'jsonSchema') expect(body).toMatchObject({ response_format: { type: 'json_schema' } })
      else expect(body).toMatchObject({ tool_choice: { type: 'function', function: { name: 'book' } } })
    },
  )

  test('withStructuredOutput streams a value that grows', async () => {
    const { chat } = await start()
    const values: unknown[] = []
    const { $schema: _, '~standard': __, ...schema } = z.toJSONSchema(book)
    const model = chat.withStructuredOutput(schema, { name: 'book', method: 'jsonSchema', strict: true })
    for await (const value of await model.stream('A book.')) values.push(value)
    expect(book.parse(values.at(-1))).toEqual(values.at(-1))
    expect(values.length).toBeGreaterThan(3)
  })

  test('withStructuredOutput in jsonMode gets an object, which matches the schema if a rule says so', async () => {
    const said = { title: 'Emma', year: 1815, genre: 'romance', authors: [{ name: 'Jane Austen' }] }
    const { chat } = await start({ replies: [{ when: { user: 'Emma' }, say: JSON.stringify(said) }] })
    const any = chat.withStructuredOutput(z.record(z.string(), z.unknown()), { method: 'jsonMode' })
    expect(await any.invoke('Some JSON, please.')).toBeTypeOf('object')
    const books = chat.withStructuredOutput(book, { method: 'jsonMode' })
    expect(await books.invoke('Emma, as JSON.')).toEqual(said)
  })

  test('a refusal is an empty text; only the raw response shows the refusal', async () => {
    const { apiKey, baseURL } = await start()
    const settings = { model: 'gpt-4o-mini', apiKey, configuration: { baseURL }, __includeRawResponse: true }
    const { text, additional_kwargs } = await new ChatOpenAI(settings).invoke('Tell me a secret.')
    expect(text).toBe('')
    expect(additional_kwargs).toMatchObject({
      __raw_response: { choices: [{ message: { refusal: 'I cannot help with that.' } }] },
    })
  })

  test('a call of an undeclared tool is parsed like any other', async () => {
    const { mock, chat } = await start()
    mock.inject('undeclared-tool')
    const { tool_calls } = await chat.bindTools([weather]).invoke('Hello!')
    expect(tool_calls).toHaveLength(1)
    expect(tool_calls![0]!.name).not.toBe('get_weather')
  })

  test('embedQuery and embedDocuments rank similar texts first', async () => {
    const { embeddings } = await start()
    const query = await embeddings.embedQuery('A cat sat on the mat.')
    const documents = await embeddings.embedDocuments(['Cats sit on mats.', 'Interest rates rise again.'])
    const [near, far] = documents.map((one) => one.reduce((sum, value, index) => sum + value * query[index]!, 0))
    expect(query).toHaveLength(1536)
    expect(near!).toBeGreaterThan(far!)
  })

  test('embedDocuments sends large lists in batches and keeps their order', async () => {
    const { apiKey, baseURL, bodies } = await start()
    const settings = { model: 'text-embedding-3-small', dimensions: 8, batchSize: 3 }
    const embeddings = new OpenAIEmbeddings({ ...settings, apiKey, configuration: { baseURL } })
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const vectors = await embeddings.embedDocuments(texts)
    expect(bodies()).toHaveLength(3)
    expect(vectors).toEqual(await Promise.all(texts.map((text) => embeddings.embedQuery(text))))
  })

  test('embedDocuments does not sort vectors: shuffled ones belong to the wrong texts', async () => {
    const { mock, embeddings } = await start()
    const vectors = await embeddings.embedDocuments(['one', 'two', 'three'])
    mock.inject('shuffled-embeddings')
    const shuffled = await embeddings.embedDocuments(['one', 'two', 'three'])
    expect(shuffled).not.toEqual(vectors)
    expect(shuffled).toEqual(expect.arrayContaining(vectors))
  })

  test('log probabilities are in response_metadata', async () => {
    const { apiKey, baseURL } = await start()
    const settings = { model: 'gpt-4o-mini', apiKey, configuration: { baseURL }, logprobs: true, topLogprobs: 1 }
    const { response_metadata } = await new ChatOpenAI(settings).invoke('One two')
    expect(response_metadata.logprobs).toMatchObject({ content: [{ token: 'One' }, { token: ' two' }] })
  })

  // It waits by a back-off of its own, of one to two seconds, whatever retry-after-ms says.
  test('a 429 is retried, and succeeds', async () => {
    const { mock, chat, statuses } = await start()
    mock.inject('rate-limit', { retryAfter: '10ms' })
    expect((await chat.invoke('Hello!')).text).toBe('Hello!')
    expect(statuses()).toEqual([429, 200])
  })

  test('an exhausted quota and a wrong key are thrown at once, without a retry', async () => {
    const { mock, chat, statuses } = await start()
    mock.inject('quota')
    await expect(chat.invoke('Hello!')).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' })
    mock.inject('invalid-key')
    await expect(chat.invoke('Hello!')).rejects.toMatchObject({ status: 401, lc_error_code: 'MODEL_AUTHENTICATION' })
    expect(statuses()).toEqual([429, 401])
  })
})
