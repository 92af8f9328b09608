/** Generated calls: valid ones, nearly valid ones and nonsense, to all endpoints and beside them. */
import fc from 'fast-check'
import type { Sendable } from './send.ts'

const text = fc.oneof(
  fc.constantFrom('Hello there!', 'the weather in Oslo', 'count', 'perhaps', 'json', ''),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(-1, 0, 1.5, 1e21, '', 'auto', null, true, [], {}))

const part = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  fc.constant({ type: 'image_url', image_url: { url: 'data:,' } }),
)
const content = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }) })
const message = fc.record(
  { role: fc.constantFrom('user', 'user', 'user', 'system', 'developer', 'assistant'), content, name: text },
  { requiredKeys: ['role', 'content'] },
)
const messages = fc.array(message, { minLength: 1, maxLength: 3 })
const tool = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }

export const chatBody = fc.record(
  {
    model: fc.constantFrom('echo-1', 'echo-1', 'gpt-4', 'think-1', 'gpt-0'),
    messages,
    stream: fc.boolean(),
    n: fc.integer({ min: 1, max: 3 }),
    max_completion_tokens: fc.integer({ min: 1, max: 20 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    stop: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 })),
    seed: fc.integer(),
    metadata: fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 10 }), { maxKeys: 3 }),
    service_tier: fc.constantFrom('auto', 'default', 'flex', 'priority'),
    response_format: fc.constantFrom({ type: 'text' }, { type: 'text' }, { type: 'text' }, { type: 'json_object' }),
    tools: fc.constant([tool]),
    user: text,
  },
  { requiredKeys: ['model', 'messages'] },
)
const streamOptions = fc.record({ include_usage: fc.boolean(), include_obfuscation: fc.boolean() })
const streamBody = fc
  .tuple(chatBody, streamOptions)
  .map(([body, stream_options]) => ({ ...body, stream: true, stream_options }))

const token = fc.integer({ min: 0, max: 199_999 })
export const embeddingsBody = fc.record(
  {
    model: fc.constantFrom('hash-1', 'hash-1', 'hash-fixed', 'echo-1', 'gpt-0'),
    input: fc.oneof(
      text,
      fc.array(text, { maxLength: 4 }),
      fc.array(token, { maxLength: 6 }),
      fc.array(fc.array(token, { maxLength: 3 }), { maxLength: 3 }),
    ),
    encoding_format: fc.constantFrom('float', 'base64'),
    dimensions: fc.integer({ min: 1, max: 70 }),
    user: text,
  },
  { requiredKeys: ['model', 'input'] },
)

const responseItem = fc.oneof(
  message,
  fc.record({
    role: fc.constant('user'),
    content: fc.array(text.map((value) => ({ type: 'input_text', text: value }))),
  }),
  fc.constantFrom(
    { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
    { type: 'item_reference', id: 'msg_0' },
    { type: 'reasoning', id: 'rs_0', summary: [] },
  ),
)
const responsesBody = fc.record(
  {
    model: fc.constantFrom('echo-1', 'echo-1', 'gpt-4', 'think-1', 'gpt-0'),
    input: fc.oneof(text, fc.array(responseItem, { minLength: 1, maxLength: 4 })),
    instructions: text,
    stream: fc.boolean(),
    store: fc.boolean(),
    max_output_tokens: fc.integer({ min: 16, max: 40 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    reasoning: fc.constantFrom({}, { effort: 'low' }, { summary: 'auto' }),
    include: fc.constantFrom([], ['reasoning.encrypted_content'], ['message.output_text.logprobs']),
    tools: fc.constant([{ type: 'function', name: 'get_weather', parameters: { type: 'object' }, strict: false }]),
    text: fc.constantFrom({}, { format: { type: 'text' } }, { format: { type: 'json_object' } }),
    user: text,
  },
  { requiredKeys: ['model', 'input'] },
)

/** The same body with one field that is something else, gone, or new. */
const spoilt = <Body extends object>(body: fc.Arbitrary<Body>): fc.Arbitrary<object> =>
  body.chain((whole) =>
    fc
      .tuple(fc.constantFrom(...Object.keys(whole), 'temprature', 'n', 'stream', '__proto__'), fc.option(junk))
      .map(([key, value]) => JSON.parse(`{${[...withoutKey(whole, key), fieldOf(key, value)].join(',')}}`)),
  )

const fieldOf = (key: string, value: unknown): string => `${JSON.stringify(key)}:${JSON.stringify(value)}`
const withoutKey = (whole: object, key: string): string[] =>
  Object.entries(whole)
    .filter(([name]) => name !== key)
    .map(([name, value]) => fieldOf(name, value))

const chatBodies = fc.oneof(
  { weight: 3, arbitrary: chatBody },
  { weight: 3, arbitrary: streamBody },
  { weight: 2, arbitrary: spoilt(chatBody) },
  { weight: 1, arbitrary: spoilt(streamBody) },
)
const embeddingsBodies = fc.oneof(
  { weight: 3, arbitrary: embeddingsBody },
  { weight: 2, arbitrary: spoilt(embeddingsBody) },
)
const responsesBodies = fc.oneof(
  { weight: 3, arbitrary: responsesBody },
  { weight: 2, arbitrary: spoilt(responsesBody) },
)

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Bearer sk-test', 'bearer  sk-test', 'Bearer sk-ci-1', 'Bearer sk-limited') },
  { weight: 1, arbitrary: fc.constantFrom('Bearer sk-revoked', 'Bearer sk-unknown-0123456789', 'Bearer ', 'Basic x') },
)
const FAULTS = [
  'invalid-request',
  'context-length',
  'invalid-key',
  'rate-limit; retry-after=2',
  'rate-limit-tokens',
  'quota',
  'server-error',
  '503',
  '418',
  'status; status=451',
  'cut; retry-after=1',
  'ratelimit',
  ';',
]
const optionalHeaders = fc.record(
  {
    authorization: key,
    'x-mock-explain': fc.constant('1'),
    'x-mock-fault': fc.constantFrom(...FAULTS),
    origin: fc.constant('https://app.example.com'),
    accept: fc.constantFrom('application/json', 'text/event-stream'),
  },
  { requiredKeys: ['authorization'] },
)
const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  { weight: 1, arbitrary: fc.constantFrom('application/json; charset=utf-8', 'APPLICATION/JSON', 'text/plain') },
)
const headers = fc.tuple(optionalHeaders, contentType, fc.integer({ min: 0, max: 3 })).map(([own, type, rare]) => {
  const { 'x-mock-fault': fault, ...others } = own
  // A fault hides everything behind it, so only some calls ask for one.
  return { 'content-type': type, ...others, ...(rare === 0 && fault !== undefined && { 'x-mock-fault': fault }) }
})

const toChat = fc.tuple(chatBodies, headers).map(([body, own]): Sendable => {
  return { method: 'POST', path: '/chat/completions', headers: own, body: JSON.stringify(body) }
})
const toEmbeddings = fc.tuple(embeddingsBodies, headers).map(([body, own]): Sendable => {
  return { method: 'POST', path: '/embeddings', headers: own, body: JSON.stringify(body) }
})
const toResponses = fc.tuple(responsesBodies, headers).map(([body, own]): Sendable => {
  return { method: 'POST', path: '/responses', headers: own, body: JSON.stringify(body) }
})

const PATHS = [
  '/chat/completions',
  '/chat/completions?api-version=2',
  '/chat/completions/',
  '/chat/completion',
  '/Chat/Completions',
  '//chat/completions',
  '/chat/%63ompletions',
  '/embeddings',
  '/embedding',
  '/responses',
  '/responses/resp_0',
  '/responses/resp_0/input_items?limit=1',
  '/responses/input_tokens',
  '/models',
  '/models?limit=1',
  '/models/',
  '/models/echo-1',
  '/models/no%2Fsuch',
  '/models/gr%C3%BCn',
  '/models/one/two',
  '/files',
  '/',
]
const METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const
const beside = fc
  .tuple(fc.constantFrom(...PATHS), fc.constantFrom('POST', ...METHODS), chatBody, headers)
  .map(([path, method, body, own]): Sendable => {
    const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method)
    return { method, path, headers: own, body: hasBody ? JSON.stringify(body) : undefined }
  })

/** Calls whose body is a JSON object, if they have one. */
export const generatedCall: fc.Arbitrary<Sendable> = fc.oneof(
  { weight: 6, arbitrary: toChat },
  { weight: 3, arbitrary: toEmbeddings },
  { weight: 5, arbitrary: toResponses },
  { weight: 2, arbitrary: beside },
)

const bytes = fc.uint8Array({ maxLength: 30 })
const wrapped = bytes.map((inside) => {
  const before = new TextEncoder().encode('{"model":"echo-1","messages":[{"role":"user","content":"')
  const after = new TextEncoder().encode('"}]}')
  return new Uint8Array([...before, ...inside, ...after])
})
const hopeless = fc.constantFrom('', '{', '[]', 'null', '"hello"', '{}{}', '['.repeat(5000), '\u0000', '{"a":1,"a":2}')

/** Calls whose body is bytes of any kind. */
export const unreadableCall: fc.Arbitrary<Sendable> = fc
  .tuple(
    fc.oneof(hopeless, bytes, wrapped),
    fc.constantFrom('/chat/completions', '/embeddings', '/responses'),
    contentType,
    fc.boolean(),
  )
  .map(([body, path, type, isTyped]): Sendable => {
    const given = { authorization: 'Bearer sk-test', ...(isTyped && { 'content-type': type }) }
    return {
      method: 'POST',
      path,
      headers: given,
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    }
  })
