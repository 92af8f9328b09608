/** Bodies that are large, deep, broken or sly: answered or refused in the envelope, and the server goes on. */
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import {
  answerOf,
  CHAT_PATH,
  EMBEDDINGS_PATH,
  errorIn,
  fetchFrom,
  GENEROUS_MS,
  HELLO,
  type HttpAnswer,
  requestText,
  type Served,
  serve,
  stillAnswers,
  Wire,
} from '../support/http.ts'
import { expectNoStrays } from './strays.ts'

expectNoStrays()

const MEGABYTE = 1_000_000
const CHUNK = Buffer.alloc(64 * 1024, ' ')

/** Sends whitespace, a chunk at a time, until so many bytes are sent or the other side has closed. */
async function pour(wire: Wire, bytes: number, framed: (chunk: Buffer) => Buffer = (chunk) => chunk): Promise<void> {
  for (let sent = 0; sent < bytes && wire.socket.writable; sent += CHUNK.length) {
    await wire.send(framed(CHUNK.subarray(0, Math.min(CHUNK.length, bytes - sent))))
  }
}

const asChunk = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])

// Large

test(
  '100 MB with a content-length get the 413 before the body is sent',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: null, headers: [`Content-Length: ${100 * MEGABYTE}`] }))
    const answer = await wire.answer()
    expect(answer?.status).toBe(413)
    expect(errorIn(answer!).message).toBe('Request body is too large. The maximum size is 10000000 bytes.')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a client that sends 100 MB without reading still gets the 413',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: null, headers: [`Content-Length: ${100 * MEGABYTE}`] }))
    await pour(wire, 100 * MEGABYTE)
    expect((await wire.answer())?.status).toBe(413)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  '100 MB in chunks get a 413',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: null, headers: ['Transfer-Encoding: chunked'] }))
    await pour(wire, 100 * MEGABYTE, asChunk)
    await wire.send('0\r\n\r\n')
    expect((await wire.answer())?.status).toBe(413)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  '100 MB streamed by fetch get a 413',
  async () => {
    const server = await serve()
    const body = Readable.toWeb(
      Readable.from(
        (function* chunks() {
          for (let sent = 0; sent < 100 * MEGABYTE; sent += CHUNK.length) yield CHUNK
        })(),
      ),
    )
    const request = { method: 'POST', headers: { authorization: 'Bearer sk-test' }, body, duplex: 'half' }
    const answer = await answerOf(await fetch(`${server.url}/chat/completions`, request as unknown as RequestInit))
    expect(answer.status).toBe(413)
    errorIn(answer)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each(['Content-Length', 'Transfer-Encoding'])(
  'a connection is used again after a 413 (%s)',
  async (framing) => {
    const server = await serve('default', { bodyLimit: 1000 })
    const wire = await Wire.open(server)
    if (framing === 'Content-Length') await wire.send(requestText({ body: ' '.repeat(5000) }))
    else {
      await wire.send(requestText({ body: null, headers: ['Transfer-Encoding: chunked'] }))
      await pour(wire, 5000, asChunk)
      await wire.send('0\r\n\r\n')
    }
    expect((await wire.answer())?.status).toBe(413)
    await wire.send(requestText())
    expect((await wire.answer())?.status).toBe(200)
  },
  GENEROUS_MS,
)

test(
  'a body of exactly the limit is read, and one byte more is not',
  async () => {
    const server = await serve('default', { bodyLimit: 1000 })
    const padded = (bytes: number): string => JSON.stringify(HELLO).padEnd(bytes)
    expect((await fetchFrom(server, { body: padded(1000) })).status).toBe(200)
    expect((await fetchFrom(server, { body: padded(1001) })).status).toBe(413)
  },
  GENEROUS_MS,
)

test(
  'the limit counts bytes, not characters',
  async () => {
    const server = await serve('default', { bodyLimit: 1000 })
    const body = { ...HELLO, user: '€'.repeat(400) }
    expect(JSON.stringify(body).length).toBeLessThan(1000)
    expect((await fetchFrom(server, { body })).status).toBe(413)
  },
  GENEROUS_MS,
)

test(
  'a call of any size without a key gets a 401',
  async () => {
    const server = await serve('default', { bodyLimit: 1000 })
    expect((await fetchFrom(server, { key: '', body: ' '.repeat(5000) })).status).toBe(401)
  },
  GENEROUS_MS,
)

test(
  '5,000 unknown parameters are answered, and their journal notes stay small',
  async () => {
    const server = await serve()
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${'x'.repeat(50)}${index}`, 1]))
    expect((await fetchFrom(server, { body: { ...HELLO, ...many } })).status).toBe(200)
    expect(JSON.stringify(server.mock.journal[0]!.notes).length).toBeLessThan(50_000)
  },
  GENEROUS_MS,
)

test(
  'a model with a name of a megabyte is answered, and the journal stays small',
  async () => {
    const server = await serve()
    expect([200, 400]).toContain((await fetchFrom(server, { body: { ...HELLO, model: 'x'.repeat(MEGABYTE) } })).status)
    expect(JSON.stringify(server.mock.journal).length).toBeLessThan(50_000)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

// Deep

const deepLists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const deepObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const withField = (name: string, value: string): string => `${JSON.stringify(HELLO).slice(0, -1)},"${name}":${value}}`

test.each([
  ['lists', deepLists(10_000)],
  ['objects', deepObjects(10_000)],
])(
  '10,000 nested %s are answered or refused',
  async (_, deep) => {
    const server = await serve()
    for (const path of [CHAT_PATH, EMBEDDINGS_PATH]) {
      for (const body of [deep, withField('metadata', deep), withField('zzz', deep), withField('input', deep)]) {
        const answer = await fetchFrom(server, { path, body })
        expect([200, 400]).toContain(answer.status)
        if (answer.status === 400) errorIn(answer)
      }
    }
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a body of any depth that was answered can be read in the journal',
  async () => {
    const server = await serve()
    for (let depth = 500; depth <= 8000; depth += 250) {
      expect([200, 400]).toContain((await fetchFrom(server, { body: withField('zzz', deepLists(depth)) })).status)
      const { status, text } = await fetchFrom(server, { path: '/_mock/journal' })
      expect({ depth, status, text: text.slice(0, 200) }).toMatchObject({ depth, status: 200 })
      server.mock.clearJournal()
    }
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a body of any depth with a key or an escape in it is answered or refused, and reveals no key',
  async () => {
    const server = await serve()
    const key = 'sk-deep-0123456789abcdefghij'
    for (let depth = 500; depth <= 8000; depth += 250) {
      for (const sly of [`"${key}"`, '"\\n"']) {
        const body = withField('zzz', `[${sly},${deepLists(depth)}]`)
        expect([200, 400]).toContain((await fetchFrom(server, { body, key })).status)
      }
      expect(JSON.stringify(server.mock.journal.map(({ model, notes }) => [model, notes]))).not.toContain(key)
      expect((await fetchFrom(server, { path: '/_mock/journal' })).text).not.toContain(key)
      server.mock.clearJournal()
    }
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

// Sly

const replyTo = ({ json }: HttpAnswer): string => json.choices[0].message.content

test(
  'lone surrogates are echoed unchanged, whole and streamed, and have a vector',
  async () => {
    const server = await serve()
    const content = '"a\\ud83db\\udc00c\\ud83d"'
    const body = `{"model":"echo-1","messages":[{"role":"user","content":${content}}]}`
    const answer = await fetchFrom(server, { body })
    expect(answer.status).toBe(200)
    expect(replyTo(answer)).toBe(JSON.parse(content))
    const streamed = await fetchFrom(server, { body: body.replace('{', '{"stream":true,') })
    const chunks = streamed.text
      .split('\n\n')
      .filter((event) => event.includes('{'))
      .map((event) => JSON.parse(event.slice(6)))
    expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(JSON.parse(content))
    expect(
      (await fetchFrom(server, { path: EMBEDDINGS_PATH, body: `{"model":"hash-1","input":${content}}` })).status,
    ).toBe(200)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

const raw = async (server: Served, body: Buffer, path = CHAT_PATH): Promise<HttpAnswer> =>
  answerOf(
    await fetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: new Uint8Array(body),
    }),
  )

test.each([
  ['bytes that are no UTF-8', Buffer.from(JSON.stringify(HELLO).replace('Hello', '\xff\xfe\xc0'), 'latin1')],
  ['half a character at the end', Buffer.concat([Buffer.from(JSON.stringify(HELLO)), Buffer.from([0xe2, 0x82])])],
  ['NUL bytes', Buffer.from(JSON.stringify(HELLO).replace('Hello', '\0\0'))],
  ['NUL bytes alone', Buffer.alloc(1000)],
  ['UTF-16', Buffer.from(JSON.stringify(HELLO), 'utf16le')],
  ['a byte order mark', Buffer.from(`\uFEFF${JSON.stringify(HELLO)}`)],
  ['nothing', Buffer.alloc(0)],
  [
    'numbers beyond all numbers',
    Buffer.from(withField('seed', `1e999,"max_tokens":${'9'.repeat(400)},"temperature":-1e999`)),
  ],
  ['two JSON texts', Buffer.from(JSON.stringify(HELLO).repeat(2))],
])(
  'a body of %s is answered or refused',
  async (_, body) => {
    const server = await serve()
    for (const path of [CHAT_PATH, EMBEDDINGS_PATH]) {
      const answer = await raw(server, body, path)
      expect([200, 400]).toContain(answer.status)
      if (answer.status === 400) errorIn(answer)
    }
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a character that arrives in two packets is one character',
  async () => {
    const server = await serve()
    const body = Buffer.from(JSON.stringify({ ...HELLO, messages: [{ role: 'user', content: '€' }] }))
    const middle = body.indexOf('€') + 1
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: null, headers: [`Content-Length: ${body.length}`] }))
    await wire.send(body.subarray(0, middle))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await wire.send(body.subarray(middle))
    expect((await wire.answer())?.json.choices[0].message.content).toBe('€')
  },
  GENEROUS_MS,
)

test.each(['модель', '模型', '🦜', 'a\nb', 'a\0b', '\ud800'])(
  'a model named %j is answered, on both endpoints',
  async (model) => {
    const server = await serve()
    expect((await fetchFrom(server, { body: { ...HELLO, model }, headers: { 'x-mock-explain': '1' } })).status).toBe(
      200,
    )
    expect((await fetchFrom(server, { path: EMBEDDINGS_PATH, body: { model, input: 'hi' } })).status).toBe(200)
    await stillAnswers(server)
  },
  5000,
)

test('every token id is answered', async () => {
  const server = await serve()
  for (const input of [[100_256], [199_998, 1], [[199_999], [200_000]], [0]]) {
    for (const model of ['hash-1', 'text-embedding-3-small']) {
      expect((await fetchFrom(server, { path: EMBEDDINGS_PATH, body: { model, input } })).status).toBe(200)
    }
  }
  await stillAnswers(server)
}, 5000)
