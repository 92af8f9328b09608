/** Loops of the official client, which sends answers back with what it added to them, against strict validation. */
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'

const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    parse: JSON.parse,
    function: ({ city }: { city: string }) => `21 degrees in ${city}`,
  },
}

const SCENARIO = {
  validation: 'strict' as const,
  replies: [
    { when: { toolResult: /degrees/ }, say: 'It is warm.' },
    { when: { user: 'weather' }, call: { name: 'weather', arguments: { city: 'Oslo' } } },
  ],
}

test.each([false, true])('runTools calls a tool and gets the answer (streamed: %s)', async (stream) => {
  const mock = createMock(SCENARIO)
  await using server = await listen(mock, { port: 0 })
  const client = new OpenAI({ apiKey: mock.scenario.exampleKey, baseURL: server.url, maxRetries: 0 })
  const body = {
    model: 'echo-1',
    messages: [{ role: 'user' as const, content: 'weather?' }],
    tools: [weather] as never,
  }
  const runner = stream
    ? client.chat.completions.runTools({ ...body, stream: true })
    : client.chat.completions.runTools(body)
  expect(await runner.finalContent()).toBe('It is warm.')
})

test('an answer can be sent back as it came', async () => {
  const mock = createMock({ validation: 'strict' })
  await using server = await listen(mock, { port: 0 })
  const client = new OpenAI({ apiKey: mock.scenario.exampleKey, baseURL: server.url, maxRetries: 0 })
  const question = { role: 'user' as const, content: 'Hello' }
  const { choices } = await client.chat.completions.create({ model: 'echo-1', messages: [question] })
  const messages = [question, choices[0]!.message, { role: 'user' as const, content: 'And again' }]
  const answer = await client.chat.completions.create({ model: 'echo-1', messages })
  expect(answer.choices[0]?.message.content).toBe('And again')
})
