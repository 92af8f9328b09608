/** Requests that POST /v1/responses refuses, over HTTP, with the exact errors of the wire contract (contract-responses.md). */
import { describe, expect, test } from 'vitest'
import type { ScenarioChoice } from '../../src/index.ts'
import { CHAT_PATH, errorIn, fetchFrom, type HttpAnswer, serve } from '../support/http.ts'

const RESPONSES_PATH = '/v1/responses'
const USER = { role: 'user', content: 'Say this is a test.' }
const CALL = { type: 'function_call', call_id: 'call_X', name: 'f', arguments: '{}' }
const OUTPUT = { type: 'function_call_output', call_id: 'call_X', output: 'ok' }
const REASONING = { type: 'reasoning', id: 'rs_X', summary: [] }
const ANSWER = { type: 'message', id: 'msg_X', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
const part = (...content: object[]): object => ({ role: 'user', content })
const input = (...items: unknown[]): object => ({ input: items })
const tool = (more: object): object => ({ tools: [{ type: 'function', name: 'f', ...more }] })
const format = (more: object): object => ({ text: { format: { type: 'json_schema', name: 'NAME', ...more } } })
const PROPERTIES = { type: 'object', properties: { K: { type: 'string' } }, additionalProperties: false }

/** A strict scenario with the models of the service, unless told otherwise. */
async function ask(
  more: object | string,
  { model = 'gpt-4o-mini', scenario = 'openai' }: { model?: string; scenario?: ScenarioChoice } = {},
): Promise<HttpAnswer> {
  const start = { model, input: 'Say this is a test.' }
  // A text is the end of the body as it is sent: numbers keep their form.
  const body = typeof more === 'string' ? `${JSON.stringify(start).slice(0, -1)},${more}}` : { ...start, ...more }
  return fetchFrom(await serve(scenario), { path: RESPONSES_PATH, body })
}

/** Status, message, param and code. The type is always invalid_request_error. */
type Refused = readonly [status: number, message: string, param: string | null, code: string | null]
type Row = readonly [name: string, more: object | string, refused: Refused, model?: string]

const unknown = (path: string): Refused => [400, `Unknown parameter: '${path}'.`, path, 'unknown_parameter']
const missing = (path: string): Refused => [
  400,
  `Missing required parameter: '${path}'.`,
  path,
  'missing_required_parameter',
]
const moved = (from: string, to: string): Refused => [
  400,
  `Unsupported parameter: '${from}'. In the Responses API, this parameter has moved to '${to}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`,
  null,
  'unsupported_parameter',
]
const notMocked = (param: string, what: string, remedy = 'Script its effect as a function tool'): Refused => [
  400,
  `This mock does not simulate ${what}. ${remedy}, or use a recorded answer.`,
  param,
  'mock_not_simulated',
]
const sampling = (path: string): Refused => [
  400,
  `Unsupported parameter: '${path}' is not supported with this model.`,
  path,
  null,
]
const invalidType = (path: string, expected: string, got: string): Refused => [
  400,
  `Invalid type for '${path}': expected ${expected}, but got ${got} instead.`,
  path,
  'invalid_type',
]
const PARTS =
  "'input_text', 'input_image', 'input_audio', 'output_text', 'refusal', 'input_file', 'computer_screenshot', 'summary_text', and 'encrypted_content'"

function rows(title: string, all: readonly Row[]): void {
  describe(title, () => {
    test.for(all)('%s', async ([, more, refused, model]) => {
      const answer = await ask(more, model === undefined ? {} : { model })
      const { message, type, param, code } = errorIn(answer)
      expect([answer.status, message, param, code]).toEqual(refused)
      expect(type).toBe('invalid_request_error')
    })
  })
}

rows('names of chat', [
  ['messages', '"messages":[]', moved('messages', 'input')],
  ['reasoning_effort', { reasoning_effort: 'low' }, moved('reasoning_effort', 'reasoning.effort')],
  ['response_format', { response_format: { type: 'text' } }, moved('response_format', 'text.format')],
  ['verbosity', { verbosity: 'low' }, moved('verbosity', 'text.verbosity')],
  ['max_tokens', { max_tokens: 5 }, moved('max_tokens', 'max_output_tokens')],
  ['max_completion_tokens', { max_completion_tokens: 5 }, moved('max_completion_tokens', 'max_output_tokens')],
  ['n', { n: 1 }, unknown('n')],
  ['stop', { stop: 'x' }, unknown('stop')],
  ['seed', { seed: 1 }, unknown('seed')],
  ['logprobs', { logprobs: true }, unknown('logprobs')],
  ['logit_bias', { logit_bias: {} }, unknown('logit_bias')],
  ['presence_penalty', { presence_penalty: 0 }, unknown('presence_penalty')],
  ['frequency_penalty', { frequency_penalty: 0 }, unknown('frequency_penalty')],
  ['a tool', { tools: [{ type: 'function', function: { name: 'f' } }] }, missing('tools[0].name')],
  [
    'a tool choice',
    { ...tool({}), tool_choice: { type: 'function', function: { name: 'f' } } },
    missing('tool_choice.name'),
  ],
  [
    'a nested schema',
    { text: { format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } } } },
    missing('text.format.name'),
  ],
  [
    'a part',
    input(part({ type: 'text', text: 'Hi' })),
    [400, `Invalid value: 'text'. Supported values are: ${PARTS}.`, 'input[0].content[0].type', 'invalid_value'],
  ],
  [
    'an image',
    input(part({ type: 'input_image', image_url: { url: 'https://example.com/a.png' } })),
    invalidType('input[0].content[0].image_url', 'an image URL', 'an object'),
  ],
  [
    'the role tool',
    input({ role: 'tool', content: 'ok' }),
    [
      400,
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
      'input[0]',
      'invalid_value',
    ],
  ],
])

rows('models', [
  [
    'an unknown one is a 400',
    {},
    [400, "The requested model 'gpt-9' does not exist.", 'model', 'model_not_found'],
    'gpt-9',
  ],
  [
    'one of embeddings is unknown here',
    {},
    [400, "The requested model 'text-embedding-3-small' does not exist.", 'model', 'model_not_found'],
    'text-embedding-3-small',
  ],
  [
    'one of other endpoints is unknown here',
    {},
    [400, "The requested model 'whisper-1' does not exist.", 'model', 'model_not_found'],
    'whisper-1',
  ],
  ['none at all', '"model":null', missing('model')],
])

rows('what a model does not support', [
  ['temperature, when it reasons', { temperature: 0.5 }, sampling('temperature'), 'o3'],
  ['temperature of a model that chat does not have', { temperature: 0.5 }, sampling('temperature'), 'gpt-5-pro'],
  ['top_p, when it reasons', { top_p: 0.5 }, sampling('top_p'), 'gpt-5-mini'],
  ['top_logprobs, when it reasons', { top_logprobs: 2 }, sampling('top_logprobs'), 'gpt-5-mini'],
  ['temperature of gpt-5.6 with an effort', { temperature: 0.5 }, sampling('temperature'), 'gpt-5.6-sol'],
  [
    'an effort',
    { reasoning: { effort: 'minimal' } },
    [
      400,
      "Unsupported value: 'minimal' is not supported with the 'o4-mini' model. Supported values are: 'low', 'medium', and 'high'.",
      'reasoning.effort',
      'unsupported_value',
    ],
    'o4-mini',
  ],
  [
    'the effort max, before gpt-5.6',
    { reasoning: { effort: 'max' } },
    [
      400,
      "Unsupported value: 'max' is not supported with the 'gpt-5.5' model. Supported values are: 'none', 'low', 'medium', 'high', and 'xhigh'.",
      'reasoning.effort',
      'unsupported_value',
    ],
    'gpt-5.5',
  ],
  [
    'any effort, when it does not reason',
    { reasoning: { effort: 'low' } },
    [
      400,
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      'reasoning.effort',
      'unsupported_parameter',
    ],
    'gpt-4o',
  ],
  [
    'encrypted content, when it does not reason',
    { include: ['reasoning.encrypted_content'] },
    [400, 'Encrypted content is not supported with this model.', 'include', null],
    'gpt-4o',
  ],
  [
    'generate_summary',
    { reasoning: { generate_summary: 'auto' } },
    [
      400,
      "Unsupported parameter: 'reasoning.generate_summary' is not supported with the 'o3-mini-2025-01-31' model.",
      'reasoning.generate_summary',
      'unsupported_parameter',
    ],
    'o3-mini',
  ],
  [
    'verbosity',
    { text: { verbosity: 'low' } },
    [
      400,
      "Unsupported value: 'text.verbosity' does not support 'low' with this model. Supported values are: 'medium'.",
      'text.verbosity',
      'unsupported_value',
    ],
    'gpt-4o',
  ],
  [
    'more output than it has',
    { max_output_tokens: 20_000 },
    [
      400,
      'max_output_tokens is too large: 20000. This model supports at most 16384 completion tokens, whereas you provided 20000.',
      'max_output_tokens',
      'invalid_value',
    ],
    'gpt-4o',
  ],
])

rows('fields', [
  [
    'temperature below 0',
    { temperature: -1 },
    [
      400,
      "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
      'temperature',
      'decimal_below_min_value',
    ],
  ],
  [
    'max_output_tokens below 16',
    { max_output_tokens: 5 },
    [
      400,
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 5 instead.",
      'max_output_tokens',
      'integer_below_min_value',
    ],
  ],
  [
    'an unknown key',
    { temprature: 1 },
    [400, "Unknown parameter: 'temprature'. Did you mean 'temperature'?", 'temprature', 'unknown_parameter'],
  ],
  [
    'an unknown key of stream_options',
    { stream: true, stream_options: { include_usage: true } },
    unknown('stream_options.include_usage'),
  ],
  ['input of another type', '"input":5', invalidType('input', 'one of an array of objects or string', 'an integer')],
  [
    'no input',
    '"input":null',
    [
      400,
      `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`,
      'input',
      'missing_required_parameter',
    ],
  ],
  [
    'a previous response of other characters',
    { previous_response_id: 'a.b' },
    [
      400,
      "Invalid 'previous_response_id': 'a.b'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
      'previous_response_id',
      'invalid_value',
    ],
  ],
  [
    'a schema of a strict tool',
    tool({ strict: true, parameters: PROPERTIES }),
    [
      400,
      "Invalid schema for function 'f': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'K'.",
      'tools[0].parameters',
      'invalid_function_parameters',
    ],
  ],
  [
    'a strict schema of the answer',
    format({ strict: true, schema: PROPERTIES }),
    [
      400,
      "Invalid schema for response_format 'NAME': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'K'.",
      'text.format.schema',
      'invalid_json_schema',
    ],
  ],
  [
    'json_object without the word',
    { text: { format: { type: 'json_object' } } },
    [
      400,
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
      null,
    ],
  ],
  [
    'stream_options without a stream',
    { stream_options: {} },
    [400, "The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options', null],
  ],
  [
    'a function that is not declared',
    { ...tool({}), tool_choice: { type: 'function', name: 'g' } },
    [400, "Tool choice 'function' not found in 'tools' parameter.", 'tool_choice', null],
  ],
])

rows('items', [
  [
    'content null',
    input({ role: 'user', content: null }),
    invalidType('input[0].content', 'one of an array of objects or string', 'null'),
  ],
  ['no content', input({ role: 'user' }), missing('input[0].content')],
  ['an unknown key', input(USER, { ...REASONING, status: null }), unknown('input[1].status')],
  [
    'the prefix of a message',
    input({ ...ANSWER, id: 'X' }),
    [400, "Invalid 'input[0].id': 'X'. Expected an ID that begins with 'msg'.", 'input[0].id', 'invalid_value'],
  ],
  [
    'the prefix of a call',
    input({ ...CALL, id: 'X' }, OUTPUT),
    [400, "Invalid 'input[0].id': 'X'. Expected an ID that begins with 'fc'.", 'input[0].id', 'invalid_value'],
  ],
  [
    'the prefix of reasoning',
    input({ ...REASONING, id: 'X' }),
    [400, "Invalid 'input[0].id': 'X'. Expected an ID that begins with 'rs'.", 'input[0].id', 'invalid_value'],
  ],
  [
    'a long call_id',
    input(USER, { ...CALL, call_id: 'x'.repeat(86) }),
    [
      400,
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 86 instead.",
      'input[1].call_id',
      'string_above_max_length',
    ],
  ],
  [
    'an input part of the assistant',
    input({ role: 'assistant', content: [{ type: 'input_text', text: 'Hi' }] }),
    [
      400,
      "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
      'input[0].content[0]',
      'invalid_value',
    ],
  ],
  [
    'an item that is there twice',
    input(REASONING, ANSWER, REASONING, ANSWER),
    [400, 'Duplicate item found with id rs_X. Remove duplicate items from your input and try again.', 'input', null],
  ],
  [
    'a call without its output',
    input(USER, CALL),
    [400, 'No tool output found for function call call_X.', 'input', null],
  ],
  [
    'an output without its call',
    input(USER, OUTPUT),
    [400, 'No tool call found for function call output with call_id call_X.', 'input', null],
  ],
  [
    'reasoning at the end',
    input(USER, REASONING),
    [400, "Item 'rs_X' of type 'reasoning' was provided without its required following item.", 'input', null],
  ],
  [
    'reasoning before a text that the service did not write',
    input(USER, REASONING, { role: 'assistant', content: 'Hi' }, USER),
    [400, "Item 'rs_X' of type 'reasoning' was provided without its required following item.", 'input', null],
  ],
  [
    'reasoning before a text without an id whose type is null',
    input(USER, REASONING, { type: null, role: 'assistant', content: 'Hi' }, USER),
    [400, "Item 'rs_X' of type 'reasoning' was provided without its required following item.", 'input', null],
  ],
  [
    'encrypted content of another service',
    input({ ...REASONING, encrypted_content: 'aGVsbG8gd29ybGQ=' }, ANSWER),
    [
      400,
      'The encrypted content aGVs...bGQ= could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
      null,
      'invalid_encrypted_content',
    ],
  ],
  [
    'an image that cannot be downloaded',
    input(part({ type: 'input_image', image_url: 'http://localhost/a.png' })),
    [400, 'Error while downloading http://localhost/a.png.', null, 'invalid_image_url'],
  ],
  [
    'an image for a model that takes none',
    input(part({ type: 'input_text', text: 'Look' }, { type: 'input_image', image_url: 'https://example.com/a.png' })),
    [
      400,
      'Invalid content type. image_url is only supported by certain models.',
      'input[0].content[1].type',
      'invalid_value',
    ],
    'gpt-4',
  ],
  [
    'file data of a wrong type',
    input(USER, CALL, {
      ...OUTPUT,
      output: [{ type: 'input_file', filename: 'a.mp3', file_data: 'data:audio/mpeg;base64,SUQz' }],
    }),
    [
      400,
      "Invalid file data: 'input[2].output[0].file_data'. Expected a base64-encoded data URL with a valid file MIME type (e.g. 'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ=='), but got unsupported MIME type 'audio/mpeg'. Please see https://platform.openai.com/docs/assistants/tools/file-search#supported-files for supported file types.",
      'input[2].output[0].file_data',
      'invalid_value',
    ],
  ],
  [
    'a file address of a wrong type',
    input(part({ type: 'input_file', file_url: 'https://example.com/a.mp3' })),
    [400, 'The file type you uploaded is not supported. Please try again with a pdf', 'input', 'unsupported_file'],
  ],
])

rows('what the mock does not simulate', [
  [
    'a hosted tool',
    { tools: [{ type: 'web_search', filters: {} }] },
    notMocked('tools[0].type', "the hosted tool 'web_search'"),
  ],
  [
    'a hosted tool choice',
    { tool_choice: { type: 'file_search' } },
    notMocked('tool_choice.type', "the hosted tool 'file_search'"),
  ],
  [
    'a hosted tool among the allowed ones',
    { ...tool({}), tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] } },
    notMocked('tool_choice.tools[0].type', "the hosted tool 'web_search'"),
  ],
  [
    'an update of the configuration',
    input(USER, { type: 'configuration_update' }),
    notMocked('input[1].type', "items of the type 'configuration_update'"),
  ],
  [
    'a custom tool',
    { tools: [{ type: 'custom', name: 'f' }] },
    notMocked('tools[0].type', 'custom tools', 'Declare a function tool'),
  ],
  [
    'a deferred tool',
    tool({ defer_loading: true }),
    notMocked('tools[0].defer_loading', 'tools that are loaded later', 'Leave out defer_loading'),
  ],
  [
    'background',
    { background: true },
    notMocked('background', "the field 'background'", 'Wait for the answer, or stream it'),
  ],
  [
    'conversation',
    { conversation: 'conv_1' },
    notMocked('conversation', "the field 'conversation'", 'Send previous_response_id or the earlier items'),
  ],
  [
    'prompt',
    { prompt: { id: 'pmpt_1' } },
    notMocked('prompt', "the field 'prompt'", 'Send its text as instructions and input'),
  ],
  ['moderation', { moderation: {} }, notMocked('moderation', "the field 'moderation'", 'Leave it out')],
  [
    'an item of a hosted tool',
    input(USER, { type: 'web_search_call', id: 'ws_1' }),
    notMocked('input[1].type', "items of the type 'web_search_call'"),
  ],
])

test.each<[object, string?]>([
  [{ input: '' }],
  [input({ role: 'user', content: '' })],
  [{ text: {}, include: [], tools: [], metadata: {} }],
  [{ background: false, conversation: null, prompt: null, temperature: null, tools: null }],
  [input(USER, { ...CALL, id: 'fc_X', status: 'completed' }, { ...OUTPUT, status: 'completed' })],
  [input(USER, CALL, { ...CALL, call_id: 'call_Y' }, OUTPUT, { ...OUTPUT, call_id: 'call_Y' })],
  [input(USER, REASONING, CALL, OUTPUT)],
  [input(USER, { ...REASONING, encrypted_content: 'gAAAAABx' }, ANSWER, USER)],
  [{ temperature: 0.5, reasoning: { effort: 'none' } }, 'gpt-5.6-sol'],
  [{ temperature: 0.5 }, 'gpt-5.4'],
  [{ include: ['web_search_call.results'] }],
  [tool({ parameters: PROPERTIES })],
  [tool({ parameters: PROPERTIES, strict: null })],
  // Models that chat refuses as those of the Responses API.
  [{}, 'gpt-5-pro'],
  [{}, 'gpt-5.1-codex'],
  [{ ...tool({}), reasoning: { effort: 'low' } }, 'gpt-5.6'],
])('%j is accepted (%s)', async (more, model = 'gpt-4o-mini') => {
  const { status, text } = await ask(more, { model })
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
})

test('lenient validation accepts unknown keys, and refuses names of chat', async () => {
  const lenient = { scenario: 'default' } as const
  expect((await ask({ stop: 'x', input: [{ ...USER, cache_control: {} }] }, lenient)).status).toBe(200)
  expect((await ask({ max_tokens: 5 }, lenient)).status).toBe(400)
  expect((await ask({ tools: [{ type: 'mcp' }] }, lenient)).status).toBe(400)
})

test('Azure has the same path below /openai, and paths that are not simulated keep their 404', async () => {
  const server = await serve()
  const body = { model: 'gpt-4o', input: 'Hi', max_output_tokens: 5 }
  const path = '/openai/v1/responses'
  expect(errorIn(await fetchFrom(server, { path, body })).param).toBe('max_output_tokens')
  for (const unserved of ['/v1/responses/compact', '/v1/responses/resp_1/cancel']) {
    const { status, json } = await fetchFrom(server, { path: unserved, body })
    expect([status, json.error.message]).toEqual([404, expect.stringContaining('This mock does not simulate')])
  }
})

test('a recorded answer passes what the mock does not simulate', async () => {
  const scenario = {
    description: 'A cassette.',
    replies: [{ when: { endpoint: 'responses' }, answer: { body: '{"id":"resp_1"}' } }],
  } as const
  const body = { model: 'gpt-4o', input: 'Hi', tools: [{ type: 'web_search' }], background: true }
  const { status, json } = await fetchFrom(await serve(scenario), { path: RESPONSES_PATH, body })
  expect([status, json]).toEqual([200, { id: 'resp_1' }])
})

const statusOf = async (server: Awaited<ReturnType<typeof serve>>, path: string, model: string): Promise<number> => {
  const body = path === RESPONSES_PATH ? { model, input: 'Hi' } : { model, messages: [USER] }
  return (await fetchFrom(server, { path, body })).status
}

test('rules can be confined to this endpoint', async () => {
  const server = await serve({
    description: 'Two endpoints.',
    replies: [
      { when: { endpoint: 'chat' }, fault: '503' },
      { when: { endpoint: 'responses' }, fault: '429' },
    ],
  })
  expect(await statusOf(server, CHAT_PATH, 'm')).toBe(503)
  expect(await statusOf(server, RESPONSES_PATH, 'm')).toBe(429)
})

test('a model of chat serves responses too, and one of responses is a 404 in chat', async () => {
  const server = await serve({
    description: 'Two models.',
    models: { chats: { endpoint: 'chat' }, responses: { endpoint: 'responses' }, vectors: { endpoint: 'embeddings' } },
  })
  const statuses = (model: string) =>
    Promise.all([CHAT_PATH, RESPONSES_PATH].map((path) => statusOf(server, path, model)))
  expect(await statuses('chats')).toEqual([200, 200])
  expect(await statuses('responses')).toEqual([404, 200])
  expect(await statuses('vectors')).toEqual([404, 400])
})

test('100,000 items are checked in one pass', async () => {
  const pairs = Array.from({ length: 25_000 }, (_, index) => [
    { type: 'function_call', call_id: `call_${index}`, name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: `call_${index}`, output: '' },
  ]).flat()
  // The mock reads 50,000 texts at most, names of fields included, so this many are one error and no wait.
  expect((await ask({ input: pairs })).status).toBe(400)
  expect((await ask({ input: [USER, ...pairs.slice(0, 2000), CALL] })).json.error.message).toContain('call_X')
})

test('a schema that no value fulfils is named as the request has it', async () => {
  const server = await serve('default')
  const properties = { a: { type: 'integer', minimum: 2, maximum: 1 } }
  const schema = { type: 'object', properties, required: ['a'] }
  const ask = async (more: object) =>
    (await fetchFrom(server, { path: '/v1/responses', body: { model: 'm', input: 'hi', ...more } })).json.error
  const format = { type: 'json_schema', name: 'n', schema }
  expect(await ask({ text: { format } })).toMatchObject({
    param: 'text.format.schema',
    code: 'mock_unsatisfiable_schema',
  })
  const tools = [{ type: 'function', name: 'f', parameters: schema, strict: false }]
  expect((await ask({ tools, tool_choice: 'required' })).param).toBe('tools[0].parameters')
})

test.each([
  'gpt-5.6',
  'gpt-5.6-sol',
  'gpt-5.6-terra',
  'gpt-5.6-luna',
  'gpt-6-sol',
  'gpt-6-luna',
  'gpt-6-astra',
  'gpt-6.1-sol',
  'gpt-6.1-terra',
])('%s takes the effort max here, and refuses it in chat', async (model) => {
  expect((await ask({ reasoning: { effort: 'max' } }, { model })).status).toBe(200)
  const chat = { model, reasoning_effort: 'max', messages: [USER] }
  expect((await fetchFrom(await serve('openai'), { path: CHAT_PATH, body: chat })).status).toBe(400)
})
