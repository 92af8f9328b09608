/** Requests that are hardly HTTP, or none: answered or refused in the envelope, and the server goes on. */
import { expect, test } from 'vitest'
import { answersRaw, fetchFrom, GENEROUS_MS, HELLO, requestText, serve, stillAnswers, Wire } from '../support/http.ts'
import { expectNoStrays } from './strays.ts'

expectNoStrays()

const chat = requestText()
/** The body of `requestText`, and its length. */
const body = JSON.stringify(HELLO)
const length = `Content-Length: ${body.length}`
/** A request whose body is these chunks. */
const chunked = (chunks: string): string =>
  requestText({ body: null, headers: ['Transfer-Encoding: chunked'] }) + chunks

test.each<[name: string, request: string | Uint8Array, status: number | readonly number[]]>([
  // Methods
  ['TRACE', requestText({ method: 'TRACE', body: null }), 405],
  ['TRACE to nowhere', requestText({ method: 'TRACE', path: '/', body: null }), 404],
  ['CONNECT', requestText({ method: 'CONNECT', path: 'example.com:443', body: null }), 405],
  ['PATCH', requestText({ method: 'PATCH' }), 405],
  ['PROPFIND', requestText({ method: 'PROPFIND' }), 405],
  ['GET with a body', requestText({ method: 'GET', path: '/v1/models' }), 200],
  ['a method in lower case', requestText({ method: 'post' }), 400],
  ['an unknown method', requestText({ method: 'FETCH' }), 400],
  ['OPTIONS *', requestText({ method: 'OPTIONS', path: '*', body: null }), 204],

  // Hosts
  ['no Host', chat.replace(/Host: .*\r\n/, ''), [200, 400]],
  ['an empty Host', requestText({ host: '' }), [200, 400]],
  ['an invalid Host', requestText({ host: 'a b%%"<>' }), [200, 400]],
  ['a Host of 8 KB', requestText({ host: 'h'.repeat(8000) }), [200, 400]],
  ['two Hosts', requestText({ headers: ['Host: example.com'] }), [200, 400]],
  ['HTTP/1.0 without a Host', chat.replace('HTTP/1.1', 'HTTP/1.0').replace(/Host: .*\r\n/, ''), 200],

  // Request lines
  ['the absolute form', requestText({ path: 'http://example.com/v1/chat/completions' }), 200],
  ['the absolute form without a path', requestText({ path: 'http://example.com' }), 404],
  ['a path of 10 KB', requestText({ path: `/v1/${'x'.repeat(10_000)}` }), 404],
  ['a broken percent sign', requestText({ method: 'GET', path: '/v1/models/%E0%A4%A', body: null }), 200],
  ['a broken percent sign in an unknown path', requestText({ path: '/v1/%E0%A4%A' }), 404],
  ['a path upwards', requestText({ path: '/v1/../../etc/passwd' }), 404],
  ['a double slash', requestText({ path: '//v1/chat/completions' }), 200],
  ['a backslash', requestText({ path: '/v1\\chat' }), 404],
  ['a query that names prototypes', requestText({ path: '/v1/chat/completions?__proto__[a]=1&constructor=2' }), 200],
  ['bytes beyond ASCII in the path', Buffer.from(requestText({ path: '/v1/é' }), 'latin1'), [400, 404]],

  // Framing
  ['a line of garbage', 'GARBAGE\r\n\r\n', 400],
  ['bytes of garbage', Buffer.from([0, 255, 254, 1, 13, 10, 13, 10]), 400],
  ['the beginning of TLS', Buffer.from('16030100a5010000a1030300', 'hex'), 400],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an invalid version', chat.replace('HTTP/1.1', 'HTTP/9.9'), 400],
  ['a negative length', requestText({ body: null, headers: ['Content-Length: -1'] }), 400],
  ['an invalid length', requestText({ body: null, headers: ['Content-Length: ten'] }), 400],
  [
    'a length beyond all numbers',
    requestText({ body: null, headers: [`Content-Length: ${'9'.repeat(30)}`] }),
    [400, 413],
  ],
  ['two lengths that differ', requestText({ headers: ['Content-Length: 5'] }), 400],
  ['a length and chunks', requestText({ headers: ['Transfer-Encoding: chunked'] }), 400],
  ['an unknown transfer coding', requestText({ body: null, headers: ['Transfer-Encoding: rot13'] }), [400, 501]],
  ['a chunk without a size', `${requestText({ body: null, headers: ['Transfer-Encoding: chunked'] })}zz\r\n`, 400],
  ['empty lines before the request', `\r\n\r\n${chat}`, 200],
  ['lines that end in a bare LF', chat.replaceAll('\r\n', '\n'), [200, 400]],
  ['a request line without a version', chat.replace(' HTTP/1.1', ''), [200, 400]],
  ['a tab in the request line', chat.replace(' HTTP', '\tHTTP'), 400],
  ['a blank before the colon of a length', requestText({ body: null, headers: ['Content-Length : 5'] }), 400],
  ['a length in hexadecimal', requestText({ body: null, headers: ['Content-Length: 0x10'] }), 400],
  ['two lengths in one header', requestText({ body: null, headers: ['Content-Length: 5, 6'] }), 400],
  ['chunks with extensions', chunked(`${body.length.toString(16)};a=1;b\r\n${body}\r\n0\r\n\r\n`), 200],
  ['chunks with trailers', chunked(`${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Mock-Fault: 500\r\n\r\n`), 200],
  ['a chunk extension of 100 KB', chunked(`5;${'x'.repeat(100_000)}\r\n`), [400, 413]],
  ['a chunk size beyond all numbers', chunked(`${'f'.repeat(17)}\r\n`), 400],
  ['a negative chunk size', chunked('-1\r\n'), 400],
  ['a chunk that is longer than it says', chunked('2\r\n{}}}\r\n0\r\n\r\n'), 400],
  ['chunks over chunks', requestText({ body: null, headers: ['Transfer-Encoding: chunked, chunked'] }), 400],
  ['a greeting of SOCKS', Buffer.from([5, 1, 0, 13, 10]), 400],
  ['an upgrade to HTTP/2', requestText({ headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'] }), 200],

  // Headers
  ['a huge header', requestText({ headers: [`X-Junk: ${'x'.repeat(100_000)}`] }), [400, 431]],
  [
    'a thousand headers',
    requestText({ headers: Array.from({ length: 1000 }, (_, index) => `X-${index}: 1`) }),
    [200, 400, 431],
  ],
  ['a header without a colon', requestText({ headers: ['nonsense'] }), 400],
  ['a header with a NUL', requestText({ headers: ['X-Mock-Fault: 4\u000029'] }), 400],
  [
    'a fault that goes on in the next line',
    requestText({ headers: ['X-Mock-Fault: rate-limit;\r\n retry-after=2'] }),
    [400, 429],
  ],
  ['a fault with a bare CR', requestText({ headers: ['X-Mock-Fault: 429\rX-Injected: 1'] }), 400],
  ['a fault with a bare LF', requestText({ headers: ['X-Mock-Fault: 429\nX-Injected: 1'] }), [400, 429]],
  ['a fault with CR LF written out', requestText({ headers: ['X-Mock-Fault: 429\\r\\nX-Injected: 1'] }), 400],
  ['a fault of 8 KB', requestText({ headers: [`X-Mock-Fault: ${'junk;=%"'.repeat(1000)}`] }), 400],
  ['a fault beyond ASCII', Buffer.from(requestText({ headers: ['X-Mock-Fault: \xff\xfe\x80'] }), 'latin1'), 400],
  [
    'a fault beyond ASCII that is asked to explain itself',
    Buffer.from(requestText({ headers: ['X-Mock-Fault: \xff\xfe', 'X-Mock-Explain: 1'] }), 'latin1'),
    400,
  ],
  ['two faults', requestText({ headers: ['X-Mock-Fault: 429', 'X-Mock-Fault: 500'] }), 400],
  ['two keys', requestText({ headers: ['Authorization: Bearer sk-other'] }), [200, 401]],
  ['a key of 8 KB', requestText({ headers: [] }).replace('sk-test', 'k'.repeat(8000)), 200],
  ['an expectation nobody can meet', requestText({ headers: ['Expect: a miracle'] }), [200, 400, 417]],
  ['an upgrade nobody offers', requestText({ headers: ['Connection: Upgrade', 'Upgrade: websocket'] }), 200],
])(
  '%s',
  async (_, request, expected) => {
    await answersRaw(await serve(), request, [expected].flat())
  },
  GENEROUS_MS,
)

test(
  'a preflight may name any header and gets a permission for each',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    const asked = [
      'Origin: https://example.com',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: x-a, x-\xe9',
    ]
    await wire.send(Buffer.from(requestText({ method: 'OPTIONS', headers: asked, body: null }), 'latin1'))
    const answer = await wire.answer()
    expect(answer?.status).toBe(204)
    expect(answer?.headers['access-control-allow-headers']).toBe('x-a, x-\xe9')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  '100 Continue is sent before the body when the client expects it',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: null, headers: [length, 'Expect: 100-continue'] }))
    expect((await wire.answer())?.status).toBe(100)
    await wire.send(body)
    expect((await wire.answer())?.status).toBe(200)
  },
  GENEROUS_MS,
)

test(
  'three requests in one write get three answers in order',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    const asking = (content: string): string =>
      requestText({ body: JSON.stringify({ ...HELLO, messages: [{ role: 'user', content }] }) })
    await wire.send(asking('one') + requestText({ headers: ['X-Mock-Fault: 500'] }) + asking('three'))
    const answers = [await wire.answer(), await wire.answer(), await wire.answer()]
    expect(answers.map((answer) => answer?.status)).toEqual([200, 500, 200])
    expect(answers[0]!.json.choices[0].message.content).toBe('one')
    expect(answers[2]!.json.choices[0].message.content).toBe('three')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'an answer that waits is not overtaken by the next one',
  async () => {
    const server = await serve({ description: 'A test.', pace: { firstToken: '50ms' } })
    const wire = await Wire.open(server)
    await wire.send(
      requestText({ body: JSON.stringify({ ...HELLO, stream: true }) }) +
        requestText({ headers: ['X-Mock-Fault: 500'] }),
    )
    expect((await wire.answer())?.text).toContain('data: [DONE]')
    expect((await wire.answer())?.status).toBe(500)
  },
  GENEROUS_MS,
)

test(
  'garbage after a good request is answered, and the server continues',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(`${chat}GARBAGE\r\n\r\n`)
    expect([200, 400]).toContain((await wire.answer())?.status)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'garbage sent during a stream is refused after the stream',
  async () => {
    const server = await serve({ description: 'A test.', pace: { perToken: '30ms' } })
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: JSON.stringify({ ...HELLO, stream: true }) }))
    await wire.until('Hello')
    await wire.send('GARBAGE\r\n\r\n')
    const [stream, refusal] = [await wire.answer(), await wire.answer()]
    expect(stream!.text.trimEnd().endsWith('[DONE]')).toBe(true)
    expect(refusal!.status).toBe(400)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

const GARBAGE = ['a line of garbage', 'a chunk without a size'] as const
const garbage = { 'a line of garbage': 'GARBAGE\r\n\r\n', 'a chunk without a size': chunked('GARBAGE\r\n\r\n') }

test.each(GARBAGE)(
  '%s that follows a slow call is refused after the answer to the call',
  async (name) => {
    const server = await serve({ description: 'A test.', pace: { firstToken: '100ms' } })
    const wire = await Wire.open(server)
    await wire.send(requestText() + garbage[name])
    const answers = [await wire.answer(), await wire.answer()]
    expect(answers.map((answer) => answer?.status)).toEqual([200, 400])
    await wire.closed()
  },
  GENEROUS_MS,
)

test.each(GARBAGE)(
  '%s that follows a call whose answer is cut adds nothing to the answer',
  async (name) => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(requestText({ headers: ['X-Mock-Fault: cut'] }) + garbage[name])
    await wire.closed()
    expect((await wire.until('')).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each([
  ['CONNECT', requestText({ method: 'CONNECT', path: 'example.com:443', body: null })],
  ['a line of garbage', 'GARBAGE\r\n\r\n'],
])(
  'the server survives %s from a client that resets the connection at once',
  async (_, request) => {
    const server = await serve()
    for (let time = 0; time < 20; time++) {
      const wire = await Wire.open(server)
      await wire.send(request)
      wire.socket.resetAndDestroy()
    }
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each([
  ['CONNECT', requestText({ method: 'CONNECT', path: 'example.com:443', body: null })],
  ['a line of garbage', 'GARBAGE\r\n\r\n'],
  ['half a request', 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n'],
  ['half a body', requestText({ body: null, headers: ['Content-Length: 100'] })],
  ['nothing', ''],
  ['a call that hangs', requestText({ headers: ['X-Mock-Fault: hang'] })],
])(
  'a server closes though a client has sent %s and stays',
  async (_, request) => {
    const server = await serve()
    const wire = await Wire.open(server)
    if (request !== '') await wire.send(request)
    await stillAnswers(server)
    await server.close(50)
    await wire.closed()
    await expect(fetchFrom(server)).rejects.toThrow()
  },
  10_000,
)
