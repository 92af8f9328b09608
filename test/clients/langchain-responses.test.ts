/** LangChain where it calls /v1/responses: `createAgent('openai:...')`, and `ChatOpenAI` with gpt-5.6. */
import { type AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const weather = tool(({ city }) => `rain in ${city}`, {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})
const book = z.object({ title: z.string(), year: z.number().int(), genre: z.enum(['crime', 'romance']) })

describe.each(PLACES)('%s', { timeout: GENEROUS_MS }, (place) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    const { apiKey, baseURL } = opened
    // An agent with the name of a model takes both from the environment.
    vi.stubEnv('OPENAI_API_KEY', apiKey)
    vi.stubEnv('OPENAI_BASE_URL', baseURL)
    return { ...opened, chat: new ChatOpenAI({ model: 'gpt-5.6-sol', apiKey, configuration: { baseURL } }) }
  }

  test('ChatOpenAI: invoke returns the text and the usage', async () => {
    const { chat, mock } = await start()
    const answer = await chat.invoke([new SystemMessage('Be brief.'), new HumanMessage('Hello there!')])
    expect(answer.text).toBe('Hello there!')
    expect(answer.usage_metadata).toMatchObject({ input_tokens: expect.any(Number), output_tokens: 3 })
    expect(mock.journal[0]!.path).toBe('/v1/responses')
  })

  test('ChatOpenAI: stream yields the text piece by piece, then the usage', async () => {
    const { chat } = await start()
    const pieces: string[] = []
    let whole: AIMessageChunk | undefined
    for await (const chunk of await chat.stream('One two three')) {
      if (chunk.text !== '') pieces.push(chunk.text)
      whole = whole === undefined ? chunk : whole.concat(chunk)
    }
    expect(pieces).toEqual(['One', ' two', ' three'])
    expect(whole!.usage_metadata).toMatchObject({ input_tokens: expect.any(Number), output_tokens: 3 })
  })

  test('ChatOpenAI: bindTools runs the loop in two calls', async () => {
    const { chat, statuses } = await start()
    const model = chat.bindTools([weather])
    const question = new HumanMessage('What is the weather in Oslo?')
    const asking = await model.invoke([question])
    expect(asking.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Oslo' } }])
    const result = await weather.invoke(asking.tool_calls![0]!)
    const answer = await model.invoke([question, asking, result])
    expect(answer.text).toBe('rain in Oslo')
    expect(statuses()).toEqual([200, 200])
  })

  test('ChatOpenAI: withStructuredOutput returns a value of the schema', async () => {
    const { chat } = await start()
    const value = await chat.withStructuredOutput(book, { name: 'book' }).invoke('A book.')
    expect(book.parse(value)).toEqual(value)
  })

  test.each(['openai:gpt-4o-mini', 'openai:gpt-5.6-sol'])(
    'createAgent: %s runs a tool, whole and streamed',
    async (model) => {
      const { mock } = await start()
      const agent = createAgent({ model, tools: [weather], systemPrompt: 'Be brief.' })
      const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }]
      const result = await agent.invoke({ messages })
      expect(result.messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai'])
      expect(result.messages.at(-1)!.text).toBe('rain in Oslo')
      let text = ''
      for await (const [message] of await agent.stream({ messages }, { streamMode: 'messages' })) {
        if (message.type === 'ai') text += message.text
      }
      expect(text).toBe('rain in Oslo')
      expect(new Set(mock.journal.map(({ path }) => path))).toEqual(new Set(['/v1/responses']))
    },
  )

  test('createAgent: a response format ends with a value of it', async () => {
    const { mock } = await start()
    const agent = createAgent({ model: 'openai:gpt-4o-mini', tools: [], responseFormat: book })
    const { structuredResponse } = await agent.invoke({ messages: [{ role: 'user', content: 'A book.' }] })
    expect(book.parse(structuredResponse)).toEqual(structuredResponse)
    expect(mock.journal).toHaveLength(1)
  })
})
