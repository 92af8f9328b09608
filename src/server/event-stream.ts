/**
 * The event stream of the control plane: calls as they begin and end, the status of the mock, and what it is doing now,
 * as server-sent events.
 *
 * Slow watchers and fast mocks cost little: until it is sent a call is one number in a bounded set. A flush sends the
 * newest calls, each once, and how many can no longer be sent.
 */
import type { Response } from 'express'
import { summaryOf } from '../core/journal/call-details.ts'
import type { Engine } from '../engine/engine.ts'
import type { InjectedFault } from '../engine/injection.ts'
import { NowReader } from './now.ts'

/** The most calls that wait to be sent; the page keeps as many. */
const MAX_PENDING = 10_000
const MAX_PER_FLUSH = 200
const MAX_WATCHERS = 20
const FLUSH_MS = 50
const STATUS_MS = 1000

/** The status of the mock, sent when it changes. */
export interface MockStatus {
  readonly scenario: string
  /** Increases each time a scenario is applied. */
  readonly revision: number
  /** Null for a scenario without states. */
  readonly state: string | null
  readonly states: readonly string[]
  readonly injected: readonly InjectedFault[]
}

/** The mock's clock beside the system clock. */
export interface Hello {
  /** The same moment in milliseconds of the mock's clock, and in milliseconds since 1970. */
  readonly now: number
  readonly time: number
}

/** The data of the events that are sent when it changes. */
type StatusReader = Readonly<Record<'status' | 'now', () => object>>

/** Streams events to watchers until they leave, or until `closing` aborts. */
export class EventStream {
  readonly #engine: Engine
  readonly #heartbeatMs: number
  readonly #watchers = new Set<Watcher>()
  readonly #now: NowReader
  #scenario: Engine['scenario']
  #revision = 1

  /** @param heartbeatMs time between comments that keep the connection alive and detect a dead one. */
  constructor(engine: Engine, closing: AbortSignal, heartbeatMs = 15_000) {
    this.#engine = engine
    this.#heartbeatMs = heartbeatMs
    this.#now = new NowReader(engine)
    this.#scenario = engine.scenario
    closing.addEventListener('abort', () => {
      for (const watcher of this.#watchers) watcher.end()
    })
  }

  get isFull(): boolean {
    return this.#watchers.size >= MAX_WATCHERS
  }

  /** Answers a request with the event stream. */
  watch(response: Response): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies that buffer responses would delay the events.
      'x-accel-buffering': 'no',
    })
    const reader = { status: () => this.#status(), now: () => this.#now.read() }
    const watcher = new Watcher(this.#engine, response, reader, this.#heartbeatMs)
    this.#watchers.add(watcher)
    response.on('close', () => {
      this.#watchers.delete(watcher)
      watcher.end()
    })
  }

  #status(): MockStatus {
    const { scenario, states, faults } = this.#engine
    if (scenario !== this.#scenario) {
      this.#scenario = scenario
      this.#revision++
    }
    return {
      scenario: scenario.name,
      revision: this.#revision,
      state: states.current ?? null,
      states: [...(scenario.states?.byName.keys() ?? [])],
      injected: faults.waiting,
    }
  }
}

/** One connection, and the calls still to be sent on it. */
class Watcher {
  readonly #engine: Engine
  readonly #response: Response
  readonly #reader: StatusReader
  readonly #pending = new Set<number>()
  #missed = 0
  readonly #lastSent = new Map<string, string>()
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #stopListening: readonly (() => void)[]
  /** Whether the connection has been busy since the last heartbeat. */
  #isStuck = false

  constructor(engine: Engine, response: Response, reader: StatusReader, heartbeatMs: number) {
    this.#engine = engine
    this.#response = response
    this.#reader = reader
    const send = (run: () => void) => () => engine.bugs.guard('send events to the page', run)
    this.#timers = [
      setInterval(
        send(() => this.#flush()),
        FLUSH_MS,
      ),
      setInterval(
        send(() => {
          this.#sendChanged('status')
          this.#sendChanged('now')
        }),
        STATUS_MS,
      ),
      setInterval(() => this.#beat(), heartbeatMs),
    ]
    this.#stopListening = [
      engine.onBegin(({ entry }) => this.#note(entry.number)),
      engine.onExchange(({ number }) => this.#note(number)),
    ]
    response.on('drain', () => {
      this.#isStuck = false
    })
    this.#send('hello', { now: engine.clock.now(), time: Date.now() } satisfies Hello)
    this.#sendChanged('status')
    this.#sendChanged('now')
    for (const { number } of engine.journal.find({}).slice(-MAX_PENDING)) this.#pending.add(number)
    this.#flush()
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const stop of this.#stopListening) stop()
    this.#response.end()
  }

  #note(number: number): void {
    // An updated call counts as one of the newest.
    this.#pending.delete(number)
    this.#pending.add(number)
    if (this.#pending.size <= MAX_PENDING) return
    this.#pending.delete(this.#pending.values().next().value as number)
    this.#missed++
  }

  /** Keeps the connection alive, or breaks it when its reader has taken nothing since the last heartbeat. */
  #beat(): void {
    if (this.#isStuck) this.#response.destroy()
    else this.#response.write(': heartbeat\n\n')
    this.#isStuck = this.#response.writableNeedDrain
  }

  /** Sends the pending calls, unless the connection is still busy. */
  #flush(): void {
    if (this.#pending.size === 0 || this.#response.writableNeedDrain) return
    // The newest first: a page that has just connected shows those.
    for (const number of [...this.#pending].slice(-MAX_PER_FLUSH)) {
      this.#pending.delete(number)
      const entry = this.#engine.journal.entry(number)
      if (entry === undefined) this.#missed++
      else this.#send('call', summaryOf(entry))
    }
    if (this.#missed > 0) this.#send('missed', { calls: this.#missed })
    this.#missed = 0
    this.#sendChanged('status')
  }

  #sendChanged(event: keyof StatusReader): void {
    if (this.#response.writableNeedDrain) return
    const data = this.#reader[event]()
    const text = JSON.stringify(data)
    if (text === this.#lastSent.get(event)) return
    this.#lastSent.set(event, text)
    this.#send(event, data)
  }

  #send(event: string, data: object): void {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
