/** The retries of the official client, over every transport. */
import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import OpenAI, { InternalServerError } from 'openai'
import { describe, expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { intercept, listen } from '../../src/node.ts'

const BASE_URL = 'https://api.example.com/v1'
const HELLO = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'Hello there!' }] }
const TIMEOUT_MS = 10_000

/** The private method of the client that computes its back-off when no header names the wait. */
interface BackOff {
  calculateDefaultRetryTimeoutMillis(retriesRemaining: number, maxRetries: number): number
}

/** What docs/testing.md tells people who set up msw themselves. */
function setUpByHand({ handlers }: { readonly handlers: RequestHandler[] }): Disposable {
  const server = setupServer(...handlers)
  server.events.on('response:mocked', ({ response }) => response.body?.cancel())
  server.listen()
  return { [Symbol.dispose]: () => server.close() }
}

const setUps = [
  { name: 'intercept(mock)', setUp: (mock: Mock): Disposable => intercept(mock) },
  { name: 'setupServer and the guard line', setUp: setUpByHand },
]

// Dropping the body of a refused answer is what hung under msw 2 without the guard: a time-out here means that it is back.
describe.each(setUps)('with $name', ({ setUp }) => {
  const mock = createMock('default', { baseURL: BASE_URL })
  const client = (maxRetries = 2): OpenAI => new OpenAI({ apiKey: 'sk-test', baseURL: BASE_URL, maxRetries })
  const statuses = (): number[] => mock.journal.map(({ status }) => status)

  test('the client retries a 429 and succeeds', { timeout: TIMEOUT_MS }, async () => {
    mock.reset()
    using _ = setUp(mock)
    mock.inject('rate-limit', { times: 1, retryAfter: '50ms' })
    const { choices } = await client().chat.completions.create(HELLO)
    expect(choices[0]?.message.content).toBe('Hello there!')
    expect(statuses()).toEqual([429, 200])
  })

  test('the client retries twice, and gives up at the third', { timeout: TIMEOUT_MS }, async () => {
    mock.reset()
    using _ = setUp(mock)
    mock.inject('rate-limit', { times: 2, retryAfter: '20ms' })
    mock.inject('server-error', { times: 1 })
    await expect(client().chat.completions.create(HELLO)).rejects.toBeInstanceOf(InternalServerError)
    expect(statuses()).toEqual([429, 429, 500])
  })

  test('the client retries before a stream begins', { timeout: TIMEOUT_MS }, async () => {
    mock.reset()
    using _ = setUp(mock)
    mock.inject('rate-limit', { times: 1, retryAfter: '20ms' })
    let text = ''
    for await (const { choices } of await client().chat.completions.create({ ...HELLO, stream: true })) {
      text += choices[0]?.delta.content ?? ''
    }
    expect(text).toBe('Hello there!')
    expect(statuses()).toEqual([429, 200])
  })

  test('the client retries embeddings', { timeout: TIMEOUT_MS }, async () => {
    mock.reset()
    using _ = setUp(mock)
    mock.inject('rate-limit-tokens', { times: 1, retryAfter: '20ms', endpoint: 'embeddings' })
    const { data } = await client().embeddings.create({ model: 'hash-1', input: 'hi' })
    expect(data[0]?.embedding).toHaveLength(1536)
    expect(statuses()).toEqual([429, 200])
  })

  test.each(['rate-limit', 'quota', 'overloaded', 'bad-gateway', 'conflict', 408] as const)(
    'with retryAfter: 0, the client retries %s without a back-off of its own',
    { timeout: TIMEOUT_MS },
    async (fault) => {
      mock.reset()
      using _ = setUp(mock)
      mock.inject(fault, { times: 2, retryAfter: 0 })
      const patient = client()
      const ownBackOff = vi.spyOn(patient as unknown as BackOff, 'calculateDefaultRetryTimeoutMillis')
      const { choices } = await patient.chat.completions.create(HELLO)
      expect(choices[0]?.message.content).toBe('Hello there!')
      expect(mock.journal).toHaveLength(3)
      expect(ownBackOff).not.toHaveBeenCalled()
    },
  )

  test('the client retries an overload by its own back-off', { timeout: TIMEOUT_MS }, async () => {
    mock.reset()
    using _ = setUp(mock)
    mock.inject('overloaded', { times: 1 })
    const patient = client(1)
    const ownBackOff = vi.spyOn(patient as unknown as BackOff, 'calculateDefaultRetryTimeoutMillis')
    await patient.chat.completions.create(HELLO)
    expect(statuses()).toEqual([503, 200])
    expect(ownBackOff).toHaveBeenCalledOnce()
  })

  test('a response whose body is cancelled unread settles', { timeout: TIMEOUT_MS }, async () => {
    using _ = setUp(mock)
    const response = await fetch(`${BASE_URL}/models`)
    await response.body?.cancel()
    expect(response.status).toBe(401)
  })

  test('a stream whose body is cancelled unread settles', { timeout: TIMEOUT_MS }, async () => {
    using _ = setUp(mock)
    const response = await fetch(`${BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: JSON.stringify({ ...HELLO, stream: true }),
    })
    await response.body?.cancel()
    expect(response.status).toBe(200)
  })

  test('every body can still be read to its end', { timeout: TIMEOUT_MS }, async () => {
    using _ = setUp(mock)
    const long = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'word '.repeat(2000) }] }
    let text = ''
    for await (const { choices } of await client().chat.completions.create({ ...long, stream: true })) {
      text += choices[0]?.delta.content ?? ''
    }
    expect(text).toBe('word '.repeat(2000))
  })
})

test('after an interception is closed, calls go to the network again', async () => {
  const network = createMock()
  await using server = await listen(network, { port: 0 })
  const mock = createMock('default', { baseURL: server.url })
  const interception = intercept(mock)
  await fetch(`${server.url}/models`)
  expect([mock.journal.length, network.journal.length]).toEqual([1, 0])
  interception.close()
  await fetch(`${server.url}/models`)
  expect([mock.journal.length, network.journal.length]).toEqual([1, 1])
})

test('an interception passes calls to other hosts, unless an option refuses them', async () => {
  const network = createMock()
  await using server = await listen(network, { port: 0 })
  {
    using _ = intercept(createMock('default', { baseURL: BASE_URL }))
    await fetch(`${server.url}/models`)
    expect(network.journal).toHaveLength(1)
  }
  // msw says on the console what it refused.
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  {
    using _ = intercept(createMock('default', { baseURL: BASE_URL }), { onUnhandledRequest: 'error' })
    await expect(fetch(`${server.url}/models`)).rejects.toThrow()
    expect(network.journal).toHaveLength(1)
  }
  said.mockRestore()
})
