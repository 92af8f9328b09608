/** The user's own msw handlers over HTTP: whatever they do, the server stays up. */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { expectNoStrays } from '../../robustness/strays.ts'
import {
  answerOf,
  answersRaw,
  errorIn,
  fetchFrom,
  GENEROUS_MS,
  requestText,
  type Served,
  serve,
  stillAnswers,
  Wire,
} from '../../support/http.ts'

expectNoStrays()

const fixture = (name: string): string => resolve(import.meta.dirname, 'fixtures', name)
const withHandlers = (name = 'handlers.mjs'): Promise<Served> =>
  serve('default', { listen: { handlers: fixture(name) } })

test('a handler answers a path that the mock does not know', async () => {
  const server = await withHandlers()
  const { status, headers, json } = await fetchFrom(server, { path: '/own/plain' })
  expect(status).toBe(200)
  expect(json).toEqual({ hello: 'from a handler' })
  expect(headers.get('content-type')).toBe('application/json')
  await stillAnswers(server)
})

test('a handler sees body and headers, and chooses status and headers', async () => {
  const server = await withHandlers()
  const { status, headers, text } = await fetchFrom(server, {
    path: '/own/echo',
    body: '{"a":"€"}',
    headers: { 'x-own': 'yes' },
  })
  expect({ status, text, own: headers.get('x-own') }).toEqual({ status: 201, text: '{"a":"€"}', own: 'yes' })
})

test('a handler may set several cookies, and wait', async () => {
  const server = await withHandlers()
  const { status, headers } = await fetchFrom(server, { path: '/own/cookies' })
  expect(status).toBe(204)
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect((await fetchFrom(server, { path: '/own/slow' })).text).toBe('at last')
})

test('a handler cannot replace a path of the mock', async () => {
  const server = await withHandlers()
  await stillAnswers(server)
  expect((await fetchFrom(server, { path: '/_mock/health' })).json.status).toBe('ok')
})

test.each(['/own/nothing-here', '/own/silent', '/own/passthrough', '/v1/foo', '/'])(
  '%s gets a 404 in the envelope if no handler answers it',
  async (path) => {
    const server = await withHandlers()
    const answer = await fetchFrom(server, { path })
    expect(answer.status).toBe(404)
    expect(errorIn(answer).message).toContain(`Invalid URL (GET ${path})`)
  },
)

test.each(['/own/throws', '/own/rejects'])(
  '%s is a 500 in the envelope, and the server stays up',
  async (path) => {
    const server = await withHandlers()
    const answer = await fetchFrom(server, { path })
    expect(answer.status).toBe(500)
    expect(errorIn(answer).type).toBe('server_error')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test('a handler that throws undefined gets an error answer, and the server continues', async () => {
  const server = await withHandlers()
  const answer = await fetchFrom(server, { path: '/own/throws-nothing' })
  expect([404, 500]).toContain(answer.status)
  errorIn(answer)
  await stillAnswers(server)
})

test('the 500 of a handler that throws has the message of the error', async () => {
  const server = await withHandlers()
  expect(errorIn(await fetchFrom(server, { path: '/own/throws' })).message).toContain('the handler is broken')
})

test('a handler that throws a response answers with it', async () => {
  const server = await withHandlers()
  const { status, json } = await fetchFrom(server, { path: '/own/throws-response' })
  expect({ status, json }).toEqual({ status: 418, json: { thrown: true } })
})

test('a network error, which HTTP cannot express, is a 500 that says what to use instead', async () => {
  const server = await withHandlers()
  const answer = await fetchFrom(server, { path: '/own/network-error' })
  expect(answer.status).toBe(500)
  expect(errorIn(answer).message).toContain('Use a fault of the mock')
  await stillAnswers(server)
})

test.each(['/own/breaks-half-way', '/own/breaks-at-once'])(
  '%s breaks the connection, and the server stays up',
  async (path) => {
    const server = await withHandlers()
    const reading = fetch(`${server.origin}${path}`).then((response) => response.text())
    await expect(reading).rejects.toThrow()
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'the bytes before a broken body arrive',
  async () => {
    const server = await withHandlers()
    const wire = await Wire.open(server)
    await wire.send(requestText({ method: 'GET', path: '/own/breaks-half-way', body: null }))
    const received = await wire.until('never')
    expect(received).toContain('piece 3')
    expect(received).not.toContain('\r\n0\r\n\r\n')
  },
  GENEROUS_MS,
)

test(
  'a client that leaves an endless body cancels it',
  async () => {
    const { seen } = (await import(fixture('handlers.mjs'))) as { seen: { cancelled: number } }
    const before = seen.cancelled
    const server = await withHandlers()
    const leaving = new AbortController()
    const response = await fetch(`${server.origin}/own/endless`, { signal: leaving.signal })
    await response.body!.getReader().read()
    leaving.abort()
    await expect.poll(() => seen.cancelled, { timeout: 10_000 }).toBe(before + 1)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a hundred clients that leave an endless body cancel a hundred bodies',
  async () => {
    const { seen } = (await import(fixture('handlers.mjs'))) as { seen: { cancelled: number } }
    const before = seen.cancelled
    const server = await withHandlers()
    const wires = await Promise.all(Array.from({ length: 100 }, () => Wire.open(server)))
    await Promise.all(wires.map((wire) => wire.send(requestText({ method: 'GET', path: '/own/endless', body: null }))))
    await Promise.all(wires.map((wire) => wire.until('more')))
    for (const wire of wires) wire.socket.resetAndDestroy()
    await expect.poll(() => seen.cancelled, { timeout: 10_000 }).toBe(before + 100)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each([
  ['TRACE', requestText({ method: 'TRACE', path: '/own/any', body: null }), 400],
  ['an invalid Host', requestText({ method: 'GET', path: '/own/any', host: 'a b%%"<>', body: null }), 400],
  ['an empty Host', requestText({ method: 'GET', path: '/own/any', host: '', body: null }), 400],
  [
    'a Host with an invalid port',
    requestText({ method: 'GET', path: '/own/any', host: 'x:99999999', body: null }),
    400,
  ],
  ['a path that is no URL', requestText({ method: 'GET', path: '//', body: null }), [400, 404]],
  ['a broken percent sign', requestText({ method: 'GET', path: '/own/%E0%A4%A', body: null }), [400, 404]],
  ['the absolute form', requestText({ method: 'GET', path: 'http://example.com/own/plain', body: null }), 200],
  [
    'a header beyond ASCII',
    Buffer.from(requestText({ method: 'GET', path: '/own/plain', body: null, headers: ['X-Own: \xff\xfe'] }), 'latin1'),
    200,
  ],
  ['DELETE', requestText({ method: 'DELETE', path: '/own/any', body: null }), 200],
  ['PROPFIND', requestText({ method: 'PROPFIND', path: '/own/any', body: null }), [200, 400]],
  ['an unreadable body of the mock', requestText({ body: '{' }), 400],
] as const)(
  '%s is answered, and the server stays up',
  async (_, request, expected) => {
    await answersRaw(await withHandlers(), request, [expected].flat())
  },
  GENEROUS_MS,
)

test(
  'an upload that breaks off in a handler does not stop the server',
  async () => {
    const server = await withHandlers()
    for (let time = 0; time < 10; time++) {
      const wire = await Wire.open(server)
      await wire.send(`${requestText({ path: '/own/echo', body: null, headers: ['Content-Length: 1000'] })}half of`)
      wire.socket.resetAndDestroy()
    }
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each([
  ['no-handlers.mjs', "expected a list of msw handlers, exported as default or as 'handlers', got something else"],
  ['not-there.mjs', 'there is no such file (looked for /'],
])(
  'handlers that cannot be loaded, %s: each call reports it, and the mock keeps running',
  async (name, message) => {
    const server = await withHandlers(name)
    for (let time = 0; time < 2; time++) {
      const answer = await answerOf(await fetch(`${server.origin}/own/plain`))
      expect(answer.status).toBe(500)
      expect(errorIn(answer).message).toContain(message)
    }
    await stillAnswers(server)
  },
  GENEROUS_MS,
)
