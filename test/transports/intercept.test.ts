/** Interception: which mock answers, what is refused, and what passes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { createMock, isMockError, type Mock, MockError } from '../../src/index.ts'
import { type InterceptOptions, intercept, listen } from '../../src/node.ts'
import { useMock } from '../../src/vitest.ts'

const ADDRESS = 'https://api.example.com/v1'

const init = {
  method: 'POST',
  headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello!' }] }),
}
const ask = (baseURL: string): Promise<Response> => fetch(`${baseURL}/chat/completions`, init)
const callsOf = (...mocks: Mock[]): number[] => mocks.map(({ journal }) => journal.length)

function start(mock: Mock, options?: InterceptOptions): void {
  const interception = intercept(mock, options)
  onTestFinished(() => interception.close())
}

/** What a function throws. */
function thrownBy(act: () => unknown): MockError {
  try {
    act()
  } catch (error) {
    if (error instanceof MockError) return error
  }
  throw new Error('Expected a MockError.')
}

/** A server of the test itself, which counts its calls. */
async function serve(): Promise<{ readonly origin: string; readonly paths: string[] }> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url!)
    response.end('from the network')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}

describe('several mocks', () => {
  test('mocks with different addresses are intercepted at the same time', async () => {
    const one = createMock('default', { baseURL: 'https://one.example.com/v1' })
    const two = createMock('default', { baseURL: 'https://two.example.com/v1' })
    const three = createMock('default', { baseURL: 'https://two.example.com/other/v1' })
    start(one)
    const interception = intercept(two)
    start(three)
    for (const { baseURL } of [one, two, three, one]) expect((await ask(baseURL)).status).toBe(200)
    expect(callsOf(one, two, three)).toEqual([2, 1, 1])
    interception.close()
    for (const { baseURL } of [one, three]) expect((await ask(baseURL)).status).toBe(200)
    expect(callsOf(one, two, three)).toEqual([3, 1, 2])
  })

  test('a second mock for an address is refused, and the first still answers', async () => {
    const first = createMock('flaky', { baseURL: ADDRESS })
    start(first)
    const second = createMock('outage', { baseURL: ADDRESS })
    const error = thrownBy(() => intercept(second))
    expect(isMockError(error, 'already-intercepted')).toBe(true)
    expect(error.message).toBe(
      `Failed to intercept ${ADDRESS} with the mock of 'outage': the mock of 'flaky' already intercepts ${ADDRESS}. ` +
        'Close that interception first, or give the mocks different base URLs. With useMock, only one mock of a file ' +
        'or describe can have an address.',
    )
    await ask(ADDRESS)
    expect(callsOf(first, second)).toEqual([1, 0])
  })

  test.each([
    ['an address below', 'https://api.example.com/v1/below'],
    ['an address above', 'https://api.example.com'],
    ['the address with a slash', `${ADDRESS}/`],
  ])('a second mock for %s is refused', (_, baseURL) => {
    start(createMock('default', { baseURL: ADDRESS }))
    expect(thrownBy(() => intercept(createMock('default', { baseURL }))).code).toBe('already-intercepted')
  })

  test('a mock cannot be intercepted twice, but again after the interception was closed', async () => {
    const mock = createMock('default', { baseURL: ADDRESS })
    const interception = intercept(mock)
    expect(thrownBy(() => intercept(mock)).message).toContain('the same mock already intercepts')
    interception.close()
    interception.close()
    start(mock)
    expect((await ask(ADDRESS)).status).toBe(200)
    expect(callsOf(mock)).toEqual([1])
  })
})

describe('useMock', () => {
  const mock = useMock('flaky')

  test('a second mock for its address is refused, and so is the mock itself', () => {
    const error = thrownBy(() => intercept(createMock('outage')))
    expect(error.code).toBe('already-intercepted')
    expect(error.message).toContain("with the mock of 'outage': the mock of 'flaky' already intercepts")
    expect(thrownBy(() => intercept(mock)).code).toBe('already-intercepted')
  })

  test('it takes the options of intercept', () => {
    expect(() => useMock('default', { unhandled: 'eror' as 'error' })).toThrow("Did you mean 'error'?")
  })
})

describe('calls that are not mocked', () => {
  let error: MockInstance
  let warn: MockInstance
  beforeEach(() => {
    error = vi.spyOn(console, 'error').mockImplementation(() => {})
    warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(() => vi.restoreAllMocks())

  const failure = (call: Promise<Response>): Promise<MockError> =>
    call.then(
      () => Promise.reject(new Error('Expected an error.')),
      (reason: Error) => (reason instanceof MockError ? reason : (reason.cause as MockError)),
    )

  test('another path of the host fails by default, with a message that says what is not mocked', async () => {
    const { origin, paths } = await serve()
    start(createMock('default', { baseURL: `${origin}/v1` }))
    const reason = await failure(fetch(`${origin}/v2/files?key=sk-secret`))
    expect(reason.code).toBe('not-mocked')
    expect(reason.message).toBe(
      `GET ${origin}/v2/files is not mocked: the mock answers calls under ${origin}/v1. To let such calls pass, set ` +
        "the option unhandled of intercept or useMock to 'bypass'.",
    )
    expect(error).toHaveBeenCalledWith(`[llm-api-mock] ${reason.message}`)
    expect(paths).toEqual([])
  })

  test('below the base URL, the mock answers unknown paths and methods like the service', async () => {
    const { origin, paths } = await serve()
    start(createMock('default', { baseURL: `${origin}/v1` }))
    expect((await fetch(`${origin}/v1/files`, init)).status).toBe(404)
    expect((await fetch(`${origin}/v1/models`, init)).status).toBe(405)
    expect(paths).toEqual([])
  })

  test.each(['bypass', 'warn'] as const)(
    "with unhandled: '%s', everything that is not mocked passes",
    async (unhandled) => {
      const { origin, paths } = await serve()
      const mock = createMock('default', { baseURL: `${origin}/v1` })
      start(mock, { unhandled })
      for (const path of ['/v2/files', '/v1/files', '/v1/files']) {
        expect(await (await fetch(`${origin}${path}`, init)).text()).toBe('from the network')
      }
      expect(await (await fetch(`${origin}/v1/models`, init)).text()).toBe('from the network')
      expect((await ask(`${origin}/v1`)).status).toBe(200)
      expect((await fetch(`${origin}/v1/models/echo-1`, { headers: init.headers })).status).toBe(200)
      expect(paths).toEqual(['/v2/files', '/v1/files', '/v1/files', '/v1/models'])
      expect(callsOf(mock)).toEqual([2])
      expect(warn.mock.calls.flat()).toEqual(
        unhandled === 'bypass'
          ? []
          : ['/v2/files', '/v1/files', '/v1/models'].map(
              (path) =>
                `[llm-api-mock] POST ${origin}${path} is not mocked and goes to the network: the mock answers calls under ${origin}/v1.`,
            ),
      )
    },
  )

  test('calls to other hosts pass by default, with a warning, or fail', async () => {
    const { origin, paths } = await serve()
    const mock = createMock('default', { baseURL: ADDRESS })
    for (const onUnhandledRequest of [undefined, 'bypass', 'warn'] as const) {
      using _ = intercept(mock, { onUnhandledRequest })
      expect(await (await fetch(`${origin}/x`)).text()).toBe('from the network')
    }
    expect(warn).toHaveBeenCalledTimes(1)
    using _ = intercept(mock, { onUnhandledRequest: 'error' })
    const { message } = await failure(fetch(`${origin}/x`))
    expect(message).toContain(`GET ${origin}/x is not mocked: no mock has this host.`)
    expect(paths).toHaveLength(3)
  })

  test.skipIf(typeof WebSocket === 'undefined')('a WebSocket to the mocked host fails (needs Node 22)', async () => {
    const { origin, paths } = await serve()
    start(createMock('default', { baseURL: `${origin}/v1` }))
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/realtime`, ['openai-insecure-api-key.sk-test'])
    await new Promise((resolve) => socket.addEventListener('error', resolve, { once: true }))
    expect(error.mock.calls.flat().join()).toContain(`GET ${origin}/v1/realtime is not mocked`)
    expect(paths).toEqual([])
  })

  test('fetch is replaced where it cannot be assigned, as in happy-dom', async () => {
    const original = Object.getOwnPropertyDescriptor(globalThis, 'fetch')!
    Object.defineProperty(globalThis, 'fetch', { value: fetch, writable: false, configurable: true })
    try {
      using _ = intercept(createMock('default', { baseURL: ADDRESS }))
      expect((await ask(ADDRESS)).status).toBe(200)
    } finally {
      Object.defineProperty(globalThis, 'fetch', original)
    }
  })

  test('the strictest option of several mocks counts', async () => {
    const { origin, paths } = await serve()
    start(createMock('default', { baseURL: `${origin}/one` }), { unhandled: 'bypass' })
    start(createMock('default', { baseURL: `${origin}/two` }), { unhandled: 'error' })
    expect((await failure(fetch(`${origin}/three`))).code).toBe('not-mocked')
    expect(paths).toEqual([])
  })
})

test.each([false, true])(
  'truncated-gzip: fetch reads the same text in process and over HTTP; a stream: %s',
  async (stream) => {
    const mock = createMock('default', { baseURL: ADDRESS })
    await using server = await listen(mock, { port: 0 })
    start(mock)
    const read = async (baseURL: string) => {
      mock.reset()
      const response = await fetch(`${baseURL}/chat/completions`, {
        ...init,
        headers: { ...init.headers, 'x-mock-fault': 'truncated-gzip' },
        body: JSON.stringify({ ...JSON.parse(init.body), stream }),
      })
      return { encoding: response.headers.get('content-encoding'), text: await response.text() }
    }
    const overHttp = await read(server.url)
    expect(overHttp.text).toMatch(/^(?:data: )?\{"id":"chatcmpl-/)
    expect(await read(ADDRESS)).toEqual(overHttp)
  },
)

test.each(['in process', 'over HTTP'])('a client that aborts a stream gets its own reason, %s', async (place) => {
  const mock = createMock({ pace: { perToken: '1h' } }, { baseURL: ADDRESS })
  await using server = await listen(mock, { port: 0 })
  start(mock)
  const leave = new AbortController()
  const url = `${place === 'in process' ? ADDRESS : server.url}/chat/completions`
  const body = JSON.stringify({ ...JSON.parse(init.body), stream: true })
  const response = await fetch(url, { ...init, body, signal: leave.signal })
  const text = response.text()
  leave.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
  await vi.waitFor(() => expect(mock.journal).toMatchObject([{ outcome: 'client-left' }]))
})
