/**
 * Paced streams as a client sees them: when each event came. The client is raw sockets in this process, on a core of its
 * own, and does little more than take the time.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BARE_SCRIPT, PROGRAM, type Server, startServer } from '../contenders.ts'

/** Times in milliseconds. */
export interface Pace {
  readonly first: number
  readonly next: number
  readonly tokens: number
}

/** The mock, and the bare server that it is measured against. */
export const PACED = ['bare-paced', 'mock'] as const
export type Paced = (typeof PACED)[number]

/** Runs a server whose streams have this pace. */
export async function withPaced<Value>(
  name: Paced,
  { first, next }: Pace,
  use: (server: Server) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-bench-'))
  const scenario = join(folder, 'paced.yaml')
  writeFileSync(scenario, `description: Paced streams.\npace: { firstToken: ${first}ms, perToken: ${next}ms }\n`)
  const server = await (name === 'mock'
    ? startServer(name, 'llm-api-mock', [PROGRAM, '--port', '0', '--log', 'none', '--scenario', scenario])
    : startServer(name, 'bare node:http, paced', [BARE_SCRIPT, 'paced', String(first), String(next)]))
  try {
    return await use(server)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const LIMIT_MS = 90_000
/** Connections that are made at once. */
const BATCH = 100

/** Streams on connections of their own, which `close` ends. */
export class PacedStreams {
  readonly #pace: Pace
  readonly #hostname: string
  readonly #port: number
  readonly #request: string
  readonly #sockets: Socket[] = []
  /** The events that have come, of all streams. */
  events = 0

  constructor({ url }: Server, pace: Pace) {
    this.#pace = pace
    const { hostname, port } = new URL(url)
    this.#hostname = hostname
    this.#port = Number(port)
    const content = Array(pace.tokens).fill('one').join(' ')
    const body = JSON.stringify({ model: 'echo-1', stream: true, messages: [{ role: 'user', content }] })
    this.#request =
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer sk-bench\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }

  /** Connects so many times; the next streams use these connections. */
  async connect(count: number): Promise<void> {
    for (let left = count; left > 0; left -= BATCH) {
      const batch = await Promise.all(
        Array.from({ length: Math.min(BATCH, left) }, () => opened(this.#port, this.#hostname)),
      )
      this.#sockets.push(...batch)
    }
  }

  /**
   * Starts a stream on each connection, spread over `spreadMs`, and resolves when all have ended.
   * @param seen is given how long after its request each event came, and when it was due.
   */
  async run(spreadMs: number, seen: (at: number, due: number, start: number) => void): Promise<void> {
    const limit = setTimeout(() => this.close(), LIMIT_MS)
    const count = this.#sockets.length
    const streams = this.#sockets.map(async (socket, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * spreadMs) / count))
      await this.#read(socket, seen)
    })
    try {
      await Promise.all(streams)
    } finally {
      clearTimeout(limit)
    }
  }

  /** Starts a stream on each connection, and resolves when each has sent its first event. */
  async begin(): Promise<void> {
    await Promise.all(
      this.#sockets.map(
        (socket) =>
          new Promise<void>((resolve, reject) => {
            socket.once('error', reject).once('data', () => resolve())
            socket.on('data', (data: Buffer) => {
              this.events += countEvents(data)
            })
            socket.write(this.#request)
          }),
      ),
    )
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #read(socket: Socket, seen: (at: number, due: number, start: number) => void): Promise<void> {
    // A role, the tokens, a finish and [DONE].
    const events = this.#pace.tokens + 3
    let count = 0
    const start = performance.now()
    socket.write(this.#request)
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`A paced stream ${why} after ${count} of ${events} events.`))
      socket.once('error', (error) => fail(`failed (${error.message})`))
      socket.once('close', () => fail('was closed'))
      socket.on('data', (data: Buffer) => {
        const at = performance.now() - start
        for (let left = countEvents(data); left > 0; left--) seen(at, this.#due(count++), start)
        if (count === events) resolve()
        else if (count > events) fail('went on')
      })
    })
  }

  /** The role comes with the first token, the finish and [DONE] with the last. */
  #due(event: number): number {
    const token = Math.min(Math.max(event - 1, 0), this.#pace.tokens - 1)
    return this.#pace.first + token * this.#pace.next
  }
}

function countEvents(data: Buffer): number {
  let events = 0
  for (let place = data.indexOf('data: '); place >= 0; place = data.indexOf('data: ', place + 6)) events++
  return events
}

function opened(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}
