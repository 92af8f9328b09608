/**
 * Attack: somebody makes the recorder send a request, or a key, to where it should not go: by the target, the Host, the
 * method or the headers of a call, by a page in a browser, by a redirect of the upstream, by the upstream's answer.
 * Defence: the upstream is fixed at the start and two paths below it are all there is; no part of a call is put into an
 * address, a few named headers go through, redirects are not followed. The mock itself never sends a request.
 */

import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readUpstream } from '../../src/cli/args/command-options.ts'
import { record, upstreamOf, watched } from '../record/recording.ts'
import { errorIn, fetchFrom, GENEROUS_MS, HELLO, requestText, serve, Wire } from '../support/http.ts'

vi.setConfig({ testTimeout: GENEROUS_MS })

const KEY = 'sk-proj-Abcdefghijklmnop1234'

test('only the key and a few headers of a call are sent to the upstream', async () => {
  const { url, seen } = await watched()
  const recording = await record(url)
  const headers = {
    cookie: 'a=b',
    'x-forwarded-for': '10.0.0.1',
    'openai-organization': 'org-1',
    'x-mock-fault': '500',
  }
  const answer = await fetchFrom(recording, { key: KEY, headers })
  expect(seen[0]!.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'openai-organization': 'org-1' })
  expect(seen[0]!.headers.host).toBe(new URL(url).host)
  for (const name of ['cookie', 'x-forwarded-for', 'x-mock-fault']) expect(seen[0]!.headers).not.toHaveProperty(name)
  expect(answer.headers.get('x-request-id')).toBe('req_1')
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test.each([
  'http://127.0.0.1:9/v1/chat/completions',
  'https://example.com/v1/embeddings',
  '//example.com/v1/chat/completions',
  '/v1/../admin',
  '/v1/chat/../../admin',
  '/v1/chat%2fcompletions',
  '/v1/%2e%2e/admin',
  '/v1/..%5Cadmin',
  '/v1\\chat\\completions',
  '/v1/chat/completions/',
  '/v1/chat/completions?api-version=1',
  '/v1/chat/completions#x',
  '/v1/chat/completions@example.com',
  '/v1/models',
  '/_mock/',
  '/',
  '*',
])('the target %j is a 404, and no request leaves the server', async (path) => {
  const { url, seen } = await watched()
  const recording = await record(url)
  const wire = await Wire.open(recording)
  await wire.send(requestText({ path, body: '{}' }))
  const answer = await wire.answer()
  expect([400, 404]).toContain(answer!.status)
  expect(seen).toEqual([])
  expect(recording.cassette.answers).toBe(0)
})

test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
  '%s is a 405, and no request leaves the server',
  async (method) => {
    const { url, seen } = await watched()
    const recording = await record(url)
    const wire = await Wire.open(recording)
    await wire.send(`${method} /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`)
    const answer = await wire.answer()
    expect(answer!.status).toBe(405)
    expect(errorIn(answer!).message).toContain(`got the method ${method}`)
    expect(seen).toEqual([])
  },
)

test('CONNECT opens no tunnel', async () => {
  const { url, seen } = await watched()
  const wire = await Wire.open(await record(url))
  await wire.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  expect((await wire.answer())?.status ?? 0).not.toBe(200)
  expect(seen).toEqual([])
})

test.each([
  'example.com',
  '127.0.0.1.example.com',
  'localhost@example.com',
  '127.0.0.1:80@example.com',
  '169.254.169.254',
  '',
])('a call for the Host %j is refused: a page could have rebound its name to this machine', async (host) => {
  const { url, seen } = await watched()
  const wire = await Wire.open(await record(url))
  await wire.send(`POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`)
  expect([400, 403]).toContain((await wire.answer())!.status)
  expect(seen).toEqual([])
})

test.each([{ origin: 'https://example.com' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
  'a page in a browser is refused: %j',
  async (headers) => {
    const { url, seen } = await watched()
    const wire = await Wire.open(await record(url))
    await wire.send(
      requestText({ body: '{}', headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`) }),
    )
    const answer = await wire.answer()
    expect(answer!.status).toBe(403)
    expect(errorIn(answer!).message).toContain('refuses calls from browsers')
    expect(seen).toEqual([])
  },
)

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed, not passed on and not recorded',
  async (status) => {
    const { url: elsewhere, seen } = await watched()
    const upstream = await upstreamOf((request, response) => {
      request.resume()
      response.writeHead(status, { location: `${elsewhere}/chat/completions` }).end()
    })
    const recording = await record(upstream)
    const answer = await fetchFrom(recording)
    expect(answer.status).toBe(502)
    expect(errorIn(answer).message).toContain(`answered ${status}, a redirect, which is not followed`)
    expect(answer.headers.get('location')).toBeNull()
    await recording.over(1)
    expect(recording.cassette.answers).toBe(0)
    expect(seen).toEqual([])
  },
)

test('a recorder whose upstream is itself reports it and does not loop', async () => {
  const { url, seen } = await watched()
  const second = await record(url)
  const first = await record(`${second.origin}/v1`)
  expect(errorIn(await fetchFrom(first)).message).toContain('The upstream is this recorder itself')
  expect(seen).toEqual([])
})

test('the upstream is a base URL and nothing else', () => {
  expect(readUpstream('https://api.example.com/v1/').href).toBe('https://api.example.com/v1')
  expect(readUpstream('http://127.0.0.1:8080/some/where/v1').href).toBe('http://127.0.0.1:8080/some/where/v1')
  expect(() => readUpstream('')).toThrow(
    '--upstream: expected the base URL of a service, such as https://api.openai.com/v1, got nothing.',
  )
  expect(() => readUpstream('api.example.com/v1')).toThrow("got 'api.example.com/v1'")
  expect(() => readUpstream('file:///etc/v1')).toThrow(
    "expected a URL that starts with https:// or http://, such as https://api.openai.com/v1, got 'file:///etc/v1'.",
  )
  expect(() => readUpstream('https://api.example.com')).toThrow('expected a URL that ends in /v1')
  expect(() => readUpstream('https://api.example.com/v1/../v2')).toThrow('expected a URL that ends in /v1')
  expect(() => readUpstream('https://api.example.com/v1?a=1')).toThrow("got one that ends in '?a=1'")
  expect(() => readUpstream('https://me:secret@api.example.com/v1')).toThrow(
    '--upstream: expected a URL without user name and password, such as https://api.openai.com/v1, got one with them.',
  )
})

/** An upstream that says just these bytes, HTTP or not. */
async function upstreamOfBytes(bytes: string): Promise<string> {
  const server = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.write(bytes, 'latin1')),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test.each([
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['no HTTP', '220 mail.example.com ESMTP\r\n'],
  ['an invalid status', 'HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\n{}'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a head without end', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n`],
])('an upstream that answers with %s is an upstream error, and the recorder continues', async (_, bytes) => {
  const recording = await record(await upstreamOfBytes(bytes))
  const answer = await fetchFrom(recording)
  expect([500, 502]).toContain(answer.status)
  expect(errorIn(answer).code).toBe('mock_recorder')
  await recording.over(1)
  expect(recording.cassette.answers).toBe(0)
})

test('cookies, locations and CORS headers of an upstream are not forwarded', async () => {
  const named = {
    'set-cookie': 'a=b',
    location: 'http://169.254.169.254/',
    refresh: '0; url=http://169.254.169.254/',
    'access-control-allow-origin': '*',
    'clear-site-data': '"*"',
    'alt-svc': 'h2="example.com:443"',
  }
  const recording = await record(await upstreamOf((_, response) => response.writeHead(200, named).end('{}')))
  const { headers } = await fetchFrom(recording)
  for (const name of Object.keys(named)) expect(headers.get(name)).toBeNull()
})

test('the mock never fetches: an image, a file or a schema reference is plain text', async () => {
  const { url, seen } = await watched()
  const server = await serve()
  const content = [
    { type: 'text', text: 'look' },
    { type: 'image_url', image_url: { url: `${url}/image.png` } },
    { type: 'image_url', image_url: { url: 'file:///etc/passwd' } },
  ]
  const schema = { $ref: `${url}/schema.json` }
  const format = { type: 'json_schema', json_schema: { name: 'a', schema } }
  const looked = await fetchFrom(server, { body: { ...HELLO, messages: [{ role: 'user', content }] } })
  expect([looked.status, looked.text.includes('root:')]).toEqual([200, false])
  expect((await fetchFrom(server, { body: { ...HELLO, response_format: format } })).status).toBe(400)
  const scenario = `$schema: ${url}/scenario.schema.json\ndescription: x\n`
  expect((await fetchFrom(server, { path: '/_mock/scenario', method: 'PUT', body: scenario })).status).toBe(200)
  expect(seen).toEqual([])
})
