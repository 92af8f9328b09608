/** Bytes on a raw socket: a request as text, answers read one at a time. For tests and for programs without a test runner. */
import { connect, type Socket } from 'node:net'

/** What comes back on a raw socket. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Undefined when the text is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  readonly json: any
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

  /** Connects. */
  static async open({ port }: { readonly port: number }): Promise<Wire> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
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

  /**
   * The next answer; undefined when the other side closes before there is a whole one.
   * @param isToHead whether it answers a HEAD, and so has no body, whatever its head says.
   */
  async answer(isToHead = false): Promise<WireAnswer | undefined> {
    for (;;) {
      const found = readAnswer(this.#received, this.#isClosed, isToHead)
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

const GREETING = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello there!' }] })

/** A request as text: `POST /v1/chat/completions` with a key and a body, and whatever headers come on top. */
export function requestText({
  method = 'POST',
  path = '/v1/chat/completions',
  host = '127.0.0.1',
  headers = [],
  body = GREETING,
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

function readAnswer(
  bytes: Buffer,
  isClosed: boolean,
  isToHead: boolean,
): { answer: WireAnswer; size: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const hasBody = !isToHead && status >= 200 && status !== 204 && status !== 304
  const body = hasBody ? readBody(bytes.subarray(end + 4), headers, isClosed) : NO_BODY
  if (body === undefined) return undefined
  const text = body.data.toString()
  return { answer: { status, headers, text, json: parsed(text) }, size: end + 4 + body.size }
}

const NO_BODY = { data: Buffer.alloc(0), size: 0 }

function readBody(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  isClosed: boolean,
): { data: Buffer; size: number } | undefined {
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
    if (Number.isNaN(length)) throw new Error(`A chunk has no size: ${bytes.subarray(place, place + 80).toString()}`)
    const start = lineEnd + 2
    if (bytes.length < start + length + 2) return undefined
    place = start + length + 2
    if (length === 0) return { data: Buffer.concat(parts), size: place }
    parts.push(bytes.subarray(start, start + length))
  }
}

/** The JSON of a text; undefined when it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
