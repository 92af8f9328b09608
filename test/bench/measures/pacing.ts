/**
 * A thousand paced streams at once: how far from its due time each event came, as the client sees it and as the mock
 * says it. A stream's due times count from when its request was written, so the client's figure has everything in it:
 * the network, the server's reading of the request, and the client's own lag.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM, startServer } from '../contenders.ts'
import { percentile, type Result } from '../results.ts'
import type { Bench } from './bench.ts'

const STREAMS = 1000
/** The streams begin one after the other within this time. */
const START_MS = 1000
const FIRST_TOKEN_MS = 500
const PER_TOKEN_MS = 50
const TOKENS = 60
/** A role, the tokens, a finish and [DONE]. */
const EVENTS = TOKENS + 3
const LIMIT_MS = 60_000

const SCENARIO = `description: Paced streams.
pace: { firstToken: ${FIRST_TOKEN_MS}ms, perToken: ${PER_TOKEN_MS}ms }
`
const CALL = JSON.stringify({
  model: 'echo-1',
  stream: true,
  messages: [{ role: 'user', content: Array(TOKENS).fill('one').join(' ') }],
})

export async function pacing({ progress, warn }: Bench): Promise<readonly Result[]> {
  progress(`pacing, ${STREAMS.toLocaleString('en')} streams`)
  const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-bench-'))
  const scenario = join(folder, 'paced.yaml')
  writeFileSync(scenario, SCENARIO)
  const args = [PROGRAM, '--port', '0', '--log', 'none', '--scenario', scenario]
  const server = await startServer('mock', 'llm-api-mock', args)
  try {
    await readStreams(server.url, 1)
    await fetch(new URL('/_mock/reset', server.url), { method: 'POST' })
    const errors = await readStreams(server.url, STREAMS)
    const { timing } = await (await fetch(new URL('/_mock/report', server.url))).json()
    if (!timing.valid) warn(`Pacing: the mock itself says '${timing.verdict}'`)
    const [p50, p99] = ['pacing error p50', 'pacing error p99']
    const seen = { contender: 'client', label: 'as a client sees it', unit: 'ms' } as const
    const told = { contender: 'mock', label: 'as the mock reports it', unit: 'ms' } as const
    return [
      { measure: p50!, ...seen, samples: [percentile(errors, 50)] },
      { measure: p50!, ...told, samples: [timing.errorMs.p50] },
      { measure: p99!, ...seen, samples: [percentile(errors, 99)] },
      { measure: p99!, ...told, samples: [timing.errorMs.p99] },
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens so many connections, then starts a stream on each, spread over the start; all their events' errors in ms. */
async function readStreams(url: string, count: number): Promise<readonly number[]> {
  const { port, hostname } = new URL(url)
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(Number(port), hostname)))
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const limit = setTimeout(closeAll, LIMIT_MS)
  const streams = sockets.map(async (socket, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * START_MS) / count))
    return readStream(socket)
  })
  try {
    return (await Promise.all(streams)).flat()
  } finally {
    clearTimeout(limit)
    closeAll()
  }
}

function opened(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends the call on a raw socket, so that the client takes as little of the time as it can. */
function readStream(socket: Socket): Promise<readonly number[]> {
  const errors: number[] = []
  const start = performance.now()
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer sk-bench\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(CALL)}\r\n\r\n${CALL}`,
  )
  return new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Error(`A paced stream ${why} after ${errors.length} of ${EVENTS} events.`))
    socket.once('error', (error) => fail(`failed (${error.message})`))
    socket.once('close', () => fail(`was closed, at the latest by the limit of ${LIMIT_MS} ms,`))
    socket.on('data', (data: Buffer) => {
      const at = performance.now() - start
      for (let place = data.indexOf('data: '); place >= 0; place = data.indexOf('data: ', place + 6)) {
        errors.push(Math.abs(at - dueMs(errors.length)))
      }
      if (errors.length === EVENTS) resolve(errors)
      else if (errors.length > EVENTS) fail('went on')
    })
  })
}

/** The role comes with the first token, the finish and [DONE] with the last. */
function dueMs(event: number): number {
  const token = Math.min(Math.max(event - 1, 0), TOKENS - 1)
  return FIRST_TOKEN_MS + token * PER_TOKEN_MS
}
