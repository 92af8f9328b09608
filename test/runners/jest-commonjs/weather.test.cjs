const { useMock } = require('llm-api-mock/jest')
const { OpenAI } = require('openai')

const mock = useMock({ replies: [{ when: { user: /weather in (?<city>\w+)/ }, say: 'Sunny in {{city}}.' }] })

test('the app survives an overload', async () => {
  mock.inject('overloaded', { times: 1, retryAfter: 0 })
  const client = new OpenAI({ apiKey: mock.key })
  const answer = await client.chat.completions.create({
    model: 'echo-1',
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  })
  expect(answer.choices[0]?.message.content).toBe('Sunny in Oslo.')
  expect(mock).toHaveReceived({ status: 503, times: 1 })
  expect(mock).toHaveBehaved()
})
