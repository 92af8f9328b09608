/** Interception of clients that do not use Node's fetch: those of node:http, and the npm package undici. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import axios from 'axios'
import got from 'got'
import fetchOverHttp from 'node-fetch'
import OpenAI from 'openai'
import OpenAI4 from 'openai4'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMock, isMockError, type Mock } from '../../src/index.ts'
import { intercept } from '../../src/node.ts'

const BASE_URL = 'https://api.example.com/v1'
const CHAT = `${BASE_URL}/chat/completions`
const HEADERS = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
const messages = [{ role: 'user' as const, content: 'Hello there!' }]
const bodyOf = (stream = false): string => JSON.stringify({ model: 'echo-1', stream, messages })

function intercepted(): Mock {
  const mock = createMock({ limits: { concurrent: 1 } }, { baseURL: BASE_URL })
  const interception = intercept(mock)
  onTestFinished(() => interception.close())
  return mock
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}

const left = (mock: Mock): number => mock.calls({ outcome: 'client-left' }).length

/** The error of a call that must fail. */
const failure = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => Promise.reject(new Error('Expected an error.')),
    (reason: Error) => reason,
  )

interface Call {
  readonly fault?: string
  readonly stream?: boolean
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** What each client needs for a chat, with its own way of time-outs; each throws when it leaves. */
const CLIENTS: Record<string, (call: Call) => Promise<unknown>> = {
  axios: async ({ fault, stream = false, signal, timeoutMs }) => {
    const headers = fault === undefined ? HEADERS : { ...HEADERS, 'x-mock-fault': fault }
    const options = { headers, ...(signal && { signal }), ...(timeoutMs !== undefined && { timeout: timeoutMs }) }
    const { data } = await axios.post<string>(CHAT, bodyOf(stream), { ...options, responseType: 'text' })
    return data
  },
  got: ({ fault, stream, signal, timeoutMs }) => {
    const headers = fault === undefined ? HEADERS : { ...HEADERS, 'x-mock-fault': fault }
    const timeout = timeoutMs === undefined ? {} : { timeout: { request: timeoutMs } }
    return got
      .post(CHAT, { headers, body: bodyOf(stream), retry: { limit: 0 }, ...timeout, ...(signal && { signal }) })
      .text()
  },
  'node-fetch': async ({ fault, stream, signal, timeoutMs }) => {
    const headers = fault === undefined ? HEADERS : { ...HEADERS, 'x-mock-fault': fault }
    const ends = signal ?? (timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs))
    const init = { method: 'POST', headers, body: bodyOf(stream), ...(ends && { signal: ends }) }
    return (await fetchOverHttp(CHAT, init)).text()
  },
  'openai 4': async ({ fault, stream = false, signal, timeoutMs }) => {
    const client = new OpenAI4({ apiKey: 'sk-test', baseURL: BASE_URL, maxRetries: 0 })
    const headers = fault === undefined ? {} : { 'x-mock-fault': fault }
    const options = { headers, ...(signal && { signal }), ...(timeoutMs !== undefined && { timeout: timeoutMs }) }
    const answer = await client.chat.completions.create({ model: 'echo-1', messages, stream }, options)
    if (!('choices' in answer)) for await (const chunk of answer) void chunk
    return JSON.stringify(answer)
  },
}

describe.each(Object.entries(CLIENTS))('%s', (_, ask) => {
  test('gets an answer', async () => {
    const mock = intercepted()
    expect(await ask({})).toContain('Hello there!')
    expect(mock.journal.map(({ outcome }) => outcome)).toEqual(['complete'])
  })

  test.each([
    ['before the answer', { fault: 'hang' }],
    ['in the middle of a stream', { fault: 'cut; after=2; end=stall', stream: true }],
  ])('that aborts %s has left, and its slot is free', async (_, call) => {
    const mock = intercepted()
    const controller = new AbortController()
    const asked = ask({ ...call, signal: controller.signal })
    await until(() => mock.journal.length === 1)
    await sleep(20)
    controller.abort()
    // openai 4 ends a stream that it aborted without an error.
    await Promise.allSettled([asked])
    await until(() => left(mock) === 1)
    expect(await ask({})).toContain('Hello there!')
  })

  test('that times out has left, and its slot is free', async () => {
    const mock = intercepted()
    await failure(ask({ fault: 'hang', timeoutMs: 300 }))
    await until(() => left(mock) === mock.journal.length)
    expect(await ask({})).toContain('Hello there!')
  })
})

// undici 8 needs Node 22.
const isNode20 = process.versions.node.startsWith('20.')
const VERSIONS = ['undici6', 'undici7', ...(isNode20 ? [] : ['undici8'])] as const

describe.each(VERSIONS)('%s', async (name) => {
  const undici = (await import(name)) as typeof import('undici7')
  const post = { method: 'POST' as const, headers: HEADERS }
  afterEach(() => vi.restoreAllMocks())

  test('undici.fetch is intercepted', async () => {
    const mock = intercepted()
    const answer = await undici.fetch(CHAT, { ...post, body: bodyOf() })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await answer.text()).toContain('Hello there!')
    expect(await (await undici.fetch(CHAT, { ...post, body: bodyOf(true) })).text()).toMatch(/data: \[DONE\]\n\n$/)
    expect(mock.calls({ outcome: 'complete', status: 200 })).toHaveLength(2)
  })

  test('undici.request is intercepted', async () => {
    const mock = intercepted()
    const { statusCode, headers, body } = await undici.request(CHAT, { ...post, body: bodyOf() })
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json'])
    expect(await body.text()).toContain('Hello there!')
    const { body: models } = await undici.request(`${BASE_URL}/models`, { headers: HEADERS, query: { page: 1 } })
    expect(await models.json()).toHaveProperty('data')
    expect(mock.journal[1]!.query).toBe('page=1')
  })

  test('new OpenAI({ fetch: undici.fetch }) is intercepted', async () => {
    intercepted()
    const fetch = undici.fetch as unknown as typeof globalThis.fetch
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: BASE_URL, fetch })
    const { choices } = await client.chat.completions.create({ model: 'echo-1', messages })
    expect(choices[0]?.message.content).toBe('Hello there!')
    let text = ''
    for await (const chunk of await client.chat.completions.create({ model: 'echo-1', messages, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? ''
    }
    expect(text).toBe('Hello there!')
  })

  test('a broken stream fails as over HTTP', async () => {
    intercepted()
    const headers = { ...HEADERS, 'x-mock-fault': 'cut; after=2' }
    const answer = await undici.fetch(CHAT, { ...post, headers, body: bodyOf(true) })
    expect(await failure(answer.text())).toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } })
    const { body } = await undici.request(CHAT, { ...post, headers, body: bodyOf(true) })
    expect(await failure(body.text())).toMatchObject({ code: 'ECONNRESET' })
  })

  test('a client that aborts or times out has left, and its slot is free', async () => {
    const mock = intercepted()
    const hanging = { ...post, headers: { ...HEADERS, 'x-mock-fault': 'hang' }, body: bodyOf() }
    const stalling = { ...post, headers: { ...HEADERS, 'x-mock-fault': 'cut; after=2; end=stall' }, body: bodyOf(true) }
    await failure(undici.fetch(CHAT, { ...hanging, signal: AbortSignal.timeout(300) }))
    await failure(undici.request(CHAT, { ...hanging, signal: AbortSignal.timeout(300) }))
    expect(await failure(undici.request(CHAT, { ...hanging, headersTimeout: 300 }))).toMatchObject({
      name: 'HeadersTimeoutError',
    })
    const { body } = await undici.request(CHAT, { ...stalling, bodyTimeout: 300 })
    expect(await failure(body.text())).toMatchObject({ name: 'BodyTimeoutError' })
    const controller = new AbortController()
    const answer = await undici.fetch(CHAT, { ...stalling, signal: controller.signal })
    controller.abort()
    await failure(answer.text())
    await until(() => left(mock) === 5)
    expect((await undici.fetch(CHAT, { ...post, body: bodyOf() })).status).toBe(200)
  })

  test('a dispatcher of its own is refused before anything is sent', async () => {
    let connections = 0
    const server = createServer().on('connection', () => connections++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const interception = intercept(createMock('default', { baseURL: `${origin}/v1` }))
    onTestFinished(() => interception.close())
    const chat = `${origin}/v1/chat/completions`
    let sent = 0
    server.on('request', () => sent++)
    for (const dispatcher of [new undici.Agent(), new undici.ProxyAgent(origin), new undici.Pool(origin)]) {
      const refused = await failure(undici.request(chat, { ...post, body: bodyOf(), dispatcher }))
      expect(isMockError(refused, 'not-mocked')).toBe(true)
      expect(refused.message).toContain(
        `Failed to intercept POST ${chat}: the call has an undici dispatcher of its own.`,
      )
      expect(await failure(undici.fetch(chat, { ...post, body: bodyOf(), dispatcher }))).toMatchObject({
        message: 'fetch failed',
        cause: { code: 'not-mocked' },
      })
      dispatcher.destroy()
    }
    expect(sent).toBe(0)
  })

  test("Node's fetch is answered whatever its dispatcher", async () => {
    intercepted()
    const init = { ...post, body: bodyOf(), dispatcher: new undici.Agent() } as RequestInit
    expect((await fetch(CHAT, init)).status).toBe(200)
  })

  test('other hosts and, once the interception is closed, the same host are reached', async () => {
    const server = createServer((_, response) => response.end('from the network'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    intercepted()
    expect(await (await undici.fetch(origin)).text()).toBe('from the network')
    expect(await (await undici.request(origin)).body.text()).toBe('from the network')
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const before = undici.getGlobalDispatcher()
    const interception = intercept(createMock('default', { baseURL: `${origin}/v1` }))
    expect(await failure(undici.request(`${origin}/v2`))).toMatchObject({ code: 'not-mocked' })
    interception.close()
    expect(undici.getGlobalDispatcher()).toBe(before)
    expect(await (await undici.request(`${origin}/v1/models`)).body.text()).toBe('from the network')
  })
})
