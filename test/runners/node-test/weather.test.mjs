import { after, before, beforeEach, test } from 'node:test'
import { expect } from 'expect'
import { createMock } from 'llm-api-mock'
import { matchers } from 'llm-api-mock/matchers'
import { intercept } from 'llm-api-mock/node'
import OpenAI from 'openai'

expect.extend(matchers)
const mock = createMock({ replies: [{ when: { user: /weather in (?<city>\w+)/ }, say: 'Sunny in {{city}}.' }] })
let interception
before(() => {
  interception = intercept(mock)
})
beforeEach(() => mock.reset())
after(() => interception.close())

test('the app survives an overload', async () => {
  mock.inject('overloaded', { times: 1, retryAfter: 0 })
  const client = new OpenAI({ apiKey: 'sk-test' })
  const answer = await client.chat.completions.create({
    model: 'echo-1',
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  })
  expect(answer.choices[0]?.message.content).toBe('Sunny in Oslo.')
  expect(mock).toHaveReceived({ status: 503, times: 1 })
  expect(mock).toHaveBehaved()
})
