/**
 * Calls of the contract as data, and the scenario they are made for: each is sent over every transport.
 *
 * Nothing of Node is imported here and each call is one that a page can make, so that a browser can replay them all.
 */
import { toolCallFaults } from '../../src/core/protocol/faults/tool-call-faults.ts'
import type { ScenarioInput } from '../../src/index.ts'

/** One call, as fetch takes it. */
export interface ContractCall {
  /** What it asks for. */
  readonly name: string
  readonly method: string
  /** What follows the base URL: `/chat/completions`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As it is sent; undefined for none. */
  readonly body: string | undefined
}

export const CONTRACT_SEED = 7

/** A scenario with something of everything that can be decided without a clock. */
export const CONTRACT_SCENARIO: ScenarioInput = {
  description: 'Keys, models, replies and faults that the calls of the contract meet.',
  keys: { 'sk-test': {}, 'sk-ci-*': {}, 'sk-revoked': { fault: 'invalid-key' } },
  models: {
    'echo-1': {},
    'gpt-4': { endpoint: 'chat', snapshot: 'gpt-4-0613', contextTokens: 200 },
    'think-1': { endpoint: 'chat', snapshot: 'think-1-2025-08-07', reasoning: true, maxOutputTokens: 100 },
    'hash-1': { endpoint: 'embeddings', dimensions: 64 },
    'hash-fixed': { endpoint: 'embeddings', dimensions: 16, fixedDimensions: true },
  },
  replies: [
    { when: { user: /weather in (?<city>\w+)/i }, say: 'Rain in {{city}}.' },
    { when: { user: 'count' }, say: ['One.', 'Two.', 'Three and no more.'] },
    { when: { user: 'fail' }, fault: 'overloaded' },
    { when: { user: 'secret' }, refuse: 'I keep that to myself.' },
    {
      when: { user: 'outside' },
      call: [{ name: 'get_weather', arguments: { city: 'Oslo', unit: 'celsius' } }, { name: 'get_weather' }],
    },
  ],
  faults: [{ when: { user: 'perhaps' }, fault: 'server-error', chance: '50%' }],
}

/** What a call may say otherwise than `POST /chat/completions` with a known key. */
export interface CallOverrides {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** '' for none. */
  readonly key?: string
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
}

/** A call of that name. */
export function contractCall(name: string, overrides: CallOverrides = {}): ContractCall {
  const { method = 'POST', path = '/chat/completions', headers = {}, key = 'sk-test', body } = overrides
  return {
    name,
    method,
    path,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  }
}

const user = (content: unknown, more: object = {}) => ({
  model: 'echo-1',
  messages: [{ role: 'user', content }],
  ...more,
})
const chat = (name: string, content: unknown, more: object = {}, overrides: CallOverrides = {}): ContractCall =>
  contractCall(name, { body: user(content, more), ...overrides })
const embeddings = (name: string, input: unknown, more: object = {}): ContractCall =>
  contractCall(name, { path: '/embeddings', body: { model: 'hash-1', input, ...more } })

const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather now.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
      required: ['city', 'unit'],
    },
  },
}
const reportFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'report',
    schema: { ...weatherTool.function.parameters, additionalProperties: false },
    strict: true,
  },
}
const toolCall = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }
const agentLoop = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is it like outside?' },
  { role: 'assistant', content: null, tool_calls: [toolCall] },
  { role: 'tool', tool_call_id: 'call_1', content: '21 degrees' },
]

/** Chats that are answered with 200. */
export const chatCalls: readonly ContractCall[] = [
  chat('a chat that is echoed', 'Hello there!'),
  chat('the same chat again: another id', 'Hello there!'),
  chat('the same chat with another key', 'Hello there!', {}, { key: 'sk-ci-1' }),
  chat('a chat in several scripts', 'Grüße, 世界! 👨‍👩‍👧 مرحبا\u0000\u2028'),
  chat('a chat with a lone surrogate', 'half a pair: \ud83d'),
  chat('an empty chat', ''),
  chat('a chat of parts', [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
  ]),
  chat('a reply rule with a named group', 'the weather in Oslo, please'),
  chat('a sequence, first', 'count'),
  chat('a sequence, second', 'count'),
  chat('a sequence, third', 'count'),
  chat('a sequence, after its end', 'count'),
  chat('several choices', 'one of three', { n: 3 }),
  chat('a chat that is cut by max_tokens', 'one two three four', { max_tokens: 2 }),
  chat('a chat that is cut by a stop sequence', 'one two three four', { stop: ['three'] }),
  chat('a chat with every plain parameter', 'Hello there!', {
    temperature: 0.5,
    top_p: 1,
    presence_penalty: -1,
    frequency_penalty: 2,
    logit_bias: { 50256: -100 },
    logprobs: false,
    max_completion_tokens: 20,
    metadata: { run: '7' },
    reasoning_effort: 'low',
    response_format: { type: 'text' },
    safety_identifier: 'someone',
    seed: 42,
    service_tier: 'flex',
    store: true,
    user: 'someone',
    verbosity: 'low',
  }),
  chat('a chat whose optional parameters are null', 'Hello there!', { n: null, stop: null, stream: null }),
  chat('a chat with tools', 'Hello there!', { tools: [weatherTool], tool_choice: 'auto' }),
  chat('a chat that must call a tool', 'Hello there!', { tools: [weatherTool], tool_choice: 'required' }),
  chat('a chat that makes two calls at once', 'outside', { tools: [weatherTool] }),
  chat('a chat with a custom tool', 'Hello there!', {
    tools: [{ type: 'custom', custom: { name: 'search' } }],
    tool_choice: { type: 'custom', custom: { name: 'search' } },
  }),
  chat('a chat with a function of the old kind', 'Hello there!', {
    functions: [weatherTool.function],
    function_call: { name: 'get_weather' },
  }),
  chat('a chat answered by a schema', 'Hello there!', { response_format: reportFormat }),
  chat('a chat in JSON mode', 'Some json, please', { response_format: { type: 'json_object' } }),
  chat('a chat that is refused by the model', 'the secret'),
  chat('a chat with logprobs', 'Hello there! 🎉', { logprobs: true, top_logprobs: 3 }),
  chat('a chat with a prediction', 'let a = 1', { prediction: { type: 'content', content: 'let a = 2' } }),
  chat('a chat that is bent in its meaning', 'Hello!', {}, { headers: { 'x-mock-fault': 'other-language' } }),
  contractCall('a chat after a tool has answered', { body: { model: 'echo-1', messages: agentLoop } }),
  chat('a chat with a model that has a dated name', 'Hello there!', { model: 'gpt-4' }),
  chat('a chat with a reasoning model', 'Hello there!', { model: 'think-1', max_completion_tokens: 50 }),
  chat('a chat with an unknown parameter, accepted', 'Hello there!', { temprature: 1 }),
  chat('a chat that asks why', 'Hello there!', { temprature: 1 }, { headers: { 'x-mock-explain': '1' } }),
  chat('a spoken answer', 'Hello there!', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'mp3' } }),
  chat('a chat that perhaps fails, once', 'perhaps 1'),
  chat('a chat that perhaps fails, twice', 'perhaps 2'),
]

/** Streamed chats. */
export const streamCalls: readonly ContractCall[] = [
  chat('a stream', 'Hello there, how are you?', { stream: true }),
  chat('a stream with usage', 'Hello there!', { stream: true, stream_options: { include_usage: true } }),
  chat('a spoken stream', 'Hello there!', {
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'pcm16' },
    stream: true,
  }),
  chat('a stream with obfuscation', 'Hello there!', {
    stream: true,
    stream_options: { include_usage: true, include_obfuscation: true },
  }),
  chat('a stream of several choices', 'one of two', { stream: true, n: 2 }),
  chat('a stream in several scripts', 'Grüße, 世界! 👨‍👩‍👧 مرحبا', { stream: true }),
  chat('a stream of nothing', '', { stream: true }),
  chat('a stream that is cut by max_tokens', 'one two three four', { stream: true, max_tokens: 2 }),
  chat('a stream of a call', 'Hello there!', { stream: true, tools: [weatherTool], tool_choice: 'required' }),
  chat('a stream of two calls', 'outside', { stream: true, tools: [weatherTool] }),
  chat('a stream of a call of a custom tool', 'Hello there!', {
    stream: true,
    tools: [{ type: 'custom', custom: { name: 'search' } }],
    tool_choice: { type: 'custom', custom: { name: 'search' } },
  }),
  chat('a stream of a function_call', 'Hello there!', {
    stream: true,
    functions: [weatherTool.function],
    function_call: { name: 'get_weather' },
  }),
  chat('a stream by a schema', 'Hello there!', { stream: true, response_format: reportFormat }),
  chat('a stream of a refusal', 'the secret', { stream: true }),
  chat('a stream with logprobs', 'Hello there! 🎉', { stream: true, logprobs: true, top_logprobs: 2 }),
  chat('a stream with a reasoning model', 'Hello there!', { stream: true, model: 'think-1' }),
]

/** Embeddings that are answered with 200. */
export const embeddingCalls: readonly ContractCall[] = [
  embeddings('an embedding', 'Hello there!'),
  embeddings('an embedding as base64', 'Hello there!', { encoding_format: 'base64' }),
  embeddings('an embedding as floats', 'Hello there!', { encoding_format: 'float' }),
  embeddings('embeddings of several texts', ['one', 'two', '世界 👋', ' \n\t']),
  embeddings('an embedding of tokens', [9906, 1070, 0]),
  embeddings('embeddings of several lists of tokens', [[9906], [1070, 0]]),
  embeddings('a short embedding', 'Hello there!', { dimensions: 8 }),
  embeddings('an embedding of the model that echoes', 'Hello there!', { model: 'echo-1', dimensions: 32, user: 'me' }),
]

/** Calls to the list of models that are answered with 200. */
export const modelCalls: readonly ContractCall[] = [
  contractCall('the models', { method: 'GET', path: '/models' }),
  contractCall('one model', { method: 'GET', path: '/models/echo-1' }),
]

/** Calls that are refused, each for a reason of its own. */
export const refusedCalls: readonly ContractCall[] = [
  chat('no key', 'hi', {}, { key: '' }),
  chat('an unknown key', 'hi', {}, { key: 'sk-unknown-0123456789' }),
  chat('a revoked key', 'hi', {}, { key: 'sk-revoked' }),
  chat('a key of another scheme', 'hi', {}, { key: '', headers: { authorization: 'Basic c2stdGVzdA==' } }),
  chat('an unknown model', 'hi', { model: 'gpt-0' }),
  chat('no model', 'hi', { model: null }),
  chat('a model of embeddings', 'hi', { model: 'hash-1' }),
  chat('a temperature too high', 'hi', { temperature: 3 }),
  chat('a prompt too long', 'word '.repeat(300), { model: 'gpt-4' }),
  chat('max_tokens with a reasoning model', 'hi', { model: 'think-1', max_tokens: 5 }),
  chat('a rule that fails', 'fail'),
  chat('a schema that nothing fulfils', 'hi', {
    response_format: { type: 'json_schema', json_schema: { name: 'none', schema: { type: 'integer', enum: ['a'] } } },
  }),
  contractCall('no messages', { body: { model: 'echo-1' } }),
  contractCall('no message', { body: { model: 'echo-1', messages: [] } }),
  contractCall('a message of an unknown role', {
    body: { model: 'echo-1', messages: [{ role: 'bogus', content: 'hi' }] },
  }),
  contractCall('a body of another type', { body: 'model=echo-1', headers: { 'content-type': 'text/plain' } }),
  embeddings('an embedding of nothing', ''),
  embeddings('too many dimensions', 'hi', { dimensions: 65 }),
  embeddings('fewer dimensions than a model has', 'hi', { model: 'hash-fixed', dimensions: 8 }),
  embeddings('an embedding of a chat model', 'hi', { model: 'gpt-4' }),
  contractCall('a path that nearly is one', { path: '/chat/completion', body: user('hi') }),
  contractCall('a path that is none', { method: 'GET', path: '/files' }),
  contractCall('a method the path does not take', { method: 'PUT' }),
  contractCall('a completion that is not stored', { method: 'GET', path: '/chat/completions/chatcmpl-x' }),
  contractCall('a method the models do not take', { method: 'POST', path: '/models', body: {} }),
  contractCall('a model the list does not have', { method: 'GET', path: '/models/gpt-0' }),
  ...[
    'invalid-request',
    'context-length',
    'missing-key',
    'invalid-key',
    'forbidden-region',
    'not-found',
    'rate-limit; retry-after=2',
    'rate-limit-tokens',
    'quota',
    'server-error',
    'overloaded',
    'status; status=418',
    '409',
    'ratelimit',
    'cut; before=1',
  ].map((fault) => chat(`the fault '${fault}' by header`, 'hi', {}, { headers: { 'x-mock-fault': fault } })),
]

/** A body that is no JSON: an application's own body parser in front of the mock answers it before the mock can. */
export const unreadableCalls: readonly ContractCall[] = [
  contractCall('half a body', { body: '{"model": "echo-1", ' }),
  contractCall('a body that is no object', { body: '"hello"' }),
  contractCall('an empty body', { body: '' }),
]

const faultCall = (fault: string): ContractCall =>
  chat(
    `a stream with the fault ${fault}`,
    'Hello thére!',
    { stream: true, stream_options: { include_usage: true } },
    { headers: { 'x-mock-fault': fault } },
  )

/** Two tool calls that a fault makes wrong, whole and streamed. */
const toolFaultCalls: readonly ContractCall[] = [
  ...toolCallFaults.map(({ name }) => name),
  'tool-loop; turns=2',
  'wrong-tool-call-id; id=changing',
].flatMap((fault) =>
  [false, true].map((stream) =>
    chat(
      `${stream ? 'streamed' : 'whole'} tool calls with the fault ${fault}`,
      'outside',
      { stream, tools: [weatherTool] },
      { headers: { 'x-mock-fault': fault } },
    ),
  ),
)

/** Answers that a fault bends and does not break. */
const bentCalls: readonly ContractCall[] = [
  'conflict',
  'bad-gateway',
  'gateway-timeout',
  'wrong-content-type',
  'delay; by=1ms',
  'slow-drip; size=50; interval=0',
  'bandwidth; rate=1000000',
  'cut; after=3; end=clean',
  'stream-error',
  'stream-error; event=error',
  'malformed-event',
  'missing-done',
  'missing-usage',
  'duplicated-event',
  'comments',
  'crlf',
  'split-events; size=7',
  'joined-events',
].map(faultCall)

/** Answers that break: how much of them arrives is the same everywhere, and then the client sees an error. */
export const brokenCalls: readonly ContractCall[] = [
  chat('a stream cut after its first event', 'Hello there!', { stream: true }, { headers: { 'x-mock-fault': 'cut' } }),
  chat(
    'a stream cut after three events',
    'Hello there!',
    { stream: true },
    { headers: { 'x-mock-fault': 'cut; after=3' } },
  ),
  chat('a whole answer cut in the middle', 'Hello there!', {}, { headers: { 'x-mock-fault': 'cut' } }),
  chat('half a body of a length that is told', 'Hello there!', {}, { headers: { 'x-mock-fault': 'half-body' } }),
  ...[
    'half-body',
    'cut; bytes=700; end=fin',
    'cut; inside=character',
    'cut; after=3; inside=data; end=fin',
    'cut; before=usage',
    'cut; before=done',
  ].map(faultCall),
]

/** Every call that is answered to its end, in an order that may matter: the mock counts attempts. */
export const wholeCalls: readonly ContractCall[] = [
  ...chatCalls,
  ...streamCalls,
  ...embeddingCalls,
  ...modelCalls,
  ...refusedCalls,
  ...bentCalls,
  ...toolFaultCalls,
]
