/** What clients see of each feature, over every transport. */
import OpenAI, {
  APIConnectionError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { openAround } from '../support/open-around.ts'
import { IN_PROCESS_URL, transports } from '../support/transports.ts'

const HELLO = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'Hello there!' }] }
const REQUEST_ID = /^req_[0-9a-f]{32}$/

describe.each(transports)('over $name', (transport) => {
  const mock = createMock('default', { baseURL: IN_PROCESS_URL, seed: 7 })
  const opened = openAround(transport, mock)
  beforeEach(() => mock.use('default'))

  // A new client in each test, because it keeps the fetch that is global when it is created.
  const clientOf = (apiKey = 'sk-test'): OpenAI => new OpenAI({ apiKey, baseURL: opened.baseUrl, maxRetries: 0 })
  const call = (path: string, init: RequestInit = {}): Promise<Response> => fetch(opened.baseUrl + path, init)
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    call('/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test('the client gets a chat completion', async () => {
    const { choices, usage, id } = await clientOf().chat.completions.create(HELLO)
    expect(choices[0]).toMatchObject({ message: { role: 'assistant', content: 'Hello there!' }, finish_reason: 'stop' })
    expect(usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 })
    expect(id).toMatch(/^chatcmpl-[0-9A-Za-z]{29}$/)
  })

  test('the client gets a stream chunk by chunk', async () => {
    const stream = await clientOf().chat.completions.create({ ...HELLO, stream: true })
    const chunks = await allOf(stream)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello there!')
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  })

  test('the client gets the usage of a stream, last', async () => {
    const options = { ...HELLO, stream: true as const, stream_options: { include_usage: true } }
    const chunks = await allOf(await clientOf().chat.completions.create(options))
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 3 } })
  })

  test("the client's stream helper assembles the message", async () => {
    const message = await clientOf().chat.completions.stream(HELLO).finalMessage()
    expect(message).toMatchObject({ role: 'assistant', content: 'Hello there!' })
  })

  test('the client gets the same numbers by its own base64 and as floats', async () => {
    const request = { model: 'hash-1', input: ['Hello there!', 'another text'] }
    const byDefault = await clientOf().embeddings.create(request)
    const asFloats = await clientOf().embeddings.create({ ...request, encoding_format: 'float' })
    expect(mock.journal.at(-2)?.body).toMatchObject({ encoding_format: 'base64' })
    const vectors = byDefault.data.map(({ embedding }) => embedding)
    expect(vectors.map(({ length }) => length)).toEqual([1536, 1536])
    // Floats are written as the shortest decimal of the float32, so they are rounded back to it to be compared.
    expect(vectors).toEqual(asFloats.data.map(({ embedding }) => [...new Float32Array(embedding)]))
    expect(byDefault.usage).toEqual(asFloats.usage)
  })

  test('the client can request shorter embeddings', async () => {
    const { data } = await clientOf().embeddings.create({ model: 'hash-1', input: 'hi', dimensions: 256 })
    expect(data[0]?.embedding).toHaveLength(256)
  })

  test('the client lists the models, and asks for one', async () => {
    const models = await allOf(await clientOf().models.list())
    expect(models.map(({ id }) => id)).toEqual(['echo-1', 'hash-1'])
    expect(await clientOf().models.retrieve('echo-1')).toEqual(models[0])
  })

  test.each([
    ['invalid-request', BadRequestError, 400, { param: 'messages.[0].content' }],
    ['context-length', BadRequestError, 400, { code: 'context_length_exceeded', param: 'messages' }],
    ['invalid-key', AuthenticationError, 401, { code: 'invalid_api_key' }],
    ['missing-key', AuthenticationError, 401, { type: 'invalid_request_error' }],
    ['forbidden-region', PermissionDeniedError, 403, { code: 'unsupported_country_region_territory' }],
    ['not-found', NotFoundError, 404, { code: 'model_not_found' }],
    ['rate-limit', RateLimitError, 429, { code: 'rate_limit_exceeded', type: 'requests' }],
    ['rate-limit-tokens', RateLimitError, 429, { code: 'rate_limit_exceeded', type: 'tokens' }],
    ['quota', RateLimitError, 429, { code: 'insufficient_quota', type: 'insufficient_quota' }],
    ['server-error', InternalServerError, 500, { type: 'server_error' }],
    ['overloaded', InternalServerError, 503, { type: 'server_error' }],
  ] as const)('the fault %s is the typed error of the client', async (fault, errorClass, status, fields) => {
    mock.inject(fault)
    const error = await clientOf()
      .chat.completions.create(HELLO)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      )
    expect(error).toBeInstanceOf(errorClass)
    expect(error).toMatchObject({ code: null, param: null, status, ...fields })
    expect((error as { requestID: string }).requestID).toMatch(REQUEST_ID)
  })

  test('an invalid request is a BadRequestError that names the parameter', async () => {
    const asked = clientOf().chat.completions.create({ ...HELLO, temperature: 3 })
    await expect(asked).rejects.toBeInstanceOf(BadRequestError)
    await expect(asked).rejects.toMatchObject({
      message: "400 Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
      param: 'temperature',
      code: 'decimal_above_max_value',
    })
  })

  test('a key that the scenario does not accept is an AuthenticationError', async () => {
    mock.use({ description: 'one key', keys: { 'sk-known': {} } })
    await expect(clientOf('sk-unknown-0123456789').chat.completions.create(HELLO)).rejects.toBeInstanceOf(
      AuthenticationError,
    )
    await expect(clientOf('sk-known').chat.completions.create(HELLO)).resolves.toBeDefined()
  })

  test('a model that the scenario does not list is a NotFoundError', async () => {
    mock.use({ description: 'one model', models: { 'echo-1': {} } })
    const asked = clientOf().chat.completions.create({ ...HELLO, model: 'gpt-0' })
    await expect(asked).rejects.toBeInstanceOf(NotFoundError)
    await expect(asked).rejects.toMatchObject({ code: 'model_not_found' })
  })

  test('a key above its limit gets a RateLimitError with both retry headers', async () => {
    mock.use({ description: 'one request', limits: { requests: '1 per hour' } })
    const client = clientOf()
    await client.chat.completions.create(HELLO)
    const error: unknown = await client.chat.completions.create(HELLO).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RateLimitError)
    const { headers } = error as RateLimitError
    expect(Number(headers?.get('retry-after'))).toBeGreaterThan(3000)
    expect(Number(headers?.get('retry-after-ms'))).toBeGreaterThan(3_000_000)
    expect(headers?.get('x-ratelimit-remaining-requests')).toBe('0')
  })

  test('withResponse shows the headers of an answer', async () => {
    const { response, request_id } = await clientOf().chat.completions.create(HELLO).withResponse()
    expect(request_id).toMatch(REQUEST_ID)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('openai-version')).toBe('2020-10-01')
    expect(response.headers.get('openai-processing-ms')).toMatch(/^\d+$/)
    expect(response.headers.get('openai-organization')).toMatch(/^org-[0-9A-Za-z]{24}$/)
  })

  test('withResponse shows the headers of a stream, before it is read', async () => {
    const { data, response } = await clientOf()
      .chat.completions.create({ ...HELLO, stream: true })
      .withResponse()
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-request-id')).toMatch(REQUEST_ID)
    expect(await allOf(data)).toHaveLength(5)
  })

  test('withResponse shows the model of an embedding', async () => {
    const { response } = await clientOf().embeddings.create({ model: 'hash-1', input: 'hi' }).withResponse()
    expect(response.headers.get('openai-model')).toBe('hash-1')
  })

  test('the journal records a client that disconnects during a stream', async () => {
    mock.use({ description: 'slow', pace: { perToken: '20ms' } })
    const content = 'word '.repeat(500)
    const request = { model: 'echo-1', messages: [{ role: 'user' as const, content }], stream: true as const }
    const seen: string[] = []
    for await (const { choices } of await clientOf().chat.completions.create(request)) {
      seen.push(choices[0]?.delta.content ?? '')
      if (seen.length === 3) break
    }
    expect(seen.join('')).toBe('word word')
    await vi.waitFor(() => expect(mock.journal.at(-1)?.outcome).toBe('client-left'), { timeout: 10_000 })
  })

  test('the journal records a client that gives up while it waits for the first token', async () => {
    mock.use({ description: 'slow', pace: { firstToken: '1h' } })
    const before = mock.journal.at(-1)?.number ?? 0
    const leave = new AbortController()
    const asked = clientOf().chat.completions.create(HELLO, { signal: leave.signal })
    await vi.waitFor(() => expect(mock.journal.at(-1)?.number).toBe(before + 1), { timeout: 10_000 })
    leave.abort()
    await expect(asked).rejects.toThrow('Request was aborted.')
    await vi.waitFor(() => expect(mock.journal.at(-1)?.outcome).toBe('client-left'), { timeout: 10_000 })
  })

  test('a connection that is cut before the answer ends is an error of the client', async () => {
    mock.inject('cut', { after: 2 })
    const stream = await clientOf().chat.completions.create({ ...HELLO, stream: true })
    const seen: unknown[] = []
    const read = async (): Promise<void> => {
      for await (const chunk of stream) seen.push(chunk)
    }
    await expect(read()).rejects.toThrow('terminated')
    expect(seen).toHaveLength(2)
    expect(mock.journal.at(-1)).toMatchObject({ outcome: 'cut', reason: { by: 'fault', name: 'cut (injected)' } })
  })

  test('a call that hangs ends with the time-out of the client', async () => {
    mock.inject('hang')
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: opened.baseUrl, maxRetries: 0, timeout: 200 })
    await expect(client.chat.completions.create(HELLO)).rejects.toBeInstanceOf(APIConnectionError)
  })

  test('a preflight is answered with the headers it names', async () => {
    const response = await call('/chat/completions', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, x-stainless-lang',
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('POST, GET, OPTIONS')
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type, x-stainless-lang')
    expect(await response.text()).toBe('')
  })

  test.each([204, 205, 304])('a recorded stream with the bodiless status %i is only a head', async (status) => {
    const events = [{ at: '1ms', data: '[DONE]' }] as const
    mock.use({ description: 'Recorded.', replies: [{ answer: { status, events } }] })
    const response = await post(HELLO)
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
  })

  test.each([{}, { 'x-mock-fault': 'server-error' }, { 'x-mock-fault': 'rate-limit' }, { authorization: '' }])(
    'a page may read the answer and its headers: %o',
    async (headers) => {
      const response = await post(HELLO, { origin: 'http://localhost:5173', ...headers })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(expect.arrayContaining(['x-request-id', 'retry-after', 'x-ratelimit-reset-tokens']))
    },
  )

  test("a client that is not a browser gets the service's one exposed header", async () => {
    const { headers } = await post(HELLO)
    expect(headers.get('access-control-expose-headers')).toBe('X-Request-ID')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('9999')
  })

  test('a misspelt path gets a 404 that names the right one', async () => {
    const response = await call('/chat/completion', { method: 'POST', body: '{}' })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: {
        message: 'Invalid URL (POST /v1/chat/completion). Did you mean POST /v1/chat/completions?',
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    })
  })

  test('an unknown path gets a 404', async () => {
    const response = await call('/nonsense')
    expect([response.status, (await response.json()).error.message]).toEqual([404, 'Invalid URL (GET /v1/nonsense)'])
  })

  test.each([
    ['GET', '/embeddings', 'POST'],
    ['DELETE', '/embeddings', 'POST'],
    ['PUT', '/models', 'GET'],
    ['POST', '/models/echo-1', 'GET'],
  ])('%s %s is a 405 that allows %s', async (method, path, allowed) => {
    const response = await call(path, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed])
    expect((await response.json()).error).toMatchObject({
      message: `Only ${allowed} requests are accepted.`,
      code: 'method_not_supported',
    })
  })

  test('HEAD has the status and headers of the 405, and no body', async () => {
    const response = await call('/embeddings', { method: 'HEAD' })
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([405, 'POST', ''])
  })

  test('a query string does not change the answer', async () => {
    const response = await call('/models?limit=1', { headers: { authorization: 'Bearer sk-test' } })
    expect(response.status).toBe(200)
  })

  test('a call without a key gets a 401', async () => {
    const response = await post(HELLO, { authorization: '' })
    expect(response.status).toBe(401)
    expect((await response.json()).error.message).toMatch(/^You didn't provide an API key\./)
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
    'a body of type %s is read',
    async (type) => {
      expect((await post(HELLO, { 'content-type': type })).status).toBe(200)
    },
  )

  test('a body without a type is read', async () => {
    const body = new TextEncoder().encode(JSON.stringify(HELLO))
    const headers = { authorization: 'Bearer sk-test' }
    expect((await call('/chat/completions', { method: 'POST', headers, body })).status).toBe(200)
  })

  test('a body of another type is a 400 that names the type', async () => {
    const response = await post(HELLO, { 'content-type': 'text/plain' })
    expect(response.status).toBe(400)
    expect((await response.json()).error).toMatchObject({ code: 'unsupported_content_type' })
  })

  test.skipIf(transport.readsBodies)(
    "a body that is not JSON gets the service's 400 (a body parser in front answers it itself)",
    async () => {
      const response = await post('{"model": ')
      expect(response.status).toBe(400)
      expect((await response.json()).error.message).toMatch(/^We could not parse the JSON body of your request\./)
    },
  )

  test('x-mock-fault makes one call fail, and x-mock-explain says why', async () => {
    const response = await post(HELLO, { 'x-mock-fault': 'rate-limit; retry-after=2', 'x-mock-explain': '1' })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.headers.get('retry-after-ms')).toBe('2000')
    expect(response.headers.get('x-mock-reason')).toBe('fault: rate-limit (header)')
    expect((await post(HELLO)).status).toBe(200)
  })

  test.each([
    ['429', 429],
    ['503', 503],
    ['418', 418],
    ['status; status=451', 451],
  ])('x-mock-fault: %s answers with %i', async (fault, status) => {
    expect((await post(HELLO, { 'x-mock-fault': fault })).status).toBe(status)
  })

  test('a fault that does not exist is refused by name', async () => {
    const response = await post(HELLO, { 'x-mock-fault': 'rate-limits' })
    expect(response.status).toBe(400)
    expect((await response.json()).error).toMatchObject({
      message: expect.stringMatching(/^x-mock-fault: unknown fault 'rate-limits'\. Did you mean 'rate-limit'\?/),
      code: 'mock_unknown_fault',
    })
    expect(mock.journal.at(-1)?.notes).toEqual([
      expect.stringMatching(/^x-mock-fault: unknown fault 'rate-limits'\. Did you mean 'rate-limit'\?/),
    ])
  })

  test('x-mock-explain returns the scenario, the reason, the attempt and the notes', async () => {
    const asked = { ...HELLO, temprature: 1 }
    await post(asked)
    const { headers } = await post(asked, { 'x-mock-explain': '1' })
    const told = ['scenario', 'reason', 'attempt', 'note'].map((what) => headers.get(`x-mock-${what}`))
    expect(told).toEqual(['default', 'echo: echo', '2', "unknown parameter 'temprature', did you mean 'temperature'?"])
  })

  test('without x-mock-explain no answer has an x-mock header', async () => {
    const { headers } = await post(HELLO)
    expect([...headers.keys()].filter((name) => name.startsWith('x-mock-'))).toEqual([])
  })
})

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
