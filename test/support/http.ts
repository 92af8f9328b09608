/** Makers for tests over HTTP: a server that closes with its test, calls by fetch, and raw bytes on a socket. */
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { createMock, type Mock, type MockOptions, type ScenarioChoice } from '../../src/index.ts'
import { type ListenOptions, listen, type MockServer } from '../../src/node.ts'

export const HELLO = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello there!' }] }
export const TEXT = { model: 'hash-1', input: 'Hello there!' }
export const CHAT_PATH = '/v1/chat/completions'
export const EMBEDDINGS_PATH = '/v1/embeddings'

/** Time-outs here are only to end a test that hangs. */
export const GENEROUS_MS = 30_000

export interface Served extends MockServer {
  readonly mock: Mock
  /** Scheme, host and port. */
  readonly origin: string
}

/** Serves a mock on any free port until the test is over. */
export async function serve(
  choice: ScenarioChoice = 'default',
  { listen: listening = {}, ...options }: MockOptions & { readonly listen?: ListenOptions } = {},
): Promise<Served> {
  const mock = createMock(choice, options)
  const server = await listen(mock, { port: 0, host: '127.0.0.1', ...listening })
  onTestFinished(() => server.close(0))
  return Object.assign(server, { mock, origin: `http://127.0.0.1:${server.port}` })
}

export interface HttpCall {
  readonly method?: string
  readonly path?: string
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** '' for none. */
  readonly key?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined when the text is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  readonly json: any
}

/** One call to a server, by fetch; a greeting unless told otherwise. */
export async function call({ origin }: { readonly origin: string }, overrides: HttpCall = {}): Promise<HttpAnswer> {
  const { path = CHAT_PATH, key = 'sk-test', headers = {} } = overrides
  const { body = path === CHAT_PATH ? HELLO : undefined } = overrides
  const { method = body === undefined ? 'GET' : 'POST' } = overrides
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return answerOf(response)
}

export async function answerOf(response: Response): Promise<HttpAnswer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

/** A normal call still gets a normal answer: what must be true after anything that was done to a server. */
export async function stillAnswers(server: { readonly origin: string }): Promise<void> {
  const { status, json } = await call(server, { key: 'sk-still-there' })
  expect(status).toBe(200)
  expect(json.choices[0].message.content).toBe('Hello there!')
}

/** The error of an answer, after a look at the envelope: four fields, all of them always there. */
export function errorIn({ json, text }: Pick<HttpAnswer, 'json' | 'text'>): {
  message: string
  type: string
  param: string | null
  code: string | null
} {
  expect(json, `no envelope: '${text}'`).toEqual({ error: expect.any(Object) })
  expect(Object.keys(json.error)).toEqual(['message', 'type', 'param', 'code'])
  expect(json.error.message).toEqual(expect.any(String))
  expect(json.error.type).toEqual(expect.any(String))
  return json.error
}

/** What comes back on a raw socket. */
export interface WireAnswer extends Omit<HttpAnswer, 'headers'> {
  readonly headers: Readonly<Record<string, string>>
}

/** A raw socket to a server: bytes go out as they are written, answers are read one at a time. */
export class Wire {
  readonly socket: Socket
  #received = Buffer.alloc(0)
  #isClosed = false
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    const closed = (): void => {
      this.#isClosed = true
      this.#wake()
    }
    socket.on('end', closed).on('close', closed).on('error', closed)
  }

  /** Connects; the socket is destroyed when the test is over. */
  static async open({ port }: { readonly port: number }): Promise<Wire> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    const wire = new Wire(socket)
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('error', () => resolve()))
    return wire
  }

  /** Writes and waits until it is handed on, or the other side has closed. */
  async send(data: string | Uint8Array): Promise<void> {
    if (this.socket.destroyed || !this.socket.writable) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.socket.off('close', done)
        resolve()
      }
      this.socket.once('close', done).write(data, done)
    })
  }

  /** The next answer; undefined when the other side closes before there is a whole one. */
  async answer(): Promise<WireAnswer | undefined> {
    for (;;) {
      const found = readAnswer(this.#received, this.#isClosed)
      if (found !== undefined) {
        this.#received = this.#received.subarray(found.size)
        return found.answer
      }
      if (this.#isClosed) return undefined
      await this.#more()
    }
  }

  /** Everything received and not read, once it has `text` in it or the other side has closed. */
  async until(text: string): Promise<string> {
    while (!this.#received.includes(text) && !this.#isClosed) await this.#more()
    return this.#received.toString()
  }

  /** Waits until the other side closes. */
  async closed(): Promise<void> {
    while (!this.#isClosed) await this.#more()
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

/** A request as text: `POST /v1/chat/completions` with a key and a body, and whatever headers come on top. */
export function requestText({
  method = 'POST',
  path = CHAT_PATH,
  host = '127.0.0.1',
  headers = [],
  body = JSON.stringify(HELLO),
}: {
  readonly method?: string
  readonly path?: string
  readonly host?: string
  readonly headers?: readonly string[]
  /** Without one, the caller says in headers how long it is. */
  readonly body?: string | null
} = {}): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Authorization: Bearer sk-test',
    'Content-Type: application/json',
    ...(body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

function readAnswer(bytes: Buffer, isClosed: boolean): { answer: WireAnswer; size: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = readBody(bytes.subarray(end + 4), headers, status, isClosed)
  if (body === undefined) return undefined
  const text = body.data.toString()
  return { answer: { status, headers, text, json: parsed(text) }, size: end + 4 + body.size }
}

function readBody(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  status: number,
  isClosed: boolean,
): { data: Buffer; size: number } | undefined {
  if (status < 200 || status === 204 || status === 304) return { data: Buffer.alloc(0), size: 0 }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes)
  const length = headers['content-length']
  if (length === undefined) return isClosed ? { data: bytes, size: bytes.length } : undefined
  const size = Number(length)
  return bytes.length < size ? undefined : { data: bytes.subarray(0, size), size }
}

function readChunks(bytes: Buffer): { data: Buffer; size: number } | undefined {
  const parts: Buffer[] = []
  let place = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', place)
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(bytes.subarray(place, lineEnd).toString('latin1'), 16)
    const start = lineEnd + 2
    if (bytes.length < start + length + 2) return undefined
    place = start + length + 2
    if (length === 0) return { data: Buffer.concat(parts), size: place }
    parts.push(bytes.subarray(start, start + length))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is sent byte by byte is answered with one of these statuses, an error in the envelope, and the server lives. */
export async function answersRaw(
  server: Served,
  request: string | Uint8Array,
  expected: readonly number[],
): Promise<void> {
  const wire = await Wire.open(server)
  await wire.send(request)
  const answer = await wire.answer()
  expect(answer, 'the connection was closed without an answer').toBeDefined()
  expect(expected).toContain(answer!.status)
  if (answer!.status >= 400) errorIn(answer!)
  await stillAnswers(server)
}
