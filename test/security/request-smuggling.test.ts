/**
 * Attack: a request whose end the server and what stands in front of it see in different places, so that a part of it is
 * taken for the next one; or an answer of a user's handler whose length is not that of its body, so that a part of the
 * body is taken for the next answer.
 * Defence: Node's strict parser refuses every ambiguous framing, and closes; how an answer of a handler is framed is the
 * server's to say, whatever headers the handler gives; an invalid Host is refused.
 */
import { expect, test } from 'vitest'
import { expectNoStrays } from '../robustness/strays.ts'
import { fetchFrom, type Served, serve, stillAnswers, Wire } from '../support/http.ts'

expectNoStrays()

const handlers = new URL('./fixtures/smuggling-handlers.mjs', import.meta.url).pathname
const withHandlers = (): Promise<Served> => serve('default', { listen: { handlers } })

const NEXT = 'GET /own/next HTTP/1.1\r\nHost: a\r\n\r\n'
const post = (...lines: string[]): string => `POST /own/mirror HTTP/1.1\r\nHost: a\r\n${lines.join('\r\n')}`

const AMBIGUOUS: Record<string, string> = {
  'a length and chunks': post('Content-Length: 4', 'Transfer-Encoding: chunked', '', `0\r\n\r\n${NEXT}`),
  'chunks and a length': post('Transfer-Encoding: chunked', 'Content-Length: 4', '', `0\r\n\r\n${NEXT}`),
  'two lengths': post('Content-Length: 0', `Content-Length: ${NEXT.length}`, '', NEXT),
  'the same length twice': post('Content-Length: 4', 'Content-Length: 4', '', `abcd${NEXT}`),
  'a list of lengths': post('Content-Length: 4, 4', '', `abcd${NEXT}`),
  'a length with a sign': post('Content-Length: +4', '', `abcd${NEXT}`),
  'a negative length': post('Content-Length: -1', '', NEXT),
  'a hexadecimal length': post('Content-Length: 0x4', '', `abcd${NEXT}`),
  'a length with a space before its colon': post('Content-Length : 4', '', `abcd${NEXT}`),
  'chunks that are called otherwise': post('Transfer-Encoding: xchunked', '', `0\r\n\r\n${NEXT}`),
  'chunks that are not the last coding': post('Transfer-Encoding: chunked, identity', '', `0\r\n\r\n${NEXT}`),
  'two codings': post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity', '', `0\r\n\r\n${NEXT}`),
  'a vertical tab before the coding': post('Transfer-Encoding:\x0bchunked', '', `0\r\n\r\n${NEXT}`),
  'a folded header': post('Transfer-Encoding:', ' chunked', '', `0\r\n\r\n${NEXT}`),
  'a folded value': post('X-A: b', '\tContent-Length: 4', 'Content-Length: 0', '', NEXT),
  'line feeds alone': post('Content-Length: 0').replaceAll('\r\n', '\n').concat('\n\n', NEXT),
  'one line feed alone': post('X-A: b\nTransfer-Encoding: chunked', 'Content-Length: 0', '', NEXT),
  'a carriage return alone': post('X-A: b\rTransfer-Encoding: chunked', 'Content-Length: 0', '', NEXT),
  'a NUL in a header': post('X-A: \0', 'Content-Length: 0', '', NEXT),
  'chunks with line feeds alone': post('Transfer-Encoding: chunked', '', `4\nabcd\n0\n\n${NEXT}`),
  'a chunk with a line feed in its extension': post('Transfer-Encoding: chunked', '', `4;x\nabcd\r\n0\r\n\r\n${NEXT}`),
  'a chunk of more bytes than numbers go': post(
    'Transfer-Encoding: chunked',
    '',
    `ffffffffffffffff1\r\nabcd\r\n0\r\n\r\n`,
  ),
  'a chunk with 0x in its size': post('Transfer-Encoding: chunked', '', `0x4\r\nabcd\r\n0\r\n\r\n${NEXT}`),
  'a chunk that is longer than it says': post('Transfer-Encoding: chunked', '', `4\r\nabcdef\r\n0\r\n\r\n${NEXT}`),
  'a length in the trailers': post('Transfer-Encoding: chunked', '', `0\r\nContent-Length: 50\r\n\r\n${NEXT}`),
  'the preface of HTTP/2': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${NEXT}`,
}

test.each(Object.entries(AMBIGUOUS))('%s: refused once, and the connection is closed', async (_, bytes) => {
  for (const server of [await withHandlers(), await serve()]) {
    const wire = await Wire.open(server)
    await wire.send(bytes)
    await wire.closed()
    const received = await wire.until('never')
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 400'])
    expect(received).not.toContain('the next answer')
    await stillAnswers(server)
  }
})

test.each([
  [
    'a body that no handler reads',
    `POST /own/unread HTTP/1.1\r\nHost: a\r\nContent-Length: ${NEXT.length}\r\n\r\n${NEXT}`,
  ],
  ['a GET with a body', `GET /own/unread HTTP/1.1\r\nHost: a\r\nContent-Length: ${NEXT.length}\r\n\r\n${NEXT}`],
  [
    'an upgrade that is not taken',
    `GET /own/unread HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: ${NEXT.length}\r\n\r\n${NEXT}`,
  ],
])('%s is one request, and no second request is read from its body', async (_, bytes) => {
  const wire = await Wire.open(await withHandlers())
  await wire.send(bytes)
  expect((await wire.answer())?.text).toBe('unread')
  await wire.send(NEXT.replace('next', 'unread'))
  expect((await wire.answer())?.text).toBe('unread')
})

test.each([
  ['/own/length/0', 'of nothing'],
  ['/own/length/5', 'that is too short'],
  ['/own/length/5000', 'that is too long'],
  ['/own/identity', 'that is none, as the coding is identity'],
  ['/own/both', 'beside chunks'],
  ['/own/connection', 'that a connection header takes away'],
  ['/own/empty', 'of a body that is not there'],
])('a handler (%s) that sets a length %s does not corrupt the next answer', async (path) => {
  const wire = await Wire.open(await withHandlers())
  await wire.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  const first = await wire.answer()
  expect(first?.status).toBe(200)
  expect(first?.headers).not.toHaveProperty('x-smuggled')
  await wire.send(NEXT)
  const second = await wire.answer()
  expect([second?.status, second?.text]).toEqual([200, 'the next answer'])
  expect(second?.headers).not.toHaveProperty('x-smuggled')
})

test('request headers that a handler echoes cannot change the length of its answer', async () => {
  const wire = await Wire.open(await withHandlers())
  await wire.send(post('Content-Length: 4', '', 'abcd'))
  expect((await wire.answer())?.text).toBe('[abcd]')
  await wire.send(NEXT)
  expect((await wire.answer())?.text).toBe('the next answer')
})

test('the answer to HEAD keeps the content-length of its handler', async () => {
  const answer = await fetch(`${(await withHandlers()).origin}/own/head`, { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '1234'])
})

test.each(['\r\nX-Smuggled: yes', '\nX-Smuggled: yes', '\rX-Smuggled: yes', '\u010a\u010dX-Smuggled: yes', '\0'])(
  'a handler that copies caller input (%j) into a header or a status cannot split the response',
  async (said) => {
    const server = await withHandlers()
    for (const where of ['header', 'status']) {
      const answer = await fetchFrom(server, { path: `/own/${where}?said=a${encodeURIComponent(said)}` })
      expect(answer.headers.get('x-smuggled')).toBeNull()
      expect([200, 500]).toContain(answer.status)
    }
    await stillAnswers(server)
  },
)

test.each(['a/own/next?', 'a#', 'a?', 'b@a', 'a\\own\\next', 'a, b', 'a b', ''])(
  "the Host '%s' does not change which handler answers",
  async (host) => {
    const wire = await Wire.open(await withHandlers())
    await wire.send(`GET /own/unread HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    const answer = await wire.answer()
    expect(answer?.status).toBe(400)
    expect(answer?.text).not.toContain('the next answer')
  },
)
