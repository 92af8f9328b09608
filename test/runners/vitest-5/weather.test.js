import { useMock } from 'llm-api-mock/vitest'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const mock = useMock({ replies: [{ when: { user: /weather in (?<city>\w+)/ }, say: 'Sunny in {{city}}.' }] })

const ask = (apiKey) =>
  new OpenAI({ apiKey }).chat.completions.create({
    model: 'echo-1',
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  })

test('the app survives an overload', async () => {
  mock.inject('overloaded', { times: 1, retryAfter: 0 })
  const answer = await ask(mock.key)
  expect(answer.choices[0].message.content).toBe('Sunny in Oslo.')
  expect(mock).toHaveReceived({ status: 503, times: 1 })
  expect(mock).toHaveBehaved()
})

for (const name of ['one', 'two']) {
  test.concurrent(`tests at the same time have their own keys: ${name}`, async ({ expect, task }) => {
    await ask(mock.keyOf(task))
    expect(mock).toHaveReceived({ key: mock.keyOf(task), times: 1 })
  })
}

test('a matcher that fails says which call came closest', async () => {
  await ask(mock.key)
  expect(() => expect(mock).toHaveReceived({ status: 500 })).toThrow('expected status 500, got 200')
})
