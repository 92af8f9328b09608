/** The checks of request bodies: each wrong field is a 400 that names it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMBEDDING_FIELDS } from '../../../../../src/core/decide/endpoints/embeddings-endpoint.ts'
import { CHAT_FIELDS } from '../../../../../src/core/dialects/chat/chat-fields.ts'
import { type CallOverrides, type CoreMock, HELLO, mockWith, read } from '../../../../support/core.ts'

const EMBEDDINGS = '/v1/embeddings'
const TEXT = { model: 'hash-1', input: 'Hello there!' }

const chat = (more: object): CallOverrides => ({ body: { ...HELLO, ...more } })
const embeddings = (more: object): CallOverrides => ({ path: EMBEDDINGS, body: { ...TEXT, ...more } })
const messages = (...all: unknown[]): CallOverrides => chat({ messages: all })

/** The fields of a refused call that clients look at. */
function refusal(
  call: CallOverrides,
  mock = mockWith(),
): { status: number; code: string | null; param: string | null } {
  const { status, text } = mock.answer(call)
  const { code, param } = JSON.parse(text).error ?? { code: 'none', param: 'none' }
  return { status, code, param }
}

const strict = (more: object = {}): CoreMock => mockWith({ validation: 'strict', ...more })

// Types

const MISTYPED: Readonly<Record<string, unknown>> = {
  functions: 'f',
  function_call: 1,
  tools: {},
  tool_choice: 1,
  parallel_tool_calls: 'yes',
  max_completion_tokens: '10',
  n: 1.5,
  temperature: '1',
  top_p: true,
  presence_penalty: [],
  frequency_penalty: {},
  logprobs: 1,
  top_logprobs: '2',
  user: 7,
  seed: 'seven',
  moderation: 'low',
  safety_identifier: 7,
  prompt_cache_options: 'all',
  prompt_cache_key: {},
  prompt_cache_retention: 24,
  response_format: 'json_object',
  service_tier: 1,
  max_tokens: 1.5,
  reasoning_effort: 3,
  logit_bias: [1, 2],
  stop: 1,
  stream: 'true',
  stream_options: [],
  store: 'no',
  metadata: 'a=b',
  prediction: 'soon',
  verbosity: true,
  modalities: 'text',
  audio: 'alloy',
  web_search_options: true,
}

test('every optional chat parameter is in the table of wrong types', () => {
  const required = ['model', 'messages']
  expect(Object.keys(MISTYPED).sort()).toEqual(CHAT_FIELDS.names.filter((name) => !required.includes(name)).sort())
})

test.each(Object.entries(MISTYPED))('chat: %s of a wrong type is a 400 that names it', (name, value) => {
  expect(refusal(chat({ [name]: value }))).toEqual({ status: 400, code: 'invalid_type', param: name })
})

test.each(Object.keys(MISTYPED))('chat: %s as null counts as absent', (name) => {
  expect(strict().answer(chat({ [name]: null })).status).toBe(200)
})

const MISTYPED_EMBEDDINGS: Readonly<Record<string, unknown>> = { dimensions: '256', encoding_format: 1, user: 7 }

test('every optional embeddings parameter is in the table of wrong types', () => {
  const required = ['model', 'input']
  expect(Object.keys(MISTYPED_EMBEDDINGS).sort()).toEqual(
    EMBEDDING_FIELDS.names.filter((name) => !required.includes(name)).sort(),
  )
})

test.each(Object.entries(MISTYPED_EMBEDDINGS))(
  'embeddings: %s of a wrong type is a 400 that names it',
  (name, value) => {
    expect(refusal(embeddings({ [name]: value }))).toEqual({ status: 400, code: 'invalid_type', param: name })
  },
)

test.each(Object.keys(MISTYPED_EMBEDDINGS))('embeddings: %s as null counts as absent', (name) => {
  expect(strict().answer(embeddings({ [name]: null })).status).toBe(200)
})

test.each([
  ['a string', 'x', 'an array of objects, but got a string'],
  ['a number', 5, 'an array of objects, but got an integer'],
  ['a decimal number', 5.5, 'an array of objects, but got a decimal number'],
  ['a boolean', true, 'an array of objects, but got a boolean'],
  ['an object', {}, 'an array of objects, but got an object'],
])('messages as %s: the error names the expected type and the given one', (_, value, words) => {
  const { error } = mockWith().json(chat({ messages: value }))
  expect(error).toMatchObject({ code: 'invalid_type', param: 'messages' })
  expect(error.message).toBe(`Invalid type for 'messages': expected ${words} instead.`)
})

test.each([
  ['a number', 5],
  ['a boolean', false],
  ['a list', ['echo-1']],
  ['an object', {}],
])('model as %s is a 400 that names it', (_, model) => {
  expect(refusal(chat({ model }))).toEqual({ status: 400, code: 'invalid_type', param: 'model' })
  expect(mockWith().json(chat({ model })).error.message).toContain(
    "Invalid type for 'model': expected a string, but got ",
  )
})

test.each([
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
])('a %s model is refused with the message of the service, on both endpoints', (_, model) => {
  for (const call of [chat({ model }), embeddings({ model })]) {
    expect(mockWith().json(call).error).toEqual({
      message: 'you must provide a model parameter',
      type: 'invalid_request_error',
      param: null,
      code: null,
    })
  }
})

test.each([
  ['chat', chat({ messages: undefined }), 'messages'],
  ['embeddings', embeddings({ input: undefined }), 'input'],
  ['embeddings', embeddings({ input: null }), 'input'],
] as const)('%s without %o misses its required parameter', (_, call, param) => {
  expect(refusal(call)).toEqual({ status: 400, code: 'missing_required_parameter', param })
})

// Paths

const tool = (declaration: object): object => ({ tools: [{ type: 'function', function: declaration }] })
const toolCalls = (call: object): CallOverrides => messages({ role: 'assistant', tool_calls: [call] })
const format = (json_schema: unknown): object => ({ response_format: { type: 'json_schema', json_schema } })

test.each([
  ['messages[0]', 'invalid_type', messages('hi')],
  ['messages[1]', 'invalid_type', messages({ role: 'user', content: 'hi' }, null)],
  ['messages[0].role', 'missing_required_parameter', messages({ content: 'hi' })],
  ['messages[0].role', 'invalid_type', messages({ role: null, content: 'hi' })],
  ['messages[0].role', 'invalid_type', messages({ role: 5, content: 'hi' })],
  ['messages[0].role', 'invalid_value', messages({ role: 'bogus', content: 'hi' })],
  ['messages[0].role', 'invalid_value', messages({ role: 'constructor', content: 'hi' })],
  ['messages[0].role', 'invalid_value', messages({ role: '__proto__', content: 'hi' })],
  ['messages[0].content', 'invalid_type', messages({ role: 'user', content: 5 })],
  ['messages[0].name', 'invalid_type', messages({ role: 'user', content: 'hi', name: 5 })],
  ['messages[0].content[0]', 'invalid_type', messages({ role: 'user', content: ['hi'] })],
  ['messages[0].content[0].type', 'missing_required_parameter', messages({ role: 'user', content: [{}] })],
  [
    'messages[1].content[0].type',
    'invalid_value',
    messages({ role: 'user', content: 'hi' }, { role: 'user', content: [{ type: 'smell' }] }),
  ],
  [
    'messages[0].content[0].text',
    'missing_required_parameter',
    messages({ role: 'user', content: [{ type: 'text' }] }),
  ],
  ['messages[0].content[0].text', 'invalid_type', messages({ role: 'user', content: [{ type: 'text', text: 5 }] })],
  [
    'messages[0].content[0].image_url',
    'invalid_type',
    messages({ role: 'user', content: [{ type: 'image_url', image_url: 'data:,' }] }),
  ],
  [
    'messages[0].content[0].image_url.detail',
    'invalid_value',
    messages({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,', detail: 'fine' } }] }),
  ],
  [
    'messages[0].content[0].input_audio.format',
    'invalid_value',
    messages({ role: 'user', content: [{ type: 'input_audio', input_audio: { data: '', format: 'ogg' } }] }),
  ],
  ['messages[0].tool_calls', 'empty_array', messages({ role: 'assistant', tool_calls: [] })],
  [
    'messages[0].tool_calls[0].id',
    'missing_required_parameter',
    toolCalls({ type: 'function', function: { name: 'f', arguments: '{}' } }),
  ],
  [
    'messages[0].tool_calls[0].type',
    'missing_required_parameter',
    toolCalls({ id: 'call_1', function: { name: 'f', arguments: '{}' } }),
  ],
  [
    'messages[0].tool_calls[0].function.arguments',
    'invalid_type',
    toolCalls({ id: 'call_1', type: 'function', function: { name: 'f', arguments: {} } }),
  ],
  ['messages[0].tool_call_id', 'missing_required_parameter', messages({ role: 'tool', content: '21' })],
  ['messages[0].name', 'missing_required_parameter', messages({ role: 'function', content: '21' })],
  ['tools[0].type', 'missing_required_parameter', chat({ tools: [{ function: { name: 'f' } }] })],
  ['tools[0].type', 'invalid_value', chat({ tools: [{ type: 'retrieval' }] })],
  ['tools[0].function', 'missing_required_parameter', chat({ tools: [{ type: 'function' }] })],
  ['tools[0].function.name', 'missing_required_parameter', chat(tool({}))],
  ['tools[0].function.name', 'empty_string', chat(tool({ name: '' }))],
  ['tools[0].function.name', 'string_above_max_length', chat(tool({ name: 'f'.repeat(65) }))],
  ['tools[0].function.parameters', 'invalid_type', chat(tool({ name: 'f', parameters: 'none' }))],
  ['tools[0].function.strict', 'invalid_type', chat(tool({ name: 'f', strict: 'yes' }))],
  ['tools[0].custom.name', 'empty_string', chat({ tools: [{ type: 'custom', custom: { name: '' } }] })],
  ['tool_choice', 'invalid_value', chat({ tool_choice: 'sometimes' })],
  [
    'tool_choice.function.name',
    'missing_required_parameter',
    chat({ tool_choice: { type: 'function', function: {} } }),
  ],
  [
    'tool_choice.allowed_tools.mode',
    'invalid_value',
    chat({ tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'none', tools: [] } } }),
  ],
  ['functions', 'empty_array', chat({ functions: [] })],
  ['functions[0].name', 'missing_required_parameter', chat({ functions: [{}] })],
  ['function_call.name', 'missing_required_parameter', chat({ function_call: {} })],
  ['response_format.type', 'invalid_value', chat({ response_format: { type: 'yaml' } })],
  ['response_format.json_schema', 'missing_required_parameter', chat({ response_format: { type: 'json_schema' } })],
  ['response_format.json_schema', 'invalid_type', chat(format(null))],
  ['response_format.json_schema.name', 'missing_required_parameter', chat(format({}))],
  ['response_format.json_schema.name', 'string_above_max_length', chat(format({ name: 'n'.repeat(65) }))],
  ['response_format.json_schema.schema', 'invalid_type', chat(format({ name: 'n', schema: 'any' }))],
  ['stream_options.include_usage', 'invalid_type', chat({ stream: true, stream_options: { include_usage: 1 } })],
  [
    'stream_options.include_obfuscation',
    'invalid_type',
    chat({ stream: true, stream_options: { include_obfuscation: 'no' } }),
  ],
  ['prediction.type', 'invalid_value', chat({ prediction: { type: 'guess' } })],
  ['prediction.content', 'missing_required_parameter', chat({ prediction: { type: 'content' } })],
  ['modalities[1]', 'invalid_value', chat({ modalities: ['text', 'video'] })],
  ['stop[1]', 'invalid_type', chat({ stop: ['a', 5] })],
  ['metadata.k', 'invalid_type', chat({ metadata: { k: 5 } })],
  ['logit_bias.50256', 'invalid_type', chat({ logit_bias: { 50256: 'never' } })],
  ['encoding_format', 'invalid_value', embeddings({ encoding_format: 'hex' })],
  ['input', 'invalid_type', embeddings({ input: {} })],
  ['input[1]', 'invalid_type', embeddings({ input: ['a', {}] })],
  ['input[0][1]', 'invalid_type', embeddings({ input: [[1, 'b']] })],
  ['input[0]', 'integer_below_min_value', embeddings({ input: [-1] })],
] as const)('%s: %s', (param, code, call) => {
  expect(refusal(call)).toEqual({ status: 400, code, param })
})

// Ranges

const range = (name: string, kind: 'decimal' | 'integer', least: number, most: number, step: number) =>
  [name, kind, least, most, step] as const

test.each([
  range('temperature', 'decimal', 0, 2, 0.01),
  range('top_p', 'decimal', 0, 1, 0.01),
  range('presence_penalty', 'decimal', -2, 2, 0.01),
  range('frequency_penalty', 'decimal', -2, 2, 0.01),
  range('n', 'integer', 1, 128, 1),
  range('top_logprobs', 'integer', 0, 20, 1),
])('%s is %s from %d to %d inclusive', (name, kind, least, most, step) => {
  const asked = (value: number): CallOverrides => chat({ [name]: value, logprobs: true })
  expect(mockWith().answer(asked(least)).status).toBe(200)
  expect(mockWith().answer(asked(most)).status).toBe(200)
  expect(refusal(asked(least - step))).toEqual({ status: 400, code: `${kind}_below_min_value`, param: name })
  expect(refusal(asked(most + step))).toEqual({ status: 400, code: `${kind}_above_max_value`, param: name })
})

test.each(['max_tokens', 'max_completion_tokens'])('%s is at least 1', (name) => {
  expect(mockWith().answer(chat({ [name]: 1 })).status).toBe(200)
  expect(refusal(chat({ [name]: 0 }))).toEqual({ status: 400, code: 'integer_below_min_value', param: name })
})

const named = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']))

test.each([
  ['16 keys', { store: true, metadata: named(16) }],
  ['a key of 64 characters', { store: true, metadata: { ['k'.repeat(64)]: 'v' } }],
  ['a value of 512 characters', { store: true, metadata: { k: 'v'.repeat(512) } }],
  ['4 stop sequences', { stop: ['1', '2', '3', '4'] }],
  ['0 stop sequences', { stop: [] }],
  ['128 functions', { functions: Array.from({ length: 128 }, (_, index) => ({ name: `f${index}` })) }],
])('%s are accepted', (_, more) => {
  expect(strict().answer(chat(more)).status).toBe(200)
})

test.each([
  ['17 metadata keys', { metadata: named(17) }, 'object_above_max_properties', 'metadata'],
  [
    'a metadata key of 65 characters',
    { metadata: { ['k'.repeat(65)]: 'v' } },
    'property_name_above_max_length',
    `metadata.${'k'.repeat(65)}`,
  ],
  ['a metadata value of 513 characters', { metadata: { k: 'v'.repeat(513) } }, 'string_above_max_length', 'metadata.k'],
  ['5 stop sequences', { stop: ['1', '2', '3', '4', '5'] }, 'array_above_max_length', 'stop'],
  [
    '129 functions',
    { functions: Array.from({ length: 129 }, () => ({ name: 'f' })) },
    'array_above_max_length',
    'functions',
  ],
  ['no messages', { messages: [] }, 'empty_array', 'messages'],
] as const)('%s are too many or too few', (_, more, code, param) => {
  expect(refusal(chat(more))).toEqual({ status: 400, code, param })
})

test.each([
  ['reasoning_effort', ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']],
  ['verbosity', ['low', 'medium', 'high']],
  ['service_tier', ['auto', 'default', 'fast', 'flex', 'priority']],
])('%s accepts its values and no others', (name, values) => {
  for (const value of values) expect(strict().answer(chat({ [name]: value })).status).toBe(200)
  expect(refusal(chat({ [name]: 'bogus' }))).toEqual({ status: 400, code: 'invalid_value', param: name })
})

// Content

test.each([
  ['an empty string', { role: 'user', content: '' }],
  ['an empty list', { role: 'user', content: [] }],
  ['null beside a refusal', { role: 'assistant', content: null, refusal: 'No.' }],
  ['null beside a function call', { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }],
  ['null as a function result', { role: 'function', name: 'f', content: null }],
])('content: %s is accepted', (_, message) => {
  expect(strict().answer(messages(message)).status).toBe(200)
})

test.each(['system', 'user', 'assistant'])('content: a %s message without any is refused', (role) => {
  for (const message of [{ role }, { role, content: null }]) {
    expect(mockWith().json(messages(message)).error).toEqual({
      message: "Invalid value for 'content': expected a string, got null.",
      type: 'invalid_request_error',
      param: 'messages.[0].content',
      code: null,
    })
  }
})

// Unknown parameters

test('strict: an unknown parameter is a 400 that suggests a known one', () => {
  const { status, text } = strict().answer(chat({ stor: true }))
  expect(status).toBe(400)
  expect(JSON.parse(text).error).toEqual({
    message: "Unknown parameter: 'stor'. Did you mean 'stop' or 'store'?",
    type: 'invalid_request_error',
    param: 'stor',
    code: 'unknown_parameter',
  })
})

test('strict: an unknown parameter without a similar known one is a 400 without a suggestion', () => {
  expect(strict().json(chat({ zzzzzz: 1 })).error.message).toBe("Unknown parameter: 'zzzzzz'.")
  expect(strict().json(embeddings({ dimension: 5 })).error.message).toContain("Did you mean 'dimensions'?")
})

test('lenient: an unknown parameter is accepted, and a note suggests a known one', () => {
  const plan = mockWith().plan(chat({ temprature: 1 }))
  expect(read(plan).status).toBe(200)
  expect(plan.notes).toEqual(["unknown parameter 'temprature', did you mean 'temperature'?"])
})

test('lenient: x-mock-explain shows the note', () => {
  const { headers } = mockWith().answer({ ...chat({ temprature: 1 }), headers: { 'x-mock-explain': '1' } })
  expect(headers['x-mock-note']).toBe("unknown parameter 'temprature', did you mean 'temperature'?")
})

test.each([
  ['stream_options.bogus', chat({ stream: true, stream_options: { bogus: 1 } })],
  ['response_format.schema', chat({ response_format: { type: 'text', schema: {} } })],
])('the unknown parameter %s inside another one is refused with its path', (path, call) => {
  expect(strict().json(call).error).toMatchObject({
    message: `Unknown parameter: '${path}'.`,
    code: 'unknown_parameter',
    param: path,
  })
})

test('lenient differs in unknown parameters only', () => {
  for (const [name, value] of Object.entries(MISTYPED)) {
    const call = chat({ [name]: value })
    expect(strict().answer(call).text).toBe(mockWith().answer(call).text)
  }
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
  "the key '%s' is a parameter like any other unknown one",
  (key) => {
    const body = `{"model":"echo-1","messages":[{"role":"user","content":"hi"}],${JSON.stringify(key)}:1}`
    expect(refusal({ body }, strict())).toEqual({ status: 400, code: 'unknown_parameter', param: key })
    expect(mockWith().answer({ body }).status).toBe(200)
  },
)

test('the number of notes is bounded for any number of unknown parameters', () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`unknown-parameter-${index}`, 1]))
  const { notes } = mockWith().plan(chat(many))
  expect(notes.length).toBeGreaterThan(0)
  expect(JSON.stringify(notes).length).toBeLessThan(16_384)
})

// Order

/** The service's order, from missing parameters to missing content: each of these is wrong in its own way. */
const ORDER: readonly (readonly [param: string, wrong: object])[] = [
  ...[
    'functions',
    'function_call',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'max_completion_tokens',
    'n',
    'temperature',
    'top_p',
    'presence_penalty',
    'frequency_penalty',
    'logprobs',
    'top_logprobs',
    'user',
    'seed',
    'moderation',
    'safety_identifier',
    'prompt_cache_options',
    'prompt_cache_key',
    'prompt_cache_retention',
    'response_format',
    'service_tier',
    'max_tokens',
    'reasoning_effort',
    'logit_bias',
    'stop',
    'stream',
    'stream_options',
    'store',
    'metadata',
    'prediction',
    'verbosity',
  ].map((name) => [name, { [name]: MISTYPED[name] }] as const),
]

test('of two wrong fields, the error names the first in the order of the service', () => {
  for (const [place, [first, wrong]] of ORDER.entries()) {
    for (const [, other] of ORDER.slice(place + 1)) {
      // The order of the keys in the body must not matter.
      expect(refusal(chat({ ...other, ...wrong })).param).toBe(first)
      expect(refusal(chat({ ...wrong, ...other })).param).toBe(first)
    }
  }
})

test('problems are found in the order model, messages, unknown keys, messages again, fields, content', () => {
  const wrong = { zzzzzz: 1, temperature: 3 }
  const noContent = [{ role: 'user' }]
  const found = [
    { ...wrong },
    { model: 'echo-1', ...wrong },
    { model: 'echo-1', messages: [{ role: 'bogus' }], ...wrong },
    { model: 'echo-1', messages: [{ role: 'bogus' }], temperature: 3 },
    { model: 'echo-1', messages: noContent, temperature: 3 },
    { model: 'echo-1', messages: noContent },
    { model: 'echo-1', messages: [{ role: 'user', content: 'hi' }] },
  ].map((body) => refusal({ body }, strict()).param)
  expect(found).toEqual([null, 'messages', 'zzzzzz', 'messages[0].role', 'temperature', 'messages.[0].content', 'none'])
})

test('of several unknown parameters, the error names the first in the body', () => {
  expect(refusal(chat({ yyyyyy: 1, zzzzzz: 1 }), strict()).param).toBe('yyyyyy')
})

// Fields that need each other

const USER = { role: 'user', content: 'hi' }
const call = (id: string): object => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const calls = (...ids: string[]): object => ({ role: 'assistant', content: null, tool_calls: ids.map(call) })
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'done' })

test.each([
  ['top_logprobs without logprobs', chat({ top_logprobs: 2 }), 'top_logprobs'],
  ['top_logprobs with logprobs: false', chat({ top_logprobs: 2, logprobs: false }), 'top_logprobs'],
  ['stream_options without stream', chat({ stream_options: {} }), 'stream_options'],
  ['stream_options with stream: false', chat({ stream: false, stream_options: {} }), 'stream_options'],
  ['tool_choice without tools', chat({ tool_choice: 'auto' }), 'tool_choice'],
  [
    'tool_choice of an undeclared tool',
    chat({ ...tool({ name: 'g' }), tool_choice: { type: 'function', function: { name: 'f' } } }),
    'function_call',
  ],
  [
    'function_call of an undeclared function',
    chat({ functions: [{ name: 'g' }], function_call: { name: 'f' } }),
    'function_call',
  ],
  ['a tool call at the end', messages(USER, calls('call_1')), 'messages.[2].role'],
  ['a tool call passed over', messages(USER, calls('call_1'), USER), 'messages.[2].role'],
  [
    'one of two tool calls passed over',
    messages(USER, calls('call_1', 'call_2'), result('call_1'), USER),
    'messages.[3].role',
  ],
  ['a tool result without a call', messages(USER, result('call_1')), 'messages.[1].role'],
  ['a tool result for another call', messages(calls('call_1'), result('call_2')), 'messages.[1].role'],
  ['JSON mode without the word', chat({ response_format: { type: 'json_object' } }), 'messages'],
] as const)('%s is refused', (_, asked, param) => {
  expect(refusal(asked)).toEqual({ status: 400, code: null, param })
})

test.each([
  ['top_logprobs with logprobs', chat({ top_logprobs: 2, logprobs: true })],
  [
    'tool_choice of a declared tool',
    chat({ ...tool({ name: 'f' }), tool_choice: { type: 'function', function: { name: 'f' } } }),
  ],
  ['function_call of a declared function', chat({ functions: [{ name: 'f' }], function_call: { name: 'f' } })],
  [
    'tool calls answered in another order',
    messages(USER, calls('call_1', 'call_2'), result('call_2'), result('call_1')),
  ],
  [
    'JSON mode with the word in a system message',
    chat({
      response_format: { type: 'json_object' },
      messages: [{ role: 'system', content: 'Answer in JSON.' }, USER],
    }),
  ],
] as const)('%s is accepted', (_, asked) => {
  expect(strict().answer(asked).status).toBe(200)
})

test('an unanswered tool call is named by its id', () => {
  const { error } = mockWith().json(messages(USER, calls('call_1', 'call_2'), result('call_1')))
  expect(error.message.endsWith('did not have response messages: call_2')).toBe(true)
})

// Models

test('max_tokens for a reasoning model is refused in favour of max_completion_tokens', () => {
  const mock = mockWith({ models: { 'think-1': { reasoning: true } } })
  expect(refusal(chat({ model: 'think-1', max_tokens: 5 }), mock)).toEqual({
    status: 400,
    code: 'unsupported_parameter',
    param: 'max_tokens',
  })
  expect(mock.answer(chat({ model: 'think-1', max_completion_tokens: 5 })).status).toBe(200)
  expect(mock.answer(chat({ model: 'think-1', max_tokens: null })).status).toBe(200)
})

test.each(['max_tokens', 'max_completion_tokens'])('%s may be the maximum output of the model', (name) => {
  const mock = mockWith({ models: { 'echo-1': { maxOutputTokens: 100 } } })
  expect(mock.answer(chat({ [name]: 100 })).status).toBe(200)
  expect(refusal(chat({ [name]: 101 }), mock)).toEqual({ status: 400, code: 'invalid_value', param: name })
})

test('a model may refuse an effort, parameters, and values other than the default', () => {
  const mock = mockWith({
    validation: 'strict',
    models: { 'plain-1': { supports: { without: ['stop'], onlyDefault: ['temperature'], efforts: [] } } },
  })
  const errorOf = (body: object) => mock.json(chat({ model: 'plain-1', ...body })).error
  expect(errorOf({ reasoning_effort: 'low' }).message).toContain('reasoning_effort')
  expect(errorOf({ stop: 'end' }).param).toBe('stop')
  expect(errorOf({ temperature: 0 }).param).toBe('temperature')
  expect([errorOf({ temperature: 1 }), errorOf({ stop: null, reasoning_effort: null })]).toEqual([undefined, undefined])
})

test.each([
  ['chat', { 'hash-1': { endpoint: 'embeddings' } }, chat({ model: 'hash-1' }), 404],
  ['embeddings', { 'echo-1': { endpoint: 'chat' } }, embeddings({ model: 'echo-1' }), 403],
] as const)('a model of the other endpoint is refused at %s', (_, models, asked, status) => {
  expect(mockWith({ models }).answer(asked).status).toBe(status)
})

// The body itself

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['a byte order mark', `\uFEFF${JSON.stringify(HELLO)}`],
  ['a list', '[]'],
  ['a number', '5'],
  ['null', 'null'],
  ['a text', '"hello"'],
])('%s as a body is answered like unreadable JSON', (_, body) => {
  const { error } = mockWith().json({ body })
  expect(error.message).toMatch(/^We could not parse the JSON body of your request\./)
  expect(error).toMatchObject({ type: 'invalid_request_error', param: null, code: null })
})

test.each([
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON', 200],
  ['application/vnd.api+json', 200],
  ['text/plain', 400],
  ['application/jsonp', 400],
  ['application/x-www-form-urlencoded', 400],
])('content-type %s gives %d', (contentType, status) => {
  expect(mockWith().answer({ headers: { 'content-type': contentType } }).status).toBe(status)
})

// Anything at all

const JSON_VALUE = fc.oneof(
  { weight: 5, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '1e999',
      '-1e999',
      '-0',
      '1e-999',
      '"\\ud800"',
      '{"__proto__":{"a":1}}',
      '9'.repeat(400),
    ),
  },
)
const ROLE = fc.constantFrom('system', 'user', 'assistant', 'tool', 'function', 'developer', 'constructor')
const PART = fc.constantFrom('text', 'refusal', 'image_url', 'input_audio', 'file', 'toString')
const quoted = (text: string): string => JSON.stringify(text)
const objectText = (entries: readonly (readonly [string, string])[]): string =>
  `{${entries.map(([key, value]) => `${quoted(key)}:${value}`).join(',')}}`

const someOf = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty') },
  )
const fieldsOf = (names: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.tuple(someOf(names), JSON_VALUE), { maxLength }).map(objectText)

const CONTENT_PART = fc.tuple(PART, JSON_VALUE).map(([type, value]) =>
  objectText([
    ['type', quoted(type)],
    [type, value],
    ['text', value],
  ]),
)
const MESSAGE = fc
  .tuple(
    ROLE,
    fc.oneof(
      JSON_VALUE,
      fc.string({ unit: 'binary' }).map(quoted),
      fc.array(CONTENT_PART, { maxLength: 3 }).map((parts) => `[${parts}]`),
    ),
    fc.array(fc.tuple(someOf(['name', 'tool_calls', 'tool_call_id', 'function_call', 'refusal']), JSON_VALUE), {
      maxLength: 2,
    }),
  )
  .map(([role, content, more]) => objectText([['role', quoted(role)], ['content', content], ...more]))

const BODY = fc.oneof(
  JSON_VALUE,
  fieldsOf([...CHAT_FIELDS.names, ...EMBEDDING_FIELDS.names], 6),
  fc
    .tuple(
      fc.oneof(fc.constant('"echo-1"'), fc.string({ unit: 'binary' }).map(quoted)),
      fc.oneof(
        JSON_VALUE,
        fc.array(MESSAGE, { maxLength: 4 }).map((all) => `[${all}]`),
      ),
      fc.oneof(
        JSON_VALUE,
        fc.string({ unit: 'binary' }).map(quoted),
        fc.array(fc.integer({ min: 0, max: 250_000 }), { maxLength: 5 }).map((ids) => `[${ids}]`),
      ),
      fc.array(fc.tuple(someOf(CHAT_FIELDS.names), JSON_VALUE), { maxLength: 3 }),
    )
    .map(([model, all, input, more]) => objectText([['model', model], ['messages', all], ['input', input], ...more])),
)

// What a header may hold on the wire: node:http throws at anything else.
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

test.each(['/v1/chat/completions', EMBEDDINGS])(
  '%s: any body whatsoever is answered or refused in the envelope',
  (path) => {
    const mocks = (['strict', 'lenient'] as const).map((validation) =>
      mockWith({
        validation,
        limits: { tokens: '1000000000 per minute' },
        replies: [{ when: { tool: 'f', system: 'pirate' }, say: '{{user}}' }],
      }),
    )
    fc.assert(
      fc.property(BODY, fc.constantFrom(...mocks), (body, mock) => {
        const { status, headers, text } = mock.answer({ path, body, headers: { 'x-mock-explain': '1' } })
        expect(Object.values(headers).filter((value) => !HEADER_VALUE.test(value))).toEqual([])
        if (status === 200) return
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        const { error } = JSON.parse(text)
        expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
        expect(typeof error.message).toBe('string')
      }),
      { numRuns: 500 },
    )
  },
)

test.each([
  ['lists', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
])('10,000 nested %s are answered in any field', (_, deep) => {
  for (const name of ['messages', 'metadata', 'tools', 'zzzzzz', 'input']) {
    const body = `{"model":"echo-1","messages":[{"role":"user","content":"hi"}],"${name}":${deep}}`
    for (const path of ['/v1/chat/completions', EMBEDDINGS])
      expect([200, 400]).toContain(mockWith().answer({ path, body }).status)
  }
})

// Numbers as they are sent

const ONE_MESSAGE = '"messages":[{"role":"user","content":"Hi"}]'
const messageOf = (fields: string): string =>
  mockWith().json({ body: `{"model":"echo-1",${ONE_MESSAGE},${fields}}` }).error.message

test.each(['3.0', '2.50', '30e-1', '3'])('an error quotes %s as it was sent', (sent) => {
  expect(messageOf(`"temperature": ${sent}`)).toBe(
    `Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got ${sent} instead.`,
  )
})

test('an error does not quote the number of a field with the same name in another object', () => {
  expect(messageOf('"prediction":{"temperature":7.0},"temperature":3')).toContain('but got 3 instead.')
})

test('an error on a key that clients name needs no pattern of that key', () => {
  expect(refusal(chat({ logit_bias: { '(': 101 } }))).toMatchObject({ status: 400, param: 'logit_bias.(' })
})

// Images, in a scenario with strict validation

const image = (url: string): CallOverrides =>
  messages({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })
const dataUrl = (type: string, bytes: string): string => `data:${type};base64,${btoa(bytes)}`
const PNG_HEAD = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0'
const GIF_HEAD = 'GIF89a\x10\0\x10\0\0\0\0'
const INVALID = 'You uploaded an unsupported image. Please make sure your image is valid.'
const UNSUPPORTED =
  "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp']."

test.each([
  ['a PNG', dataUrl('image/png', PNG_HEAD)],
  ['a GIF', dataUrl('image/gif', GIF_HEAD)],
  ['an address', 'https://example.com/cat.png'],
])('an image as %s is accepted', (_, url) => {
  expect(strict().answer(image(url)).status).toBe(200)
})

test.each([
  ['a PNG that is cut off', dataUrl('image/png', PNG_HEAD.slice(0, 12)), INVALID],
  ['text that is named a PNG', dataUrl('image/png', 'only a text, no image'), INVALID],
  ['a PNG that is no base64', 'data:image/png;base64,%%%%', INVALID],
  ['a cut PNG under another name', dataUrl('image/bmp', PNG_HEAD.slice(0, 12)), INVALID],
  ['a BMP', dataUrl('image/bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0'), UNSUPPORTED],
])('%s is refused with its message', (_, url, message) => {
  expect(strict().json(image(url)).error).toMatchObject({ message, code: 'invalid_image_format', param: null })
})

test.each(['http://localhost/cat.png', 'https://images.internal/cat.png', 'no address'])(
  'an image at %s cannot be downloaded',
  (url) => {
    expect(strict().json(image(url)).error).toMatchObject({
      message: `Error while downloading ${url}.`,
      code: 'invalid_image_url',
    })
  },
)

test('audio as a modality is refused by a model that never speaks', () => {
  const mock = mockWith({ models: { 'echo-1': { supports: { audio: 'never' } } } })
  const call = chat({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } })
  expect(mock.json(call).error).toMatchObject({
    message: expect.stringContaining("'audio'"),
    param: 'modalities',
    code: 'unsupported_value',
  })
  expect(mock.json(call).error.message).toMatch(/Supported values are: 'text'\.$/)
})

test('metadata needs store, unless it is empty', () => {
  expect(refusal(chat({ metadata: { a: 'b' } })).status).toBe(400)
  expect(refusal(chat({ metadata: { a: 'b' }, store: true })).status).toBe(200)
  expect(refusal(chat({ metadata: {} })).status).toBe(200)
})

test('the prompt and the answer together may be as long as the context, and no longer', () => {
  const prompt = mockWith().json().usage.prompt_tokens
  const fits = (contextTokens: number, asked: number) =>
    refusal(chat({ max_tokens: asked }), mockWith({ models: { '*': { contextTokens } } }))
  expect(fits(prompt + 5, 5).status).toBe(200)
  expect(fits(prompt + 5, 6)).toEqual({ status: 400, code: 'context_length_exceeded', param: 'messages' })
  const { error } = mockWith({ models: { '*': { contextTokens: prompt + 5 } } }).json(chat({ max_tokens: 6 }))
  expect(error.message).toContain(`${prompt + 6} tokens`)
})

test('a prompt that is longer than the input of the model is refused with both lengths', () => {
  const { error } = mockWith({ models: { '*': { inputTokens: 3 } } }).json()
  expect(error).toMatchObject({ code: 'context_length_exceeded', message: expect.stringMatching(/\b3\b/) })
})

test('a response format that is not strict may have no schema; a strict one needs one', () => {
  const format = (more: object) =>
    chat({ response_format: { type: 'json_schema', json_schema: { name: 'x', ...more } } })
  expect(refusal(format({})).status).toBe(200)
  expect(refusal(format({ strict: false })).status).toBe(200)
  expect(refusal(format({ strict: true })).status).toBe(400)
  expect(refusal(format({ strict: false, schema: { type: 'strange' } })).status).toBe(400)
})
