/**
 * The leaps of a run: virtual time of a process that calls the mock, and of the mock. The process asks when it waits for
 * nothing but timers. Both leap if the mock has nothing to say before then. Time is real until the first fault, and while
 * several processes call the mock.
 */

import diagnostics from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import type { Engine, Exchange } from '../../engine/index.ts'
import type { LeapingClock } from '../../play/index.ts'

const { url: here } = import.meta
/** The time after the end of an answer in which its client may not have read it, in milliseconds. */
const QUIET_MS = 10
/** The time after which a process that nothing can wake hangs, in milliseconds. */
const HANG_MS = 2000
const MIN_LEAP_MS = 20
/** As in a hunt in process. */
const MAX_VIRTUAL_MS = 86_400_000

export interface LeapLimits {
  readonly mockPort: number
  /** The most time of a run, real or virtual. Default: a day. */
  readonly maxMs?: number | undefined
}

export class Leaps {
  readonly #clock: LeapingClock
  readonly #limits: LeapLimits
  readonly #server = createServer((caller) => this.#answer(caller))
  readonly #callers = new Set<Socket>()
  readonly #open = new Set<Exchange>()
  readonly #tooLong = new AbortController()
  readonly #startedAt: number
  /** Requests that have arrived and are not decided: their bodies are read. */
  #arriving = 0
  #hasFault = false
  #changedAt = 0

  constructor(engine: Engine, clock: LeapingClock, limits: LeapLimits) {
    this.#clock = clock
    this.#limits = limits
    this.#startedAt = clock.now()
    engine.onBegin((exchange) => {
      this.#changedAt = performance.now()
      this.#arriving--
      this.#hasFault ||= exchange.entry.fault !== undefined
      this.#open.add(exchange)
    })
    engine.onExchange(() => {
      this.#changedAt = performance.now()
    })
  }

  /** Aborts, with the reason as a sentence, when the run has taken too much time or hangs. */
  get signal(): AbortSignal {
    return this.#tooLong.signal
  }

  /** Returns the environment with which Node processes have virtual time. */
  async open(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
    // Tests of the sources have no built file.
    if (here.endsWith('.ts')) return env
    diagnostics.subscribe('http.server.request.start', this.#arrive)
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as { port: number }
    const load = `--import=${new URL('../hunt/child-time.js', here)}`
    return {
      ...env,
      NODE_OPTIONS: [load, env.NODE_OPTIONS].filter(Boolean).join(' '),
      API_MOCK_HUNT_TIME: `${port}:${this.#limits.mockPort}`,
    }
  }

  close(): void {
    diagnostics.unsubscribe('http.server.request.start', this.#arrive)
    for (const caller of this.#callers) caller.destroy()
    this.#server.close()
  }

  readonly #arrive = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }
    if (socket.localPort === this.#limits.mockPort) this.#arriving++
  }

  /** Answers each question, the milliseconds until the next timer, with the milliseconds to leap. */
  #answer(caller: Socket): void {
    this.#callers.add(caller)
    caller.setNoDelay().on('error', () => {})
    caller.on('close', () => this.#callers.delete(caller))
    caller.on('data', (question) => {
      // First what has arrived before.
      setImmediate(() => setImmediate(() => caller.write(`${this.#leap(Number(question))}\n`)))
    })
  }

  #leap(dueMs: number): number {
    for (const exchange of this.#open) if (exchange.isEnded) this.#open.delete(exchange)
    const quietMs = performance.now() - this.#changedAt
    const playing = [...this.#open].filter((exchange) => !isStalled(exchange))
    const isBusy = this.#callers.size > 1 || this.#arriving > 0 || quietMs < QUIET_MS
    if (!this.#hasFault || isBusy || playing.length > this.#clock.waits) return 0
    const ms = Math.min(dueMs, this.#clock.nextMs)
    if (ms < MIN_LEAP_MS) return 0
    const { maxMs } = this.#limits
    const passedMs = (this.#clock.now() - this.#startedAt) / this.#clock.speed
    if (ms === Number.POSITIVE_INFINITY) {
      if (quietMs > HANG_MS) this.#tooLong.abort('It hangs: no timer can wake it. Give its client a time-out.')
      return 0
    }
    if (passedMs + ms > (maxMs ?? MAX_VIRTUAL_MS)) {
      this.#tooLong.abort(
        maxMs === undefined
          ? 'It had not ended after a day of virtual time.'
          : `It did not end within ${Math.round(maxMs / 1000)} s.`,
      )
      return 0
    }
    this.#clock.leap(ms)
    return ms
  }
}

/** True if its answer stops and never goes on. */
const isStalled = ({ entry }: Exchange): boolean => {
  const last = entry.timeline?.at(-1)
  return last?.type === 'stall' && last.atMs !== undefined
}
