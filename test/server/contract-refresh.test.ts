/** The rows of section 11 of the wire contract, which real traffic of 2026 has taught, over HTTP in the scenario `openai`. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorIn, fetchFrom, type HttpAnswer, serve } from '../support/http.ts'

const USER = { role: 'user', content: 'Say this is a test in JSON.' }
const TOOL = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const part = (...parts: object[]): object => ({ role: 'user', content: parts })
const image = (url: string): object => ({ type: 'image_url', image_url: { url } })
const tool = (parameters: unknown, more: object = {}): object => ({
  tools: [{ type: 'function', function: { name: 'f', parameters, ...more } }],
})
const format = (schema: unknown): object => ({
  response_format: { type: 'json_schema', json_schema: { name: 'NAME', schema } },
})

async function ask(model: string, more: object | string): Promise<HttpAnswer> {
  const start = { model, messages: [USER] }
  // A text is the end of the body as it is sent: numbers keep their form.
  const body = typeof more === 'string' ? `${JSON.stringify(start).slice(0, -1)},${more}}` : { ...start, ...more }
  return fetchFrom(await serve('openai'), { body })
}

/** Status, message, param and code. */
type Refused = readonly [status: number, message: string, param: string | null, code: string | null]
const unsupported = (path: string): Refused => [
  400,
  `Unsupported parameter: '${path}' is not supported with this model.`,
  path,
  'unsupported_parameter',
]
const unknown = (path: string): Refused => [400, `Unknown parameter: '${path}'.`, path, 'unknown_parameter']
const onlyDefault = (path: string, got: string): Refused => [
  400,
  `Unsupported value: '${path}' does not support ${got} with this model. Only the default (1) value is supported.`,
  path,
  'unsupported_value',
]
const NO_EFFORTS = (effort: string, listed: string): Refused => [
  400,
  `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. Supported values are: ${listed}.`,
  'reasoning_effort',
  'unsupported_value',
]
const FORBIDDEN: Refused = [403, 'You are not allowed to request logprobs from this model', null, null]
const toolsWithEffort = (model: string): Refused => [
  400,
  `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
  'reasoning_effort',
  null,
]
const RESPONSES_ONLY: Refused = [
  404,
  'This model is only supported in v1/responses and not in v1/chat/completions.',
  'model',
  null,
]
const NOT_CHAT: Refused = [
  404,
  'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
  'model',
  null,
]
const deprecated = (model: string): Refused => [
  404,
  `The model \`${model}\` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations`,
  null,
  'model_not_found',
]
const badSchema = (problem: string): Refused => [
  400,
  `Invalid schema for function 'f': ${problem}`,
  'tools[0].function.parameters',
  'invalid_function_parameters',
]
const badFormat = (problem: string): Refused => [
  400,
  `Invalid schema for response_format 'NAME': ${problem}`,
  'response_format',
  null,
]

const SPARES = { n: 0 }
const N_TOO_SMALL: Refused = [
  400,
  "Invalid 'n': integer below minimum value. Expected a value >= 1, but got 0 instead.",
  'n',
  'integer_below_min_value',
]

const REFUSED: readonly (readonly [model: string, more: object | string, expected: Refused])[] = [
  // 11.2
  ['o3', { reasoning_effort: 'minimal' }, NO_EFFORTS('minimal', "'low', 'medium', 'high', and 'xhigh'")],
  ['gpt-5', { reasoning_effort: 'none' }, NO_EFFORTS('none', "'minimal', 'low', 'medium', and 'high'")],
  ['gpt-5.1', { reasoning_effort: 'xhigh' }, NO_EFFORTS('xhigh', "'none', 'low', 'medium', and 'high'")],
  ['gpt-5.6-sol', { reasoning_effort: 'max' }, NO_EFFORTS('max', "'none', 'low', 'medium', 'high', and 'xhigh'")],
  ['gpt-6-astra', { reasoning_effort: 'none' }, NO_EFFORTS('none', "'low', 'medium', 'high', and 'xhigh'")],
  ['chat-latest', { reasoning_effort: 'low' }, NO_EFFORTS('low', "'medium'")],
  ['gpt-5.1', { reasoning_effort: 'low', temperature: 0.5 }, onlyDefault('temperature', '0.5')],
  ['gpt-5.5', { temperature: 0.5 }, onlyDefault('temperature', '0.5')],
  ['gpt-5.6-sol', { reasoning_effort: 'none', temperature: 0.5 }, onlyDefault('temperature', '0.5')],
  ['gpt-5.6-sol', { presence_penalty: 1 }, unsupported('presence_penalty')],
  ['gpt-5.2', { reasoning_effort: 'high', frequency_penalty: 1 }, unsupported('frequency_penalty')],
  ['o3', { logprobs: true }, FORBIDDEN],
  ['gpt-5-nano', { logprobs: true }, FORBIDDEN],
  ['gpt-5.4-mini-2026-03-17', { logprobs: true }, FORBIDDEN],
  ['gpt-5-mini', { stop: 'x' }, unsupported('stop')],
  ['gpt-5.6-terra', { stop: 'x' }, unsupported('stop')],
  ['gpt-5-search-api', { temperature: 1 }, unsupported('temperature')],
  ['gpt-5-search-api', { presence_penalty: 0 }, unsupported('presence_penalty')],
  ['gpt-5-search-api', { logprobs: true }, unknown('logprobs')],
  ['gpt-5-search-api', { reasoning_effort: 'low' }, unknown('reasoning_effort')],
  [
    'o3',
    { verbosity: 'low' },
    [
      400,
      "Unsupported value: 'verbosity' does not support 'low' with this model. Supported values are: 'medium'.",
      'verbosity',
      'unsupported_value',
    ],
  ],
  ['gpt-5.6-luna', { modalities: ['text'] }, unknown('modalities')],
  ['gpt-5.6-luna', { web_search_options: {} }, unknown('web_search_options')],
  [
    'gpt-5.5',
    { reasoning_effort: 'none', logprobs: true, top_logprobs: 6 },
    [400, "Invalid value for 'top_logprobs': must be less than or equal to 5.", 'top_logprobs', null],
  ],
  ['gpt-4.5-preview', {}, deprecated('gpt-4.5-preview')],
  ['gpt-3.5-turbo-1106', {}, deprecated('gpt-3.5-turbo-1106')],
  // 11.3, what is still refused
  ['gpt-4o-mini', { response_format: { type: 'text', x: 1 } }, unknown('response_format.x')],
  ['gpt-4o-mini', { messages: [{ ...USER, x: 1 }] }, unknown('messages[0].x')],
  ['gpt-4o-mini', { stream: true, stream_options: { x: 1 } }, unknown('stream_options.x')],
  [
    'gpt-4o-mini',
    { messages: [{ role: 'developer', content: [{ type: 'text', text: 'x', cache_control: {} }] }] },
    unknown('messages[0].content[0].cache_control'),
  ],
  // 11.4
  ['gpt-5-mini', { stop: 'x', ...SPARES }, N_TOO_SMALL],
  ['gpt-5-mini', { top_p: 0.5, ...SPARES }, N_TOO_SMALL],
  ['gpt-5-mini', { temperature: 0.5, stop: 'x' }, unsupported('stop')],
  [
    'gpt-4o-mini',
    { messages: [part({ text: 'x', bogus: 1 })] },
    [
      400,
      "Missing required parameter: 'messages[0].content[0].type'.",
      'messages[0].content[0].type',
      'missing_required_parameter',
    ],
  ],
  [
    'gpt-4o-mini',
    { metadata: { k: 'v'.repeat(513) } },
    [
      400,
      "Invalid 'metadata.k': string too long. Expected a string with maximum length 512, but got a string with length 513 instead.",
      'metadata.k',
      'string_above_max_length',
    ],
  ],
  // 11.5
  ['o1-pro', {}, RESPONSES_ONLY],
  ['codex-mini-latest', {}, RESPONSES_ONLY],
  ['gpt-5-codex', {}, RESPONSES_ONLY],
  ['gpt-5.1-codex-mini', {}, RESPONSES_ONLY],
  ['o3-pro', {}, NOT_CHAT],
  ['gpt-5.2-pro', {}, NOT_CHAT],
  ['gpt-5.4-pro', {}, NOT_CHAT],
  ['gpt-5.3-codex', {}, NOT_CHAT],
  ['davinci-002', {}, NOT_CHAT],
  ['gpt-3.5-turbo-instruct', {}, NOT_CHAT],
  [
    'gpt-4o-search-preview',
    { tools: [TOOL] },
    [
      404,
      'tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
      null,
      null,
    ],
  ],
  // 11.6
  [
    'gpt-4o-mini',
    tool({ properties: {} }),
    badSchema(`schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`),
  ],
  [
    'gpt-4o-mini',
    tool({ type: 'array', items: {} }, { strict: true }),
    badSchema(`schema must be a JSON Schema of 'type: "object"', got 'type: "array"'.`),
  ],
  [
    'gpt-4o-mini',
    format({ type: 'string' }),
    badFormat(`schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`),
  ],
  [
    'gpt-4o-mini',
    tool({ type: 'object', properties: { ids: { type: 'array' } } }),
    badSchema("In context=('properties', 'ids'), array schema missing items."),
  ],
  [
    'gpt-4o-mini',
    format({ type: 'object', properties: { a: { type: 'object', properties: { ids: { type: 'array' } } } } }),
    badFormat("In context=('properties', 'a', 'properties', 'ids'), array schema missing items."),
  ],
  [
    'gpt-4o-mini',
    { tools: [] },
    [
      400,
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'tools',
      'empty_array',
    ],
  ],
  ...['tool', 'bogus', 'function'].map(
    (type) =>
      [
        'gpt-4o-mini',
        { tools: [TOOL], tool_choice: { type, name: 'f' } },
        [
          400,
          "Missing required parameter: 'tool_choice.function'.",
          'tool_choice.function',
          'missing_required_parameter',
        ],
      ] as const,
  ),
  ['gpt-5.4', { tools: [TOOL], reasoning_effort: 'low' }, toolsWithEffort('gpt-5.4')],
  ['gpt-5.6-luna', { tools: [TOOL] }, toolsWithEffort('gpt-5.6-luna')],
  ['gpt-6-astra', { tools: [TOOL], reasoning_effort: 'low' }, toolsWithEffort('gpt-6-astra')],
  [
    'gpt-5.6-sol',
    { reasoning_effort: 'none', logprobs: true, top_logprobs: 6 },
    [400, "Invalid value for 'top_logprobs': must be less than or equal to 5.", 'top_logprobs', null],
  ],
  ['o4-mini', { tools: [TOOL], parallel_tool_calls: false }, unsupported('parallel_tool_calls')],
  [
    'gpt-5.2',
    { metadata: { run: '1' } },
    [400, "The 'metadata' parameter is only allowed when 'store' is enabled.", 'metadata', null],
  ],
  [
    'gpt-4o',
    { messages: [USER, part({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } })] },
    [
      400,
      "Invalid 'messages[1]'. Content blocks are expected to be either text or image_url type.",
      'messages[1]',
      'invalid_value',
    ],
  ],
  [
    'gpt-3.5-turbo',
    { messages: [part({ type: 'text', text: 'x' }, image('https://example.com/a.png'))] },
    [
      400,
      'Invalid content type. image_url is only supported by certain models.',
      'messages[0].content[1].type',
      'invalid_value',
    ],
  ],
  [
    'gpt-4o-mini',
    { web_search_options: {} },
    [400, 'Web search options not supported with this model.', 'web_search_options', null],
  ],
  [
    'gpt-4o-mini',
    { messages: [part(image('data:image/bmp;base64,Qk0='))] },
    [
      400,
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
      null,
      'invalid_image_format',
    ],
  ],
  // The signature alone, whatever type it is said to be.
  ...['data:image/png;base64,iVBORw0KGgo=', 'data:image/bmp;base64,iVBORw0KGgo=', 'data:image/jpeg;base64,/9j/'].map(
    (url) =>
      [
        'gpt-4o-mini',
        { messages: [part(image(url))] },
        [400, 'You uploaded an unsupported image. Please make sure your image is valid.', null, 'invalid_image_format'],
      ] as const,
  ),
  [
    'gpt-4o-mini',
    { messages: [part({ type: 'image', source: {} })] },
    [
      400,
      "Invalid value: 'image'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
      'messages[0].content[0].type',
      'invalid_value',
    ],
  ],
  ...['a b', 'a<', 'a/', 'a\\', 'a|'].map(
    (name) =>
      [
        'gpt-4o-mini',
        { messages: [{ ...USER, name }] },
        [
          400,
          "Invalid 'messages[0].name': string does not match pattern. Expected a string that matches the pattern '^[^\\s<|\\\\/>]+$'.",
          'messages[0].name',
          'invalid_value',
        ],
      ] as const,
  ),
  ['gpt-5-mini', '"temperature": 0.0', onlyDefault('temperature', '0.0')],
  [
    'gpt-4o-mini',
    '"temperature":2.50',
    [
      400,
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 2.50 instead.",
      'temperature',
      'decimal_above_max_value',
    ],
  ],
  [
    'gpt-4o-mini',
    '"logit_bias":{"5":100.50}',
    [
      400,
      "Invalid 'logit_bias.5': decimal above maximum value. Expected a value <= 100, but got 100.50 instead.",
      'logit_bias.5',
      'decimal_above_max_value',
    ],
  ],
  [
    'gpt-4o-mini',
    '"logit_bias":{"((":200.0}',
    [
      400,
      "Invalid 'logit_bias.((': decimal above maximum value. Expected a value <= 100, but got 200 instead.",
      'logit_bias.((',
      'decimal_above_max_value',
    ],
  ],
  [
    'gpt-4o-mini',
    '"max_tokens":32000.0',
    [
      400,
      'max_tokens is too large: 32000.0. This model supports at most 16384 completion tokens, whereas you provided 32000.0.',
      'max_tokens',
      'invalid_value',
    ],
  ],
]

/** Requests of over a megabyte, which no test name should hold. */
const TOO_LONG: typeof REFUSED = [
  [
    'gpt-5-mini',
    { messages: [{ role: 'user', content: 'hello '.repeat(300_000) }] },
    [
      400,
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300007 tokens. Please reduce the length of the messages.',
      'messages',
      'context_length_exceeded',
    ],
  ],
  [
    'gpt-4o',
    { messages: [{ role: 'user', content: 'hello '.repeat(120_000) }], max_tokens: 16_000 },
    [
      400,
      "This model's maximum context length is 128000 tokens. However, you requested 136008 tokens (120008 in the messages, 16000 in the completion). Please reduce the length of the messages or completion.",
      'messages',
      'context_length_exceeded',
    ],
  ],
]

test.each(TOO_LONG.map((row) => [row[2][1], row] as const))(
  'too many tokens: %s',
  async (_, [model, more, expected]) => {
    const [status, message, param, code] = expected
    const answer = await ask(model, more)
    expect(errorIn(answer)).toEqual({ message, type: 'invalid_request_error', param, code })
    expect(answer.status).toBe(status)
  },
)

test.each(REFUSED)('%s refuses %j', async (model, more, [status, message, param, code]) => {
  const answer = await ask(model, more)
  expect(errorIn(answer)).toEqual({ message, type: 'invalid_request_error', param, code })
  expect(answer.status).toBe(status)
})

const CALLED = {
  role: 'assistant',
  content: null,
  refusal: null,
  annotations: [],
  tool_calls: [{ id: 'call_'.padEnd(60, 'x'), type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const RESULT = { role: 'tool', tool_call_id: CALLED.tool_calls[0]!.id, content: '', name: 'f' }
const LOOSE = {
  type: 'object',
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  properties: { a: { type: 'string', title: 'A', default: 'x' } },
}
const STRICT = {
  type: 'object',
  title: 'T',
  $defs: { D: { type: 'object', properties: {}, required: [], additionalProperties: false } },
  properties: {
    a: { type: 'integer', title: 'A', default: 1, minimum: 0, maximum: 9 },
    b: { type: 'array', items: { $ref: '#/$defs/D' }, maxItems: 3 },
    c: { type: 'string', const: 'x' },
    d: { type: 'string', format: 'date' },
  },
  required: ['a', 'b', 'c', 'd'],
  additionalProperties: false,
}

const TAKEN: readonly (readonly [model: string, more: object])[] = [
  // 11.2
  ['gpt-5.1', { temperature: 0.5, top_p: 0.5, presence_penalty: 1, frequency_penalty: 1, logprobs: true }],
  ['gpt-5.2', { reasoning_effort: 'none', temperature: 0, top_logprobs: 2, logprobs: true }],
  ['gpt-5.4', { temperature: 0.2 }],
  ['gpt-5.6-sol', { reasoning_effort: 'none', presence_penalty: 1, logprobs: true, top_logprobs: 5 }],
  ['gpt-5-mini', { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0, logprobs: false }],
  ['o3', { reasoning_effort: 'xhigh', verbosity: 'medium' }],
  ['o3-mini', { stop: ['x'] }],
  ['gpt-5.2', { tools: [TOOL], reasoning_effort: 'high' }],
  ['gpt-5.4', { tools: [TOOL] }],
  ['gpt-5-nano', { tools: [TOOL], parallel_tool_calls: false }],
  ['gpt-5.6-luna', { tools: [TOOL], reasoning_effort: 'none' }],
  ['gpt-4o-search-preview', { web_search_options: {} }],
  // 11.3
  ['gpt-4o-mini', { stop: [] }],
  ['gpt-5-mini', { stop: [] }],
  ['gpt-4o-mini', tool(TOOL.function.parameters, { requires_confirmation: false, external_execution: false })],
  ['gpt-4o-mini', { messages: [{ role: 'system', content: [{ type: 'text', text: 'x', cache_control: {} }] }] }],
  ['gpt-4o-mini', { tools: [TOOL], messages: [USER, CALLED, RESULT] }],
  ['gpt-4o-mini', { messages: [USER, { ...CALLED, content: '' }, RESULT] }],
  ['gpt-4o-mini', { messages: [part({ type: 'text', text: '' })] }],
  ['gpt-4o-mini', { response_format: null, stream_options: null, tools: null, web_search_options: null, audio: null }],
  ['gpt-5.6-sol', { modalities: null, audio: null, web_search_options: null }],
  ['gpt-5-search-api', { temperature: null, logprobs: null, top_logprobs: null, reasoning_effort: null }],
  ['gpt-4o-mini', tool(LOOSE, { description: '' })],
  ['gpt-4o-mini', tool(STRICT, { strict: true })],
  ['gpt-4o-mini', tool(undefined)],
  ['gpt-4o-mini', tool({})],
  ['gpt-4o-mini', { metadata: {} }],
  ['gpt-4o-mini', { metadata: { run: '1' }, store: true }],
  [
    'gpt-5',
    {
      moderation: {
        model: 'omni-moderation-latest',
        policy: { input: { mode: 'block' }, output: { mode: 'block' } },
      },
    },
  ],
  // 11.10
  ['gpt-4o-mini', { tools: [{ ...TOOL, cache_control: {} }], tool_choice: { ...TOOL, function: { name: 'f' }, x: 1 } }],
  ['gpt-4o-mini', { messages: [USER, { role: 'assistant', content: 'x', reasoning_content: 'y' }, USER] }],
]

test.each(TAKEN)('%s takes %j', async (model, more) => {
  const answer = await ask(model, more)
  expect(answer.status, answer.text).toBe(200)
})

test('an unknown key that the service ignores is noted in the journal', async () => {
  const server = await serve('openai')
  await fetchFrom(server, { body: { model: 'gpt-4o-mini', messages: [USER], tools: [{ ...TOOL, cache_control: {} }] } })
  expect(server.mock.journal[0]!.notes).toEqual(["unknown parameter 'tools[0].cache_control' is ignored"])
})

test('parameters of a function that are absent or {} give the arguments {}', async () => {
  for (const parameters of [undefined, {}]) {
    const { json } = await ask('gpt-4o-mini', { ...tool(parameters), tool_choice: 'required' })
    expect(json.choices[0].message.tool_calls[0].function.arguments).toBe('{}')
  }
})

test('gpt-5.6-sol answers under its own name, and the alias gpt-5.6 under that of gpt-5.6-sol', async () => {
  expect((await ask('gpt-5.6-sol', {})).json.model).toBe('gpt-5.6-sol')
  expect((await ask('gpt-5.6', {})).json.model).toBe('gpt-5.6-sol')
  expect((await ask('gpt-5-search-api', {})).json.model).toBe('gpt-5-search-api-2025-10-14')
})

const FILE = resolve(import.meta.dirname, '../../../shared/contract.md')
const contract = existsSync(FILE) ? readFileSync(FILE, 'utf8') : undefined
const WITHOUT = contract === undefined ? ' (skipped: the contract is not beside this checkout)' : ''

describe('the text of the contract', () => {
  /** The numbers and names that differ between the contract's example and the one sent here. */
  const normal = (message: string): string =>
    message
      .replace(/\d+/g, '0')
      .replaceAll(/'messages\[0\][^']*'/g, "'messages[0]'")
      .replace(/`|\\\|/g, (found) => (found === '`' ? '' : '|'))

  test.skipIf(contract === undefined)(`every message of 11.5 and 11.6 is answered${WITHOUT}`, () => {
    const section = contract!.slice(contract!.indexOf('### 11.5'), contract!.indexOf('### 11.7'))
    const answered = new Set([...REFUSED, ...TOO_LONG].map(([, , [, message]]) => normal(message)))
    const quoted = section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split(' | ')[1] ?? '')
      .flatMap((cell) => [...cell.matchAll(/`([A-Z][^`]{30,})`/g)].map(([, text]) => text!))
      // Embeddings and small caps have tests of their own.
      .filter((text) => !/maximum (?:context|input) length is 8192|Could not finish/.test(text))
    const missing = quoted.filter((text) => !answered.has(normal(text)) && !/NAME|\.\.\./.test(text))
    expect(quoted.length).toBeGreaterThan(12)
    expect(missing).toEqual([])
  })
})
