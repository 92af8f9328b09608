/** The same request says the same words with and without a stream. */
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { intercept } from '../../src/node.ts'

const properties = { city: { type: 'string' }, days: { type: 'integer' } }
const parameters = { type: 'object', properties, required: ['city', 'days'], additionalProperties: false }
const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]
const format = { type: 'json_schema' as const, json_schema: { name: 'place', strict: true, schema: parameters } }

test.each([
  ['an echo', {}, undefined],
  ['generated arguments', { tools, tool_choice: 'required' as const }, undefined],
  ['a text by a schema', { response_format: format }, undefined],
  ['another language', {}, 'other-language'],
  ['a call of an undeclared tool', { tools, tool_choice: 'required' as const }, 'undeclared-tool'],
])('%s', async (_, more, fault) => {
  const mock = createMock()
  const interception = intercept(mock)
  onTestFinished(() => interception.close())
  const { completions } = new OpenAI({ apiKey: 'sk-test', maxRetries: 0 }).chat
  const options = fault === undefined ? {} : { headers: { 'x-mock-fault': fault } }
  for (const content of ['Hello there!', 'What is the weather in Oslo?', 'Tell me a story.']) {
    const body = { model: 'echo-1', messages: [{ role: 'user' as const, content }], ...more }
    const { message } = (await completions.create(body, options)).choices[0]!
    let words = ''
    for await (const { choices } of await completions.create({ ...body, stream: true }, options)) {
      const { content: text, tool_calls: calls = [] } = choices[0]!.delta
      words += text ?? ''
      for (const call of calls) words += `${call.function?.name ?? ''}${call.function?.arguments ?? ''}`
    }
    const called = (message.tool_calls ?? []).map((call) => (call.type === 'function' ? call.function : undefined))
    expect(words).toBe((message.content ?? '') + called.map((call) => `${call?.name}${call?.arguments}`).join(''))
    expect(words).not.toBe('')
  }
})
