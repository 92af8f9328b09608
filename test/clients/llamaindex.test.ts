/** LlamaIndex TS against the mock: chat, tools, an agent, embeddings, a query over a few notes. */
import { getTopKEmbeddings, similarity } from '@llamaindex/core/embeddings'
import { Settings } from '@llamaindex/core/global'
import type { QueryBundle } from '@llamaindex/core/query-engine'
import { RetrieverQueryEngine } from '@llamaindex/core/query-engine'
import { BaseRetriever } from '@llamaindex/core/retriever'
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema'
import { tool } from '@llamaindex/core/tools'
import { OpenAI, OpenAIEmbedding } from '@llamaindex/openai'
import { agent, agentStreamEvent, agentToolCallResultEvent } from '@llamaindex/workflow'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `rain in ${city}`,
})

const person = z.object({ name: z.string(), age: z.number().int(), pets: z.array(z.enum(['cat', 'dog'])) })

const asking = (content: string) => [{ role: 'user' as const, content }]

/** What a vector index does: the notes nearest to the query by their embeddings. */
class NearestNotes extends BaseRetriever {
  readonly #embedding: OpenAIEmbedding
  readonly #notes: readonly string[]

  constructor(embedding: OpenAIEmbedding, notes: readonly string[]) {
    super()
    this.#embedding = embedding
    this.#notes = notes
  }

  async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const vectors = await this.#embedding.getTextEmbeddingsBatch([...this.#notes])
    const vector = await this.#embedding.getTextEmbedding(String(query))
    const [scores, nearest] = getTopKEmbeddings(vector, vectors, 1, [...this.#notes])
    return nearest.map((text: string, rank) => ({ node: new TextNode({ text }), score: scores[rank]! }))
  }
}

describe.each(PLACES)('%s', { timeout: GENEROUS_MS }, (place) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    const { apiKey, baseURL } = opened
    const llm = new OpenAI({ model: 'gpt-4o-mini', apiKey, baseURL, maxRetries: 2 })
    const embedding = new OpenAIEmbedding({ model: 'text-embedding-3-small', apiKey, baseURL })
    return { ...opened, llm, embedding }
  }

  test('chat and complete return the text', async () => {
    const { llm } = await start()
    const { message, raw } = await llm.chat({ messages: asking('Hello there!') })
    expect(message).toMatchObject({ role: 'assistant', content: 'Hello there!' })
    expect(raw).toMatchObject({ usage: { completion_tokens: 3 } })
    expect((await llm.complete({ prompt: 'Hi!' })).text).toBe('Hi!')
  })

  test('a chat stream yields the text piece by piece', async () => {
    const { llm } = await start()
    const pieces: string[] = []
    for await (const { delta } of await llm.chat({ messages: asking('One two three'), stream: true })) {
      if (delta !== '') pieces.push(delta)
    }
    expect(pieces).toEqual(['One', ' two', ' three'])
  })

  test('a chat with a response format returns a value of its schema', async () => {
    const { llm } = await start()
    const json_schema = { name: 'person', strict: true, schema: z.toJSONSchema(person) }
    const { message } = await llm.chat({
      messages: asking('A person.'),
      responseFormat: { type: 'json_schema', json_schema },
    })
    const value = JSON.parse(String(message.content))
    expect(person.parse(value)).toEqual(value)
  })

  test('exec runs the tool, whole and streamed, and its messages go on to the answer', async () => {
    const { llm } = await start()
    const question = asking('What is the weather in Oslo?')
    const { newMessages, toolCalls } = await llm.exec({ messages: question, tools: [weather] })
    expect(toolCalls).toMatchObject([{ name: 'get_weather', input: { city: 'Oslo' } }])
    const answer = await llm.exec({ messages: [...question, ...newMessages], tools: [weather] })
    expect(answer.toolCalls).toEqual([])
    expect(answer.newMessages).toMatchObject([{ role: 'assistant', content: 'rain in Oslo' }])

    const streamed = await llm.exec({ messages: question, tools: [weather], stream: true })
    for await (const _ of streamed.stream);
    expect(streamed.toolCalls).toMatchObject([{ name: 'get_weather', input: { city: 'Oslo' } }])
    expect(streamed.newMessages().at(-1)).toMatchObject({ content: 'rain in Oslo' })
  })

  // It offers a tool of this name and forces nothing: a rule has to call it.
  test('exec with a schema returns an object if a rule calls its tool', async () => {
    const ann = { name: 'Ann', age: 31, pets: ['cat'] }
    const { llm } = await start({ replies: [{ call: { name: 'format_output', arguments: ann } }] })
    const { object } = await llm.exec({ messages: asking('Who is Ann?'), responseFormat: person })
    expect(object).toEqual(ann)
  })

  test('an agent runs the tool and ends with what it said', async () => {
    const { llm, bodies } = await start()
    const { data } = await agent({ llm, tools: [weather] }).run('What is the weather in Oslo?')
    expect(data.result).toBe('rain in Oslo')
    expect(bodies()).toHaveLength(2)
  })

  test('an agent streams events: the result of the tool, then the text', async () => {
    const { llm } = await start()
    const results: unknown[] = []
    let text = ''
    for await (const event of agent({ llm, tools: [weather] }).runStream('What is the weather in Oslo?')) {
      if (agentToolCallResultEvent.include(event)) results.push(event.data.toolOutput.result)
      if (agentStreamEvent.include(event)) text += event.data.delta
    }
    expect(results).toEqual(['rain in Oslo'])
    expect(text).toBe('rain in Oslo')
  })

  test('an agent runs two calls that were made at once', async () => {
    const { llm } = await start()
    const { data } = await agent({ llm, tools: [weather] }).run('What is the weather in Oslo and Rome?')
    expect(data.result).toBe('rain in Oslo\nrain in Rome')
  })

  test('embeddings rank similar texts first', async () => {
    const { embedding } = await start()
    const query = await embedding.getTextEmbedding('A cat sat on the mat.')
    const [near, far] = await embedding.getTextEmbeddingsBatch(['Cats sit on mats.', 'Interest rates rise again.'])
    expect(query).toHaveLength(1536)
    expect(similarity(query, near!)).toBeGreaterThan(similarity(query, far!))
  })

  test('vectors are not sorted: shuffled ones belong to the wrong texts', async () => {
    const { mock, embedding } = await start()
    const vectors = await embedding.getTextEmbeddingsBatch(['one', 'two', 'three'])
    mock.inject('shuffled-embeddings')
    const shuffled = await embedding.getTextEmbeddingsBatch(['one', 'two', 'three'])
    expect(shuffled).not.toEqual(vectors)
    expect(shuffled).toEqual(expect.arrayContaining(vectors))
  })

  test('a query engine finds the nearest note and puts it before the model', async () => {
    const { llm, embedding, bodies } = await start()
    const notes = ['The office opens at nine.', 'Lunch is in the garden.', 'The printer is out of paper.']
    Settings.llm = llm
    const engine = new RetrieverQueryEngine(new NearestNotes(embedding, notes))
    const { sourceNodes, message } = await engine.query({ query: 'When does the office open?' })
    expect(sourceNodes!.map(({ node }) => (node as TextNode).text)).toEqual([notes[0]])
    expect(message.content).toContain('The office opens at nine.')
    expect(bodies()).toHaveLength(3)
  })

  test('a 429 is retried, and succeeds', async () => {
    const { mock, llm, embedding, statuses } = await start()
    mock.inject('rate-limit', { retryAfter: '20ms' })
    expect((await llm.chat({ messages: asking('Hello!') })).message.content).toBe('Hello!')
    mock.inject('rate-limit', { retryAfter: '20ms' })
    await embedding.getTextEmbedding('Hello!')
    expect(statuses()).toEqual([429, 200, 429, 200])
  })

  test('a wrong key is thrown at once, without a retry', async () => {
    const { llm, statuses } = await start({ keys: { 'sk-another': {} } })
    await expect(llm.chat({ messages: asking('Hello!') })).rejects.toMatchObject({ status: 401 })
    expect(statuses()).toEqual([401])
  })
})
