/** Requests with `truncation: auto` that are longer than their model takes. */
import { expect, test } from 'vitest'
import { mockWith } from '../../../../support/core.ts'

const mock = () => mockWith({ models: { small: { contextTokens: 60 } } })
const user = (content: string) => ({ role: 'user', content })
const LONG = 'word '.repeat(40).trim()
const ask = (body: object, path = '/v1/responses') => ({ path, body: { model: 'small', ...body } })

test('the oldest messages are dropped until the input fits, and the instructions stay', () => {
  const input = [
    { role: 'developer', content: 'Be brief.' },
    user(LONG),
    { role: 'assistant', content: LONG },
    user('Hi'),
  ]
  const { usage, output, truncation } = mock().json(ask({ instructions: 'Be kind.', input, truncation: 'auto' }))
  const left = [{ role: 'developer', content: 'Be brief.' }, user('Hi')]
  const alone = mock().json(ask({ instructions: 'Be kind.', input: left }))
  expect(truncation).toBe('auto')
  expect(usage.input_tokens).toBe(alone.usage.input_tokens)
  expect(output[0].content[0].text).toBe('Hi')
})

test('the turns of earlier responses are dropped too, and the count of an input says so', () => {
  const small = mock()
  const { id } = small.json(ask({ input: LONG.slice(0, 100) }))
  const next = { input: LONG.slice(0, 150), previous_response_id: id }
  expect(small.json(ask(next)).error.code).toBe('context_length_exceeded')
  const { usage } = small.json(ask({ ...next, truncation: 'auto' }))
  expect(usage.input_tokens).toBeLessThanOrEqual(60)
  const counted = small.json(ask({ ...next, truncation: 'auto' }, '/v1/responses/input_tokens'))
  expect(counted.input_tokens).toBe(usage.input_tokens)
})

test('the result of a tool is dropped with its call', () => {
  const call = { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: JSON.stringify({ query: LONG }) }
  const input = [call, { type: 'function_call_output', call_id: 'call_1', output: 'found' }, user('Hi')]
  const { usage } = mock().json(ask({ input, truncation: 'auto' }))
  expect(usage.input_tokens).toBe(mock().json(ask({ input: 'Hi' })).usage.input_tokens)
})

test('a last message that is too long alone is refused', () => {
  expect(mock().json(ask({ input: `${LONG} ${LONG}`, truncation: 'auto' })).error.code).toBe('context_length_exceeded')
})
