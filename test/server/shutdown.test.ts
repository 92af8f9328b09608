/** How a server shuts down under load: no call is lost, and clients learn that their connections close. */
import { subscribe } from 'node:diagnostics_channel'
import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { ManualClock } from '../../src/engine/clock/manual-clock.ts'
import { chat, start } from '../cli/command.ts'
import { fetchFrom, GENEROUS_MS, HELLO, requestText, type Served, serve, stillAnswers, Wire } from '../support/http.ts'

const CLIENTS = 50

/** The errors of requests on connections that had carried others. */
const lost = new WeakSet<object>()
// fetch does not tell which connection it uses.
const usedSockets = new WeakSet<object>()
const onUsedSocket = new WeakSet<object>()
interface FetchMessage {
  readonly request: object
  readonly socket: object
  readonly error: object
}
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as FetchMessage
  if (usedSockets.has(socket)) onUsedSocket.add(request)
  usedSockets.add(socket)
})
subscribe('undici:request:error', (message) => {
  const { request, error } = message as FetchMessage
  if (onUsedSocket.has(request)) lost.add(error)
})

/** One call by an agent that keeps connections alive. */
function callByAgent(agent: Agent, url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/chat/completions`, {
      agent,
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    })
    call
      .on('response', (response) => json(response).then(resolve, reject))
      .on('error', (error) => {
        if (call.reusedSocket) lost.add(error)
        reject(error)
      })
    call.end(JSON.stringify(HELLO))
  })
}

const KINDS: readonly [name: string, makeClient: (url: string) => () => Promise<unknown>][] = [
  [
    'an agent of node:http',
    (url) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      return () => callByAgent(agent, url)
    },
  ],
  ['fetch', (url) => async () => (await chat(url)).json()],
  [
    'the official client',
    (url) => {
      const client = new OpenAI({ baseURL: url, apiKey: 'sk-test', maxRetries: 0 })
      return () => client.chat.completions.create({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello!' }] })
    },
  ],
]

/** Calls until a call fails, and returns how it failed. */
async function callUntilError(call: () => Promise<unknown>, onCall: () => void): Promise<unknown> {
  for (;;) {
    try {
      expect(await call()).toMatchObject({ object: 'chat.completion' })
      onCall()
    } catch (error) {
      return codeOf(error)
    }
  }
}

/** The code of an error or of its cause, and whether its connection had carried calls before. */
function codeOf(error: unknown): unknown {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (code === undefined) return cause === undefined ? error : codeOf(cause)
  return lost.has(error as object) ? `${code} on an open connection` : code
}

// Again, if a busy machine has stopped all clients for 300 ms: for the server, their connections were idle then.
test.each(KINDS)(
  'with 50 busy clients of %s, SIGTERM loses no call on an open connection: the next connection fails',
  { timeout: GENEROUS_MS, retry: 2 },
  async (_, makeClient) => {
    const { server, url } = await start(['--log', 'none'])
    let calls = 0
    const onCall = (): void => {
      calls++
      if (calls === 20 * CLIENTS) server.signal('SIGTERM')
    }
    const clients = Array.from({ length: CLIENTS }, () => callUntilError(makeClient(url), onCall))
    const codes = new Set(await Promise.all(clients))
    // What connects at the very moment when the port is closed is reset by the kernel.
    codes.delete('ECONNRESET')
    expect(codes).toEqual(new Set(['ECONNREFUSED']))
    expect((await server.ended).code).toBe(0)
  },
)

test('a client that connects while a server begins to close gets its answer', async () => {
  const server = await serve()
  const connecting = new Promise<Wire>((resolve) => setImmediate(() => resolve(Wire.open(server))))
  const closed = server.close(GENEROUS_MS)
  const wire = await connecting
  await wire.send(requestText())
  expect(await wire.answer()).toMatchObject({ status: 200 })
  await closed
})

/** Resolves once the port of a closing server is closed. */
const untilRefused = ({ port }: Served): Promise<void> =>
  expect.poll(async () => (await Wire.open({ port })).socket.destroyed, { timeout: GENEROUS_MS }).toBe(true)

test('while a server closes, calls on open connections are answered with connection: close', async () => {
  const clock = new ManualClock()
  const server = await serve({ description: 'A test.', pace: { firstToken: '1h' } }, { clock })
  const [waiting, idle] = [await Wire.open(server), await Wire.open(server)]
  await waiting.send(requestText())
  await idle.send(requestText({ method: 'GET', path: '/v1/models', body: null }))
  expect((await idle.answer())?.headers.connection).toBe('keep-alive')
  await expect.poll(() => server.mock.journal.length).toBe(2)
  const closed = server.close(Number.POSITIVE_INFINITY)
  await untilRefused(server)
  await idle.send(requestText({ method: 'GET', path: '/v1/models', body: null }))
  expect((await idle.answer())?.headers.connection).toBe('close')
  await idle.closed()
  await clock.advance('2h')
  expect(await waiting.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } })
  await closed
})

test('calls that a closing server cuts off have ended when it is closed', async () => {
  const server = await serve({ description: 'A test.', pace: { firstToken: '1h' } })
  const [answer, queued] = [await Wire.open(server), await Wire.open(server)]
  await answer.send(requestText())
  await queued.send(requestText() + requestText())
  await expect.poll(() => server.mock.journal.length).toBe(3)
  await server.close(10)
  expect(server.mock.journal.map(({ outcome }) => outcome)).toEqual(['cut', 'cut', 'cut'])
  expect(await answer.answer()).toBeUndefined()
})

test.each([-1, Number.NaN, '5s'])(
  'a server does not take %j for the time that calls have to finish',
  async (graceMs) => {
    const server = await serve()
    await expect(server.close(graceMs as number)).rejects.toThrow(
      `close: expected graceMs to be a number of milliseconds from 0, got ${typeof graceMs === 'string' ? "'5s'" : graceMs}.`,
    )
    expect((await fetchFrom(server)).status).toBe(200)
  },
)

test('idle connections do not keep a closing server open', async () => {
  const server = await serve()
  const [used, unused] = [await Wire.open(server), await Wire.open(server)]
  await used.send(requestText())
  await used.answer()
  await server.close(GENEROUS_MS)
  await Promise.all([used.closed(), unused.closed()])
})

test('a server that is closed twice is closed', async () => {
  const server = await serve()
  await Promise.all([server.close(), server.close()])
  await server.close()
})

test('an idle connection is kept for two minutes', async () => {
  const wire = await Wire.open(await serve())
  await wire.send(requestText())
  expect((await wire.answer())?.headers['keep-alive']).toBe('timeout=120')
})

test.each([
  ['an answer', 'default', {}],
  ['a stream', 'default', { stream: true }],
  [
    'a paced stream',
    { description: 'A test.', pace: { firstToken: '2s', perToken: '30ms' } } as const,
    { stream: true },
  ],
  ['an answer after a wait', { description: 'A test.', pace: { firstToken: '2s' } } as const, {}],
])(
  'a client that sends FIN after its request gets %s whole',
  async (_, scenario, more) => {
    const server = await serve(scenario as 'default')
    const wire = await Wire.open(server)
    wire.socket.end(requestText({ body: JSON.stringify({ ...HELLO, ...more }) }))
    const received = await wire.until('nothing that is sent')
    expect(received).toMatch(/HTTP\/1\.1 200 OK.*(?:\[DONE\]\n\n\r\n0\r\n\r\n|"system_fingerprint":"\w+"\})$/s)
    expect(server.mock.journal[0]?.outcome).toBe('complete')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test('a client that sends FIN while nothing is to come is disconnected', async () => {
  const server = await serve()
  const wire = await Wire.open(server)
  wire.socket.end(requestText({ headers: ['x-mock-fault: hang'] }))
  await wire.closed()
  await expect.poll(() => server.mock.journal[0]?.outcome).toBe('client-left')
})
