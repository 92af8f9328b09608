/** A server with workers and one without are the same to a client, byte by byte. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMock } from '../../../src/index.ts'
import { listen, type MockServer } from '../../../src/node.ts'
import { generatedCall, unreadableCall } from '../../support/generated-calls.ts'
import { requestText, Wire } from '../../support/http.ts'
import { type Sendable, send } from '../../support/send.ts'
import { WORKERS } from '../../support/workers.ts'
import { brokenCalls, CONTRACT_SCENARIO, CONTRACT_SEED, unreadableCalls, wholeCalls } from '../../transports/calls.ts'

const scenario = {
  ...CONTRACT_SCENARIO,
  keys: { ...CONTRACT_SCENARIO.keys, 'sk-slow': {} },
  replies: [...CONTRACT_SCENARIO.replies!, { when: { key: 'sk-slow' }, say: 'One two three four five six.' }],
}
const mocks = [1, WORKERS].map(() => createMock(scenario, { seed: CONTRACT_SEED, bodyLimit: 20_000 }))
let servers: readonly MockServer[]

beforeAll(async () => {
  const options = { port: 0, handlers: new URL('./fixtures/handlers.mjs', import.meta.url).pathname }
  servers = await Promise.all(
    mocks.map((mock, index) => listen(mock, { ...options, workers: index === 0 ? 1 : WORKERS })),
  )
})
afterAll(() => Promise.all(servers.map((server) => server.close(0))))
beforeEach(() => {
  for (const mock of mocks) mock.use(scenario)
})

/** All that comes back on a connection until it is closed, but for the date. */
async function received(server: MockServer, request: string): Promise<string> {
  const wire = await Wire.open(server)
  await wire.send(request)
  await wire.closed()
  return (await wire.until('')).replaceAll(/^Date: .*$/gm, 'Date: then').replaceAll(/localhost:\d+/g, 'localhost:port')
}

const both = (request: string): Promise<string[]> => Promise.all(servers.map((server) => received(server, request)))

const closing = { headers: ['Connection: close'] }

function textOf({ method, path, headers, body }: Sendable): string {
  const all = { host: 'localhost', connection: 'close', ...headers, 'content-length': Buffer.byteLength(body ?? '') }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} /v1${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n')
}

test.each([
  ['answered to their end', wholeCalls],
  ['broken off', brokenCalls],
  ['unreadable', unreadableCalls],
])('calls that are %s', async (_, calls) => {
  for (const call of calls) {
    const [alone, among] = await both(textOf(call))
    expect(among, call.name).toBe(alone)
    expect(alone, call.name).toMatch(/^HTTP\/1\.1 \d{3} /)
  }
})

test('generated valid and malformed calls get the same bytes with and without workers', async () => {
  const calls = fc.array(fc.oneof(generatedCall, unreadableCall), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(calls, async (calls) => {
      for (const mock of mocks) mock.use(scenario)
      for (const call of calls) {
        const [alone, among] = await Promise.all(servers.map(({ url }) => send(url, call)))
        expect(among).toEqual(alone)
      }
    }),
    { numRuns: 40 },
  )
})

const faulty = (fault: string): string => requestText({ headers: ['Connection: close', `X-Mock-Fault: ${fault}`] })
const get = (path: string, ...headers: string[]): string =>
  requestText({ method: 'GET', path, body: null, headers: ['Connection: close', ...headers] })

describe('on the wire', () => {
  test.each([
    ['calls one after the other on a connection, sent at once', requestText() + requestText() + requestText(closing)],
    ['a call with an expectation', requestText({ headers: ['Expect: 100-continue', 'Connection: close'] })],
    ['a call with an expectation of nobody', requestText({ headers: ['Expect: the-impossible', 'Connection: close'] })],
    [
      'HTTP/1.0 without a Host',
      requestText()
        .replace('HTTP/1.1', 'HTTP/1.0')
        .replace(/Host: .*\r\n/, ''),
    ],
    ['CONNECT', requestText({ method: 'CONNECT', path: 'example.com:443', body: null })],
    ['garbage', 'GARBAGE\r\n\r\n'],
    // With a key of its own: its client is gone before the call reaches the mock, which counts it during the next test.
    ['a call and then garbage', `${requestText().replace('sk-test', 'sk-slow')}GARBAGE\r\n\r\n`],
    ['why an answer is what it is', requestText({ headers: ['Connection: close', 'X-Mock-Explain: 1'] })],
    [
      'a browser asking first',
      requestText({
        method: 'OPTIONS',
        body: null,
        headers: ['Connection: close', 'Access-Control-Request-Headers: x-own'],
      }),
    ],
    ['a body that is too large', requestText({ ...closing, body: ' '.repeat(30_000) })],
    ['a reset before the head', faulty('reset-before-headers')],
    ['a reset after the head', faulty('reset-after-headers')],
    ['what is no HTTP', faulty('garbage')],
    ['bytes in many packets', faulty('slow-drip; size=50; every=1ms')],
    ['the control plane', get('/_mock/health', 'Accept: application/json')],
    [
      'the control plane as JSON that is changed',
      requestText({ path: '/_mock/faults', ...closing, body: '{"fault":"cut"}' }),
    ],
    ['a mistake on the control plane', requestText({ path: '/_mock/faults', ...closing, body: '{"fault":"cuts"}' })],
    [
      'a control plane call with a body of no length',
      requestText({ method: 'POST', path: '/_mock/faults', body: null, ...closing }),
    ],
    ['the page', get('/_mock/', 'Accept: text/html')],
    ['HEAD', requestText({ method: 'HEAD', path: '/_mock/health', body: null, ...closing })],
    [
      'a Host that is not this machine',
      requestText({ method: 'GET', path: '/_mock/health', host: 'evil.example', body: null, ...closing }),
    ],
    ['a page of another origin', get('/_mock/health', 'Origin: http://evil.example')],
    ['a page of another site', get('/_mock/health', 'Sec-Fetch-Site: cross-site')],
    ["the user's own handlers", requestText({ path: '/own/echo?a=%20b', ...closing, body: 'said' })],
    ["a path of nobody's", get('/nowhere')],
  ])('%s', async (_, request) => {
    const [alone, among] = await both(request)
    expect(among).toBe(alone)
  })

  test('a paced stream has the same bytes with and without workers', async () => {
    for (const mock of mocks) mock.use({ ...scenario, pace: { firstToken: '5ms', perToken: '2ms' } })
    const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'go on' }], stream: true })
    const [alone, among] = await both(requestText({ ...closing, body }).replace('sk-test', 'sk-slow'))
    expect(among).toBe(alone)
    expect(alone).toContain('[DONE]')
  })
})
