/** Bodies of any shape for POST /v1/responses: each gets an answer, and large ones in linear time. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callPairProblem, itemProblem } from '../../../../../src/core/decide/endpoints/responses-endpoint.ts'
import { readItems } from '../../../../../src/core/dialects/responses/read-responses.ts'
import { mockWith } from '../../../../support/core.ts'

const mocks = [mockWith({ validation: 'strict' }), mockWith()]
const statusesOf = (body: object): number[] =>
  mocks.map((mock) => mock.answer({ method: 'POST', path: '/v1/responses', body }).status)

const names = [
  ...['input', 'tools', 'tool_choice', 'text', 'reasoning', 'include', 'stream_options', 'instructions', 'content'],
  ...['type', 'role', 'id', 'output', 'format', 'name', 'parameters', 'effort', 'mode', 'schema', 'call_id', 'strict'],
  ...['arguments', 'summary', 'encrypted_content', 'image_url', 'file_data', 'file_url', 'temperature', 'stream'],
]
const texts = [
  ...['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference', 'input_text', 'input_file'],
  ...['input_image', 'output_text', 'function', 'allowed_tools', 'json_schema', 'json_object', 'user', 'assistant'],
  ...[
    'web_search',
    'custom',
    'required',
    'rs_1',
    'fc_1',
    'msg_1',
    'call_1',
    'data:audio/mpeg;base64,AA',
    'http://x/a.mp3',
  ],
]

test('a body of any shape is answered or refused', () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...texts),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
    ),
  }))
  const body = fc.record({
    model: fc.constantFrom('gpt-4o', 'o3', 'gpt-5.6'),
    input: fc.oneof(value, fc.array(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 }), { maxLength: 5 })),
  })
  const more = fc.dictionary(fc.constantFrom(...names.slice(1)), value, { maxKeys: 4 })
  fc.assert(
    fc.property(body, more, (start, rest) => {
      for (const status of statusesOf({ ...rest, ...start })) expect([200, 400, 404]).toContain(status)
    }),
  )
})

// Quadratic time would be minutes here, and end at the time-out.
test('100,000 items are checked in linear time', () => {
  const pairs = Array.from({ length: 50_000 }, (_, index) => [
    { type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: `call_${index}`, output: 'ok' },
  ]).flat()
  expect(itemProblem({ input: pairs })).toBeUndefined()
  expect(callPairProblem(readItems(pairs))).toBeUndefined()
  expect(callPairProblem(readItems(pairs.toReversed()))?.name).toBe('missing-tool-call')
})

test('a call of 10 MB is answered, and one of too many values is refused', () => {
  const part = { type: 'input_text', text: 'word '.repeat(2000) }
  const input = Array.from({ length: 990 }, () => ({ role: 'user', content: [part] }))
  expect(statusesOf({ model: 'gpt-4o', input })).toEqual([200, 200])
  expect(statusesOf({ model: 'gpt-4o', input: Array(100_000).fill({ role: 'user', content: '' }) })).toEqual([400, 400])
})
