/** `api-mock health` and `api-mock wait`: what they find, and what they say. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { defaultUrl, findHealthProblem, health, wait } from '../../src/cli/commands/health.ts'

import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { command } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

async function mockServer(port = 0): Promise<URL> {
  const server = await listen(createMock(), { port })
  closing.push(() => server.close())
  return new URL(server.url)
}

const otherServer = (status: number, body: string): Promise<URL> =>
  serve((_, response) => void response.writeHead(status).end(body))

async function serve(answer: RequestListener, port = 0): Promise<URL> {
  const server: Server = createServer(answer)
  closing.push(() => server.close())
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** An address where no server listens. */
async function freeAddress(): Promise<URL> {
  const url = await otherServer(200, '')
  await closing.pop()!()
  return url
}

test('a running mock is healthy, by its origin and by its base URL', async () => {
  const url = await mockServer()
  expect(await findHealthProblem(url, 60_000)).toBeUndefined()
  expect(await findHealthProblem(new URL(url.origin), 60_000)).toBeUndefined()
})

test('every other server is not healthy, and the message says why', async () => {
  expect(await findHealthProblem(await freeAddress(), 60_000)).toBe('connection refused')
  expect(await findHealthProblem(await otherServer(404, ''), 60_000)).toBe(
    'GET /health was answered with 404. Is it another server?',
  )
  expect(await findHealthProblem(await otherServer(200, 'hello'), 60_000)).toBe(
    'GET /health was answered by another server.',
  )
})

test('a server that does not answer is not healthy', async () => {
  const server = createServer(() => {})
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await findHealthProblem(url, 50)).toBe('no answer within 50 ms')
})

test('without an address, it is port API_MOCK_PORT or 4010 of this machine', () => {
  expect(
    [{}, { API_MOCK_PORT: '8080' }, { API_MOCK_PORT: 'tcp://10.0.0.1:4010' }].map((env) => defaultUrl(env).host),
  ).toEqual(['127.0.0.1:4010', '127.0.0.1:8080', '127.0.0.1:4010'])
  expect(() => defaultUrl({ API_MOCK_PORT: 'abc' })).toThrow(
    "API_MOCK_PORT: expected the port of the server, got 'abc'.",
  )
})

test('health fails with the reason, and with what to do', async () => {
  const url = await freeAddress()
  await expect(health({ url, timeout: 60_000 })).rejects.toThrow(
    `No healthy server at ${url.origin}: connection refused\nStart one with api-mock, or name it with --url.`,
  )
})

test('wait waits for a server that starts later', async () => {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const url = await freeAddress()
  const waiting = wait({ url, timeout: 60_000 })
  await mockServer(Number(url.port))
  expect(await waiting).toBe(0)
  expect(said.mock.calls.at(-1)?.[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+ is healthy after \d+\.\d s\.\n$/)
})

test('wait asks again when the server closes the connection', async () => {
  let closed = 0
  const { origin } = await serve((request, response) => {
    if (closed++ < 5) request.socket.destroy()
    else response.end('{"status":"ok"}')
  })
  expect(await command(['wait', '--url', origin])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ is healthy after \d+\.\d s\.\n$/),
  })
  closed = 0
  const { code, stderr } = await command(['health', '--url', origin])
  expect([code, stderr]).toEqual([1, expect.stringContaining('the connection was reset')])
})

test('a server on a port that fetch blocks is healthy', async ({ skip }) => {
  const url = await serve((_, response) => void response.end('{"status":"ok"}'), 10_080).catch(() => undefined)
  if (url === undefined) return skip('The port is in use.')
  expect(await findHealthProblem(url, 60_000)).toBeUndefined()
})

test('an address with a name and a password is asked with them', async () => {
  const url = await serve((request, response) => {
    const isKnown = request.headers.authorization === `Basic ${btoa('me:secret')}`
    response.end(isKnown ? '{"status":"ok"}' : '')
  })
  expect(await findHealthProblem(Object.assign(url, { username: 'me', password: 'secret' }), 60_000)).toBeUndefined()
})

test('wait gives up after its time', async () => {
  const url = await freeAddress()
  // A busy machine may not even refuse the connection in time.
  await expect(wait({ url, timeout: 20 })).rejects.toThrow(`No healthy server at ${url.origin} within 0.02 s: `)
})

test('health takes the address from API_MOCK_URL', async () => {
  const { origin } = await mockServer()
  expect(await command(['health'], { env: { API_MOCK_URL: origin } })).toMatchObject({
    code: 0,
    stdout: `${origin} is healthy.\n`,
    stderr: '',
  })
  const { code, stderr } = await command(['health', '--url', (await freeAddress()).origin])
  expect([code, stderr]).toEqual([1, expect.stringContaining('connection refused')])
})
