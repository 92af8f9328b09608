/**
 * The leaps of a run: virtual time of a process that calls the mock, and of the mock.
 *
 * The process, which has loaded `child-time.ts`, connects to a port of this file. When it waits for nothing but timers, it
 * writes a line with the milliseconds until the next one, such as `2000`. The answer is a line with the milliseconds that both
 * leap: `2000`, fewer if the mock has something to say before then, or `0`. Time is real until the first fault, and while
 * several processes call the mock.
 */
import diagnostics from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import type { Engine, Exchange } from '../../engine/index.ts'
import type { LeapingClock } from './leaping-clock.ts'

/** The address of this file: of its bundle, or of its source in tests. */
const { url: here } = import.meta
/** The time after the end of an answer in which its client may not have read it, in milliseconds. */
const QUIET_MS = 10
/** The time after which a process that nothing can wake hangs, in milliseconds. */
const HANG_MS = 2000
/** A shorter wait takes its real time. */
const MIN_LEAP_MS = 20
/** A day, as in a hunt in process. */
const MAX_VIRTUAL_MS = 86_400_000

interface LeapOptions {
  readonly mockPort: number
  /** The most time of a run, real or virtual. Default: a day. */
  readonly maxMs?: number | undefined
  /** Called with the reason as a sentence when the run has taken too much time or hangs. */
  readonly stop: (reason: string) => void
}

/** Lets a run leap. Returns the environment with which Node processes have virtual time, and a function that ends it. */
export async function openLeaps(
  engine: Engine,
  clock: LeapingClock,
  env: NodeJS.ProcessEnv,
  { mockPort, maxMs, stop }: LeapOptions,
): Promise<{ readonly env: NodeJS.ProcessEnv; readonly close: () => void }> {
  // Tests of the sources have no built file.
  if (here.endsWith('.ts')) return { env, close: () => {} }
  /** The processes that call the mock. */
  const callers = new Set<Socket>()
  const openExchanges = new Set<Exchange>()
  const startedAt = clock.now()
  /** Requests that have arrived and are not decided: their bodies are read. */
  let arriving = 0
  let hasFault = false
  /** The time at which a call last began or ended. */
  let changedAt = 0
  engine.begun.add((exchange) => {
    changedAt = performance.now()
    arriving--
    hasFault ||= exchange.entry.fault !== undefined
    openExchanges.add(exchange)
  })
  engine.finished.add(() => {
    changedAt = performance.now()
  })

  /** Leaps up to the next timer of the process. Returns the milliseconds; 0 if neither may leap. */
  function leap(dueMs: number): number {
    for (const exchange of openExchanges) if (exchange.isEnded) openExchanges.delete(exchange)
    const quietMs = performance.now() - changedAt
    if (!hasFault || callers.size > 1 || arriving > 0 || quietMs < QUIET_MS) return 0
    // An answer that stalls never goes on. Any other one waits for the clock, or is sent now.
    const playing = [...openExchanges].filter(({ entry: { timeline = [] } }) => {
      const last = timeline.at(-1)
      return last?.type !== 'stall' || last.atMs === undefined
    })
    const isSending = playing.length > clock.waits
    if (isSending) return 0
    const ms = Math.min(dueMs, clock.nextMs)
    if (ms < MIN_LEAP_MS) return 0
    if (ms === Number.POSITIVE_INFINITY) {
      if (quietMs > HANG_MS) stop('It hangs: no timer can wake it. Give its client a time-out.')
      return 0
    }
    const passedMs = (clock.now() - startedAt) / clock.speed
    if (passedMs + ms > (maxMs ?? MAX_VIRTUAL_MS)) {
      const endless = 'It had not ended after a day of virtual time.'
      stop(maxMs === undefined ? endless : `It did not end within ${Math.round(maxMs / 1000)} s.`)
      return 0
    }
    clock.leap(ms)
    return ms
  }

  const server = createServer((caller) => {
    callers.add(caller)
    caller.setNoDelay().on('error', () => {})
    caller.on('close', () => callers.delete(caller))
    // Requests that have arrived before the question are read first, which takes two turns of the event loop.
    caller.on('data', (question) => setImmediate(() => setImmediate(() => caller.write(`${leap(Number(question))}\n`))))
  })
  const arrive = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }
    if (socket.localPort === mockPort) arriving++
  }
  diagnostics.subscribe('http.server.request.start', arrive)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  // The place of child-time.ts in `dist`.
  const load = `--import=${new URL('../hunt/child-time.js', here)}`
  const nodeOptions = [load, env.NODE_OPTIONS].filter(Boolean).join(' ')
  return {
    env: { ...env, NODE_OPTIONS: nodeOptions, API_MOCK_HUNT_TIME: `${port}:${mockPort}` },
    close() {
      diagnostics.unsubscribe('http.server.request.start', arrive)
      for (const caller of callers) caller.destroy()
      server.close()
    },
  }
}
