/**
 * The event stream of the control plane: calls as they begin and end, the status of the mock, and what it is doing now,
 * as server-sent events.
 *
 * Slow watchers and fast mocks cost little: until it is sent a call is one number in a bounded set. A flush sends the
 * newest calls, each once, and how many can no longer be sent.
 */
import type { Response } from 'express'
import { summaryOf } from '../core/journal/call-details.ts'
import type { Engine, InjectedFault } from '../engine/index.ts'
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
    const read = (event: 'status' | 'now') => (event === 'now' ? this.#now.read() : this.#status())
    const watcher = new Watcher(this.#engine, response, read, this.#heartbeatMs)
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
  readonly #read: (event: 'status' | 'now') => object
  readonly #pending = new Set<number>()
  #missed = 0
  readonly #lastSent = new Map<string, string>()
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #stopListening: readonly (() => void)[]

  constructor(engine: Engine, response: Response, read: (event: 'status' | 'now') => object, heartbeatMs: number) {
    this.#engine = engine
    this.#response = response
    this.#read = read
    // True if the connection has been busy since the last heartbeat.
    let isStuck = false
    response.on('drain', () => {
      isStuck = false
    })
    const guard = (run: () => void) => () => engine.bugs.guard('send events to the page', run)
    const flush = guard(() => this.#flush())
    const sendChanged = guard(() => this.#sendChanged('status', 'now'))
    // Keeps the connection alive, or breaks it when its reader has taken nothing since the last heartbeat.
    const beat = (): void => {
      if (isStuck) response.destroy()
      else response.write(': heartbeat\n\n')
      isStuck = response.writableNeedDrain
    }
    this.#timers = [setInterval(flush, FLUSH_MS), setInterval(sendChanged, STATUS_MS), setInterval(beat, heartbeatMs)]
    this.#stopListening = [
      engine.onBegin(({ entry }) => this.#note(entry.number)),
      engine.onExchange(({ number }) => this.#note(number)),
    ]
    this.#send('hello', { now: engine.clock.now(), time: Date.now() } satisfies Hello)
    this.#sendChanged('status', 'now')
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

  #sendChanged(...events: readonly ('status' | 'now')[]): void {
    for (const event of events) {
      if (this.#response.writableNeedDrain) return
      const data = this.#read(event)
      const text = JSON.stringify(data)
      if (text === this.#lastSent.get(event)) continue
      this.#lastSent.set(event, text)
      this.#send(event, data)
    }
  }

  #send(event: string, data: object): void {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
