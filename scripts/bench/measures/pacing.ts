/**
 * A thousand paced streams at once: how far from its due time each event came, as the client sees it and as the mock
 * says it. A stream's due times count from when its request was written, so the client's figure has everything in it:
 * the network, the server's reading of the request, and the client's own lag.
 *
 * The server has sent as many streams before, so its code is compiled. While the streams begin, it decides a thousand calls
 * in a second; those events count apart.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM, type Server, startServer } from '../contenders.ts'
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
/** From then on every stream has sent its first token. */
const ALL_BEGUN_MS = START_MS + FIRST_TOKEN_MS + PER_TOKEN_MS

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
    await readStreams(server.url, STREAMS)
    await reset(server)
    let begin: ReportedErrors | undefined
    const errors = await readStreams(server.url, STREAMS, async () => {
      begin = await reportedErrors(server)
      await reset(server)
    })
    const { timing } = await (await fetch(new URL('/_mock/report', server.url))).json()
    if (!timing.valid) warn(`Pacing: the mock itself says '${timing.verdict}'`)
    return [...resultsOf('', errors.steady, timing.errorMs), ...resultsOf(' while streams begin', errors.begin, begin!)]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ReportedErrors {
  readonly p50: number
  readonly p99: number
}

function resultsOf(when: string, seen: readonly number[], reported: ReportedErrors): readonly Result[] {
  const client = { contender: 'client', label: 'as a client sees it', unit: 'ms' } as const
  const mock = { contender: 'mock', label: 'as the mock reports it', unit: 'ms' } as const
  return ([50, 99] as const).flatMap((rank) => [
    { measure: `pacing error p${rank}${when}`, ...client, samples: [percentile(seen, rank)] },
    { measure: `pacing error p${rank}${when}`, ...mock, samples: [reported[`p${rank}`]] },
  ])
}

const reset = (server: Server): Promise<Response> => fetch(new URL('/_mock/reset', server.url), { method: 'POST' })

/** From the metrics: a report reads the whole journal, which would hold up the streams. */
async function reportedErrors(server: Server): Promise<ReportedErrors> {
  const metrics = await (await fetch(new URL('/_mock/metrics', server.url))).text()
  const value = (name: string): number =>
    1000 * Number(new RegExp(`^llm_api_mock_pacing_error_${name}_seconds (.*)$`, 'm').exec(metrics)?.[1])
  return { p50: value('p50'), p99: value('p99') }
}

/** The errors of events in ms: of those due until all streams have begun, and of those after. */
interface Errors {
  readonly begin: number[]
  readonly steady: number[]
}

/**
 * Opens so many connections, then starts a stream on each, spread over the start.
 * @param allBegun is called when every stream should have sent its first token.
 */
async function readStreams(url: string, count: number, allBegun?: () => Promise<void>): Promise<Errors> {
  const { port, hostname } = new URL(url)
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(Number(port), hostname)))
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const limit = setTimeout(closeAll, LIMIT_MS)
  const errors: Errors = { begin: [], steady: [] }
  const start = performance.now()
  const streams = sockets.map(async (socket, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * START_MS) / count))
    await readStream(socket, start, errors)
  })
  try {
    await new Promise((resolve) => setTimeout(resolve, ALL_BEGUN_MS))
    await allBegun?.()
    await Promise.all(streams)
    return errors
  } finally {
    clearTimeout(limit)
    closeAll()
  }
}

export function opened(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends the call on a raw socket, so that the client takes as little of the time as it can. */
function readStream(socket: Socket, allStart: number, errors: Errors): Promise<void> {
  let count = 0
  const start = performance.now()
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer sk-bench\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(CALL)}\r\n\r\n${CALL}`,
  )
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`A paced stream ${why} after ${count} of ${EVENTS} events.`))
    socket.once('error', (error) => fail(`failed (${error.message})`))
    socket.once('close', () => fail(`was closed, at the latest by the limit of ${LIMIT_MS} ms,`))
    socket.on('data', (data: Buffer) => {
      const at = performance.now() - start
      for (let place = data.indexOf('data: '); place >= 0; place = data.indexOf('data: ', place + 6)) {
        const due = dueMs(count++)
        const isSteady = start + due >= allStart + ALL_BEGUN_MS
        errors[isSteady ? 'steady' : 'begin'].push(Math.abs(at - due))
      }
      if (count === EVENTS) resolve()
      else if (count > EVENTS) fail('went on')
    })
  })
}

/** The role comes with the first token, the finish and [DONE] with the last. */
function dueMs(event: number): number {
  const token = Math.min(Math.max(event - 1, 0), TOKENS - 1)
  return FIRST_TOKEN_MS + token * PER_TOKEN_MS
}
