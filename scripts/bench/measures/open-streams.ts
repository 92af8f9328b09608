/**
 * What an open stream costs: the memory of a server with none, with 1,000 and with 5,000 open, each on a connection and
 * with a key of its own; and the processor time of an event, with 500 streams of 20 tokens per second.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM, startServer } from '../contenders.ts'
import { canObserve, coreUse } from '../processes.ts'
import type { Result } from '../results.ts'
import type { Bench } from './bench.ts'
import { settledMb } from './memory.ts'
import { opened } from './pacing.ts'

const COUNTS = [1000, 5000]
/** Connections that are made at once. */
const BATCH = 100
const TOKENS = 200
const FAST_STREAMS = 500
const FAST_MS = 50
const MEASURED_MS = 6000
const LABEL = 'llm-api-mock'

export async function openStreams({ progress, warn, rounds }: Bench): Promise<readonly Result[]> {
  if (!canObserve) {
    warn('Open streams are not measured: this system has no /proc.')
    return []
  }
  const memory = [0, ...COUNTS].map((): number[] => [])
  const eventUs: number[] = []
  for (let round = 1; round <= rounds; round++) {
    progress(`open streams, round ${round} of ${rounds}`)
    const measured = await measureMemory()
    for (const [index, mb] of measured.entries()) memory[index]!.push(mb)
    eventUs.push(await measureEvents())
  }
  return [
    ...memory.map((samples, index): Result => {
      const count = [0, ...COUNTS][index]!.toLocaleString('en')
      return { measure: `memory with ${count} open streams`, contender: 'mock', label: LABEL, unit: 'MB', samples }
    }),
    { measure: 'processor time of an event', contender: 'mock', label: LABEL, unit: 'us/event', samples: eventUs },
  ]
}

/** In MB, with no stream and with each count. Tokens are a minute apart, so that the streams stay open and rest. */
const measureMemory = (): Promise<readonly number[]> =>
  withMock(60_000, async (url, pid) => {
    const sockets: Socket[] = []
    try {
      // What the first call loads belongs to no stream.
      await open(url, sockets, 1)
      const measured = [await settledMb(pid)]
      for (const count of COUNTS) {
        await open(url, sockets, count - sockets.length)
        measured.push(await settledMb(pid))
      }
      return measured
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

const measureEvents = (): Promise<number> =>
  withMock(FAST_MS, async (url, pid) => {
    const sockets: Socket[] = []
    let events = 0
    try {
      await open(url, sockets, FAST_STREAMS, (data) => {
        for (let place = data.indexOf('data: '); place >= 0; place = data.indexOf('data: ', place + 6)) events++
      })
      const before = { events, ran: coreUse(pid).ranSeconds }
      await new Promise((resolve) => setTimeout(resolve, MEASURED_MS))
      return ((coreUse(pid).ranSeconds - before.ran) / (events - before.events)) * 1e6
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

async function withMock<Value>(perTokenMs: number, use: (url: string, pid: number) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-bench-'))
  const scenario = join(folder, 'slow.yaml')
  writeFileSync(scenario, `description: Slow streams.\npace: { firstToken: 0ms, perToken: ${perTokenMs}ms }\n`)
  const server = await startServer('mock', LABEL, [PROGRAM, '--port', '0', '--log', 'none', '--scenario', scenario])
  try {
    return await use(server.url, server.pid)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens more streams; each has begun when this returns. */
async function open(url: string, sockets: Socket[], count: number, read?: (data: Buffer) => void): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, left) }, () => begin(url, sockets, read))
    await Promise.all(batch)
  }
}

async function begin(url: string, sockets: Socket[], read?: (data: Buffer) => void): Promise<void> {
  const { port, hostname } = new URL(url)
  const socket = await opened(Number(port), hostname)
  sockets.push(socket)
  const content = Array.from({ length: TOKENS }, () => 'one').join(' ')
  const body = JSON.stringify({ model: 'echo-1', stream: true, messages: [{ role: 'user', content }] })
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer sk-bench-${sockets.length}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', () => resolve())
    if (read !== undefined) socket.on('data', read)
  })
}
