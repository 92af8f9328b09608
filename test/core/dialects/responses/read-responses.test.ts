/** The body of a responses call, read as the neutral turn that chat has too. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChat } from '../../../../src/core/dialects/chat/read-chat.ts'
import { readResponses } from '../../../../src/core/dialects/responses/read-responses.ts'

const messagesOf = (body: object) => readResponses({ model: 'gpt-4o', ...body }).messages

test('a string is one user message, after the instructions', () => {
  expect(messagesOf({ input: 'Hi' })).toEqual([{ role: 'user', content: 'Hi' }])
  expect(messagesOf({ input: 'Hi', instructions: 'Be brief.' })).toEqual([
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ])
  expect(messagesOf({ input: '', instructions: null })).toEqual([{ role: 'user', content: '' }])
  expect(messagesOf({ input: [{ type: null, role: 'user', content: 'Hi' }] })).toEqual([
    { role: 'user', content: 'Hi' },
  ])
})

test('parts of messages become the parts of chat', () => {
  const input = [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBER' },
      ],
    },
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'A dog', annotations: [] },
        { type: 'refusal', refusal: 'No' },
      ],
    },
  ]
  expect(messagesOf({ input })).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBER' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'A dog' },
        { type: 'refusal', refusal: 'No' },
      ],
    },
  ])
})

test('calls in a row become one message, outputs become tool messages, and reasoning is left out', () => {
  const input = [
    { role: 'user', content: 'Weather?' },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'function_call', call_id: 'call_2', name: 'weather', arguments: '{"city":"Rome"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'Snow' },
    { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Sun' }] },
    { type: 'item_reference', id: 'msg_1' },
  ]
  expect(messagesOf({ input })).toEqual([
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Snow' },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'Sun' }] },
    { role: 'item_reference', id: 'msg_1' },
  ])
})

test('tools are flat, and strict unless they say otherwise', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  const tools = [
    { type: 'function', name: 'a', parameters },
    { type: 'function', name: 'b', description: 'B', parameters: {}, strict: null },
    { type: 'function', name: 'c', strict: false },
  ]
  const read = (choice?: unknown) => readResponses({ model: 'gpt-4o', tools, tool_choice: choice }).tools
  expect(read().declared).toEqual([
    { type: 'function', name: 'a', description: '', schema: parameters, format: undefined, isStrict: true },
    { type: 'function', name: 'b', description: 'B', schema: undefined, format: undefined, isStrict: false },
    { type: 'function', name: 'c', description: '', schema: undefined, format: undefined, isStrict: false },
  ])
  const names = (choice?: unknown) => read(choice).allowed.map(({ name }) => name)
  expect(names()).toEqual(['a', 'b', 'c'])
  expect(names('none')).toEqual([])
  expect(read({ type: 'function', name: 'b' })).toMatchObject({ isForced: true, isNamed: true })
  expect(names({ type: 'function', name: 'b' })).toEqual(['b'])
  const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'c' }] }
  expect(names(allowed)).toEqual(['c'])
  expect(read(allowed)).toMatchObject({ isForced: false, isNamed: false })
  expect(read({ ...allowed, mode: 'required' }).isForced).toBe(true)
})

test('settings have the names of this dialect', () => {
  const schema = { type: 'object', properties: {} }
  const turn = readResponses({
    model: 'o3',
    input: 'Hi',
    text: { format: { type: 'json_schema', name: 'answer', schema } },
    reasoning: { effort: 'low' },
    max_output_tokens: 20,
    include: ['message.output_text.logprobs'],
    top_logprobs: 2,
    stream: true,
    stream_options: { include_obfuscation: false },
    service_tier: 'flex',
    parallel_tool_calls: false,
    tools: [],
  })
  expect(turn).toMatchObject({
    format: { type: 'json_schema', name: 'answer', schema },
    effort: 'low',
    maxTokens: 20,
    topLogprobs: 2,
    isStream: true,
    includeObfuscation: false,
    serviceTier: 'flex',
    tools: { isParallel: false },
  })
  // Without the value of `include`, `top_logprobs` has no effect; the value alone suffices.
  expect(readResponses({ model: 'o3', top_logprobs: 2 }).topLogprobs).toBeUndefined()
  expect(readResponses({ model: 'o3', include: ['message.output_text.logprobs'] }).topLogprobs).toBe(0)
})

test('the same conversation is the same turn in both dialects', () => {
  const chat = readChat({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 })
  const responses = readResponses({ model: 'gpt-4o', input: 'Hi', max_output_tokens: 20 })
  expect({ ...responses, includeUsage: false }).toEqual(chat)
})

test('no body makes the reader throw', () => {
  const key = fc.constantFrom(
    ...['input', 'tools', 'tool_choice', 'text', 'reasoning', 'include', 'stream_options', 'instructions', 'content'],
    ...['type', 'role', 'id', 'output', 'format', 'name', 'parameters', 'effort', 'mode', 'schema', 'call_id'],
  )
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('message', 'function_call', 'function_call_output', 'reasoning', 'item_reference', 'json_schema'),
      fc.jsonValue(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 8 }), (body) => {
      readResponses(body)
    }),
  )
})

test('100,000 items are read in one pass', () => {
  const input = Array.from({ length: 50_000 }, (_, index) => [
    { type: 'function_call', call_id: `call_${index}`, name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: `call_${index}`, output: 'ok' },
  ]).flat()
  expect(messagesOf({ input })).toHaveLength(100_000)
})
