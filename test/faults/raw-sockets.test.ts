/** The faults on the wire, seen from a bare socket: which bytes arrive, in which pieces, and how the connection ends. */
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { fetchFrom, GENEROUS_MS, HELLO, requestText, type Served, serve, stillAnswers, Wire } from '../support/http.ts'
import { inProcess, transports } from '../support/transports.ts'

const STREAM = {
  model: 'echo-1',
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'One two thrée' }],
}

/** `00 ff fe`, a sentence between line ends, and a character broken off. */
const GARBAGE = '00fffe0d0a74686973206973206e6f20485454500d0a0d0ac32800'

/** What came over one connection until the other side ended it. */
interface Received {
  /** What each read gave. */
  readonly reads: readonly Buffer[]
  readonly ending: 'FIN' | 'RST'
  readonly head: string
  readonly body: Buffer
  /** The HTTP chunks of the body, the last of which may be broken off. */
  readonly chunks: readonly Buffer[]
}

const request = (fault: string, body: object = HELLO): string =>
  requestText({ body: JSON.stringify(body), headers: [`X-Mock-Fault: ${fault}`] })

function receive({ port }: Served, text: string): Promise<Received> {
  const reads: Buffer[] = []
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const done = (ending: Received['ending']): void => {
      socket.destroy()
      const all = Buffer.concat(reads)
      const end = all.indexOf('\r\n\r\n')
      const body = all.subarray(end < 0 ? all.length : end + 4)
      const head = all.subarray(0, Math.max(end, 0)).toString('latin1')
      resolve({ reads, ending, head, body, chunks: chunksOf(body) })
    }
    socket.on('data', (data: Buffer) => reads.push(data))
    socket.on('end', () => done('FIN')).on('error', () => done('RST'))
    socket.write(text)
  })
}

function chunksOf(body: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let place = 0; place < body.length; ) {
    const lineEnd = body.indexOf('\r\n', place)
    const length = Number.parseInt(body.subarray(place, lineEnd).toString('latin1'), 16)
    if (lineEnd < 0 || Number.isNaN(length)) break
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + length))
    place = lineEnd + 2 + length + 2
  }
  return chunks
}

/**
 * What comes back. Node's own sockets take a reset for an end when it comes in the same moment as the last data, so
 * where a reset is expected a few tries are made.
 */
async function receiveFault(
  server: Served,
  fault: string,
  body: object,
  ending: Received['ending'],
): Promise<Received> {
  let received = await receive(server, request(fault, body))
  for (let tries = 1; tries < 5 && received.ending !== ending; tries++) {
    received = await receive(server, request(fault, body))
  }
  expect(received.ending).toBe(ending)
  return received
}

const wholeText = async (server: Served, body: object): Promise<string> => (await fetchFrom(server, { body })).text
const eventsIn = (text: string): string[] => text.split(/(?<=\n\n)/)
const CLOSE = 'Connection: close'
const pieces = async (server: Served, fault: string): Promise<Received> =>
  receive(server, requestText({ body: JSON.stringify(STREAM), headers: [CLOSE, `X-Mock-Fault: ${fault}`] }))
/** Ids and dates differ between attempts; each of the two has the same number of bytes everywhere. */
const plain = (text: string): string => text.replace(/chatcmpl-\w+/g, 'id').replace(/"created":\d+/g, '"created":0')

// How the connection ends

test.each([
  ['reset-before-headers', 'RST'],
  ['empty-reply', 'FIN'],
] as const)(
  '%s sends no byte, and a %s',
  async (fault, ending) => {
    const server = await serve()
    for (const body of [HELLO, STREAM]) {
      const { reads } = await receiveFault(server, fault, body, ending)
      expect(reads).toEqual([])
    }
    expect(server.mock.journal.map(({ status, outcome }) => [status, outcome])).toContainEqual([0, 'cut'])
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'reset-after-headers sends the head and no byte of the body, and a RST',
  async () => {
    const server = await serve()
    const { head, body } = await receiveFault(server, 'reset-after-headers', HELLO, 'RST')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(body).toHaveLength(0)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'garbage sends bytes that are not HTTP, and a FIN',
  async () => {
    const server = await serve()
    const { reads } = await receiveFault(server, 'garbage', HELLO, 'FIN')
    expect(Buffer.concat(reads).toString('hex')).toBe(GARBAGE)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'half-body sends half of what Content-Length says, and a FIN',
  async () => {
    const server = await serve()
    for (const body of [HELLO, STREAM]) {
      const whole = await wholeText(server, body)
      const { head, body: half } = await receiveFault(server, 'half-body', body, 'FIN')
      expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${Buffer.byteLength(whole)}\r\n`)
      expect(half).toHaveLength(Math.floor(Buffer.byteLength(whole) / 2))
    }
  },
  GENEROUS_MS,
)

test.each([
  ['reset', 'RST'],
  ['fin', 'FIN'],
] as const)(
  'cut; after=3; end=%s delivers three events, whole, then a %s and no last chunk',
  async (end, ending) => {
    const server = await serve()
    const whole = await wholeText(server, STREAM)
    const { chunks, body } = await receiveFault(server, `cut; after=3; end=${end}`, STREAM, ending)
    const text = Buffer.concat(chunks).toString()
    expect(plain(text)).toBe(plain(eventsIn(whole).slice(0, 3).join('')))
    expect(body.toString()).not.toMatch(/\r\n0\r\n/)
    expect(server.mock.journal.at(-1)!.outcome).toBe('cut')
  },
  GENEROUS_MS,
)

test(
  'cut; after=3; end=clean delivers three events and a proper end: the connection can be used again',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(request('cut; after=3; end=clean', STREAM) + requestText())
    expect(eventsIn((await wire.answer())!.text)).toHaveLength(3)
    expect((await wire.answer())!.json.choices[0].message.content).toBe('Hello there!')
  },
  GENEROUS_MS,
)

test(
  'cut; after=3; end=stall delivers three events and keeps the connection open in silence',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(request('cut; after=3; end=stall', STREAM))
    const text = await wire.until(' two')
    await stillAnswers(server)
    expect(text.match(/data: /g)).toHaveLength(3)
    expect(server.mock.journal[0]!.outcome).toBe('open')
    wire.socket.destroy()
    await vi.waitFor(() => expect(server.mock.journal[0]!.outcome).toBe('client-left'))
  },
  GENEROUS_MS,
)

test(
  'a fault for the second of two calls on one connection lets the first answer arrive whole',
  async () => {
    const server = await serve({ description: 'A test.', pace: { firstToken: '50ms' } })
    for (const fault of ['garbage', 'empty-reply', 'cut; after=1; end=fin', 'cut; after=1', 'reset-before-headers']) {
      const wire = await Wire.open(server)
      await wire.send(requestText({ body: JSON.stringify(STREAM) }) + request(fault, STREAM))
      expect((await wire.answer())?.text, fault).toContain('data: [DONE]')
      await wire.closed()
    }
  },
  GENEROUS_MS,
)

test.each(transports.filter((transport) => transport !== inProcess))(
  'over $name, fetch reports how the connection ended',
  async (transport) => {
    const mock = createMock()
    await using opened = await transport.open(mock)
    const told = (fault: string): Promise<unknown> =>
      fetch(`${opened.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', 'x-mock-fault': fault },
        body: JSON.stringify(HELLO),
      }).catch(({ cause }: Error) => String(cause))
    expect(await told('reset-before-headers')).toBe('Error: read ECONNRESET')
    expect(await told('empty-reply')).toBe('SocketError: other side closed')
    expect(await told('garbage')).toMatch(/^HTTPParserError: /)
  },
  GENEROUS_MS,
)

// Which bytes arrive

test(
  'over HTTP too, cut; bytes=n delivers the first n bytes of any stream',
  async () => {
    const server = await serve()
    let count = 0
    const word = fc.constantFrom('é', '世界', '👍🏽', 'plain', '"')
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 8 }), fc.nat(3000), async (words, size) => {
        const body = { ...STREAM, messages: [{ role: 'user', content: words.join(' ') }], seed: ++count }
        const whole = await wholeText(server, body)
        const bytes = Math.min(size, Buffer.byteLength(whole))
        const { chunks } = await receiveFault(server, `cut; bytes=${bytes}; end=fin`, body, 'FIN')
        const cut = Buffer.concat(chunks)
        expect(cut).toHaveLength(bytes)
        const again = await receiveFault(server, `cut; bytes=${bytes}`, body, 'RST')
        expect(Buffer.concat(again.chunks)).toHaveLength(cut.length)
      }),
      { numRuns: 30 },
    )
  },
  GENEROUS_MS,
)

test(
  'every byte before a reset arrives, for a body of any size',
  async () => {
    const server = await serve()
    const body = { model: 'hash-1', input: Array.from({ length: 200 }, (_, index) => `Text ${index}`) }
    const text = requestText({
      path: '/v1/embeddings',
      body: JSON.stringify(body),
      headers: ['X-Mock-Fault: cut; bytes=3000000'],
    })
    let { chunks } = await receive(server, text)
    // The mock waits a fixed time before a reset, and a busy machine may read more slowly than that.
    for (let tries = 1; tries < 10 && Buffer.concat(chunks).length < 3_000_000; tries++)
      chunks = (await receive(server, text)).chunks
    expect(Buffer.concat(chunks)).toHaveLength(3_000_000)
  },
  GENEROUS_MS,
)

test(
  'truncated-gzip is a complete HTTP answer whose gzip data breaks off',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(request('truncated-gzip') + request('truncated-gzip', STREAM))
    for (const _ of [HELLO, STREAM]) {
      const answer = (await wire.answer())!
      expect(answer.headers['content-encoding']).toBe('gzip')
    }
    const { chunks } = await pieces(server, 'truncated-gzip')
    expect(() => gunzipSync(Buffer.concat(chunks))).toThrow('unexpected end of file')
  },
  GENEROUS_MS,
)

// In which pieces

test(
  'split-events; size=16 sends every event in packets of 16 bytes',
  async () => {
    const server = await serve()
    const whole = await wholeText(server, STREAM)
    const { chunks, reads } = await pieces(server, 'split-events; size=16')
    const expected = eventsIn(whole).flatMap((event) => {
      const size = Buffer.byteLength(event)
      return Array.from({ length: Math.ceil(size / 16) }, (_, index) => Math.min(16, size - 16 * index))
    })
    expect(chunks.map(({ length }) => length)).toEqual([...expected, 0])
    expect(reads.length).toBeGreaterThan(eventsIn(whole).length)
  },
  GENEROUS_MS,
)

test(
  'joined-events; size=3 sends three events in every packet',
  async () => {
    const server = await serve({ description: 'A test.', pace: { perToken: '5ms' } })
    const { chunks } = await pieces(server, 'joined-events; size=3')
    expect(chunks.map((chunk) => chunk.toString().match(/data: /g)?.length ?? 0)).toEqual([3, 3, 2, 0])
  },
  GENEROUS_MS,
)

test.each(['slow-drip; size=100; interval=1ms', 'bandwidth; rate=1000'])(
  '%s sends the body in pieces of 100 bytes at most',
  async (fault) => {
    const server = await serve()
    const body = { model: 'echo-1', messages: [{ role: 'user', content: 'Hi!' }] }
    const text = requestText({ body: JSON.stringify(body), headers: [CLOSE, `X-Mock-Fault: ${fault}`] })
    const { chunks } = await receive(server, text)
    const size = Buffer.byteLength(await wholeText(server, body))
    const full = Array(Math.floor(size / 100)).fill(100)
    expect(chunks.map(({ length }) => length)).toEqual([...full, size % 100, 0])
  },
  GENEROUS_MS,
)
