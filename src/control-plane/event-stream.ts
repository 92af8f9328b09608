/**
 * The event stream of the control plane: calls as they begin and end, and what is in force, as server-sent events.
 *
 * A watcher that is slow, or a mock that is fast, costs little: a call is one number in a bounded set until the next
 * flush, which tells the newest ones, each once, and how many it left out.
 */
import type { Response } from 'express'
import { summaryOf } from '../core/journal/call-details.ts'
import type { Engine } from '../engine/engine.ts'

/** How many calls are told at first, and how many at most between two flushes. */
const BACKLOG = 200
const MAX_PENDING = 200
const MAX_WATCHERS = 20
const FLUSH_MS = 50
const STATUS_MS = 1000

/** What is in force, told when it changes. */
export interface MockStatus {
  readonly scenario: string
  /** Goes up each time a scenario is put in force. */
  readonly revision: number
  /** Null in a scenario without states. */
  readonly state: string | null
  readonly states: readonly string[]
  readonly injected: Engine['injected']
}

/** Where the times of calls stand beside those of the world. */
export interface Hello {
  /** Milliseconds of the mock's clock, and of the world's since 1970, at the same moment. */
  readonly now: number
  readonly time: number
}

export interface EventStreamSettings {
  /** How often a line is sent that says nothing, so that a connection that died is noticed. Default: 15,000 ms. */
  readonly heartbeatMs?: number
}

/** Takes watchers in; each is told until it leaves, or until `closing` aborts. */
export class EventStream {
  readonly #engine: Engine
  readonly #heartbeatMs: number
  readonly #watchers = new Set<Watcher>()
  #scenario: Engine['scenario']
  #revision = 1

  constructor(engine: Engine, closing: AbortSignal, { heartbeatMs = 15_000 }: EventStreamSettings = {}) {
    this.#engine = engine
    this.#heartbeatMs = heartbeatMs
    this.#scenario = engine.scenario
    const note = (number: number): void => {
      for (const watcher of this.#watchers) watcher.note(number)
    }
    const stops = [engine.onBegin(({ entry }) => note(entry.number)), engine.onExchange(({ number }) => note(number))]
    closing.addEventListener('abort', () => {
      for (const stop of stops) stop()
      for (const watcher of this.#watchers) watcher.end()
    })
  }

  get isFull(): boolean {
    return this.#watchers.size >= MAX_WATCHERS
  }

  /** Answers a request with the stream. */
  watch(response: Response): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies that gather answers would show calls late.
      'x-accel-buffering': 'no',
    })
    const watcher = new Watcher(this.#engine, response, () => this.#status(), this.#heartbeatMs)
    this.#watchers.add(watcher)
    response.on('close', () => {
      this.#watchers.delete(watcher)
      watcher.end()
    })
  }

  #status(): MockStatus {
    const { scenario, state, injected } = this.#engine
    if (scenario !== this.#scenario) {
      this.#scenario = scenario
      this.#revision++
    }
    return {
      scenario: scenario.name,
      revision: this.#revision,
      state: state ?? null,
      states: [...(scenario.states?.byName.keys() ?? [])],
      injected,
    }
  }
}

/** One connection, and what it has yet to be told. */
class Watcher {
  readonly #engine: Engine
  readonly #response: Response
  readonly #status: () => MockStatus
  #pending = new Set<number>()
  #missed = 0
  #lastStatus = ''
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(engine: Engine, response: Response, status: () => MockStatus, heartbeatMs: number) {
    this.#engine = engine
    this.#response = response
    this.#status = status
    this.#timers = [
      setInterval(() => this.#flush(), FLUSH_MS),
      setInterval(() => this.#tellStatus(), STATUS_MS),
      setInterval(() => response.write(': still here\n\n'), heartbeatMs),
    ]
    this.#send('hello', { now: engine.clock.now(), time: Date.now() } satisfies Hello)
    this.#tellStatus()
    for (const entry of engine.journal.slice(-BACKLOG)) this.#send('call', summaryOf(entry))
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#response.end()
  }

  note(number: number): void {
    // What is told again has its place among the newest.
    this.#pending.delete(number)
    this.#pending.add(number)
    if (this.#pending.size <= MAX_PENDING) return
    this.#pending.delete(this.#pending.values().next().value as number)
    this.#missed++
  }

  /** Tells what is pending, unless the watcher has yet to take what it was told before. */
  #flush(): void {
    if (this.#pending.size === 0 || this.#response.writableNeedDrain) return
    const numbers = this.#pending
    this.#pending = new Set()
    for (const number of numbers) {
      const entry = this.#engine.entry(number)
      if (entry !== undefined) this.#send('call', summaryOf(entry))
    }
    if (this.#missed > 0) this.#send('missed', { calls: this.#missed })
    this.#missed = 0
    this.#tellStatus()
  }

  #tellStatus(): void {
    if (this.#response.writableNeedDrain) return
    const status = this.#status()
    const text = JSON.stringify(status)
    if (text === this.#lastStatus) return
    this.#lastStatus = text
    this.#send('status', status)
  }

  #send(event: string, data: object): void {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
