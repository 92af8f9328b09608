import { after, before, test } from 'node:test'
import { expect } from 'expect'
import { createMock } from 'llm-api-mock'
import { intercept } from 'llm-api-mock/node'
import OpenAI from 'openai'

const mock = createMock()
let interception
before(() => {
  interception = intercept(mock)
})
after(() => interception.close())

test('the app gives up an answer that hangs, by a timer that does not keep the process alive', async () => {
  mock.inject('hang', { times: 1 })
  const client = new OpenAI({ apiKey: 'sk-test', maxRetries: 0 })
  const call = { model: 'echo-1', messages: [{ role: 'user', content: 'What is the weather in Oslo?' }] }
  await expect(client.chat.completions.create(call, { signal: AbortSignal.timeout(300) })).rejects.toThrow('aborted')
})
