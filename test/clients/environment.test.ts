/** The variables that `api-mock run` sets for its command are all that these clients need. */
import { createOpenAI } from '@ai-sdk/openai'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { OpenAI as LlamaIndex, OpenAIEmbedding } from '@llamaindex/openai'
import { Agent, OpenAIProvider, Runner } from '@openai/agents'
import { embed, generateText } from 'ai'
import OpenAI from 'openai'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Placed, placed } from './placed.ts'

const chat = 'gpt-4o-mini'
const embeddings = 'text-embedding-3-small'

let opened: Placed
beforeEach(async () => {
  opened = await placed('over HTTP')
  vi.stubEnv('OPENAI_BASE_URL', opened.baseURL)
  vi.stubEnv('OPENAI_API_KEY', opened.apiKey)
  return () => vi.unstubAllEnvs()
})

const CLIENTS = {
  async openai() {
    const client = new OpenAI()
    await client.chat.completions.create({ model: chat, messages: [{ role: 'user', content: 'Hello!' }] })
    await client.embeddings.create({ model: embeddings, input: 'Hello!' })
  },
  async '@ai-sdk/openai'() {
    const openai = createOpenAI()
    await generateText({ model: openai.chat(chat), prompt: 'Hello!' })
    await embed({ model: openai.embedding(embeddings), value: 'Hello!' })
  },
  async '@langchain/openai'() {
    await new ChatOpenAI({ model: chat }).invoke('Hello!')
    await new OpenAIEmbeddings({ model: embeddings }).embedQuery('Hello!')
  },
  async '@llamaindex/openai'() {
    await new LlamaIndex({ model: chat }).complete({ prompt: 'Hello!' })
    await new OpenAIEmbedding({ model: embeddings }).getTextEmbedding('Hello!')
  },
  async '@openai/agents'() {
    const runner = new Runner({ modelProvider: new OpenAIProvider({ useResponses: false }), tracingDisabled: true })
    await runner.run(new Agent({ name: 'Echo', model: chat }), 'Hello!')
    await runner.run(new Agent({ name: 'Echo', model: chat }), 'Hello again!')
  },
}

test.each(Object.entries(CLIENTS))('%s', async (_, useClient) => {
  await useClient()
  expect(opened.statuses()).toEqual([200, 200])
})
