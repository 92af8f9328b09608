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
import type { ScenarioFile } from './scenario-file.ts'

/** The most calls that wait to be sent; the page keeps as many. */
const MAX_PENDING = 10_000
const MAX_PER_FLUSH = 200
const MAX_WATCHERS = 20
const FLUSH_MS = 50
const NOW_MS = 1000

/** The status of the mock, sent when it changes. */
export interface MockStatus {
  readonly scenario: string
  /** Increases each time a scenario is applied. */
  readonly revision: number
  /** Increases each time the scenario file changes; 0 without one. */
  readonly fileRevision: number
  /** Null for a scenario without states. */
  readonly state: string | null
  readonly states: readonly string[]
  /** A key that the scenario accepts. */
  readonly exampleKey: string
  readonly injected: readonly InjectedFault[]
  /** The store of limits: null while it answers, otherwise the reason. Only with one. */
  readonly storeProblem?: string | null
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
  readonly #watchers = new Set<() => void>()
  readonly #now: NowReader
  readonly #file: ScenarioFile | undefined
  #scenario: Engine['scenario']
  #revision = 1

  /** @param heartbeatMs time between comments that keep the connection alive and detect a dead one. */
  constructor(engine: Engine, closing: AbortSignal, heartbeatMs = 15_000, file?: ScenarioFile) {
    this.#engine = engine
    this.#heartbeatMs = heartbeatMs
    this.#file = file
    this.#now = new NowReader(engine)
    this.#scenario = engine.scenario
    closing.addEventListener('abort', () => {
      for (const end of this.#watchers) end()
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
    const read = { status: () => this.#status(), now: () => this.#now.read() }
    const end = followCalls(this.#engine, response, read, this.#heartbeatMs)
    this.#watchers.add(end)
    response.on('close', () => {
      this.#watchers.delete(end)
      end()
    })
  }

  #status(): MockStatus {
    const { scenario, states, faults, storedLimits } = this.#engine
    if (scenario !== this.#scenario) {
      this.#scenario = scenario
      this.#revision++
    }
    return {
      scenario: scenario.name,
      revision: this.#revision,
      fileRevision: this.#file?.revision ?? 0,
      state: states.current ?? null,
      states: [...(scenario.states?.byName.keys() ?? [])],
      exampleKey: scenario.exampleKey,
      injected: faults.waiting,
      ...(storedLimits.isUsed && { storeProblem: storedLimits.problem ?? null }),
    }
  }
}

/** Sends calls and changes on one connection, until the returned function is called. */
function followCalls(
  engine: Engine,
  response: Response,
  read: Readonly<Record<'status' | 'now', () => object>>,
  heartbeatMs: number,
): () => void {
  /** The calls still to be sent. */
  const pending = new Set<number>()
  let missed = 0
  const send = (event: string, data: object): void => {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const note = (number: number): void => {
    // An updated call counts as one of the newest.
    pending.delete(number)
    pending.add(number)
    if (pending.size <= MAX_PENDING) return
    pending.delete(pending.values().next().value as number)
    missed++
  }
  const lastSent = new Map<string, string>()
  const sendChanged = (...events: readonly ('status' | 'now')[]): void => {
    for (const event of events) {
      if (response.writableNeedDrain) return
      const data = read[event]()
      const text = JSON.stringify(data)
      if (text !== lastSent.get(event)) send(event, data)
      lastSent.set(event, text)
    }
  }
  /** Sends the pending calls and the status if it has changed, unless the connection is still busy. */
  const flush = (): void => {
    if (response.writableNeedDrain) return
    // The newest first: a page that has just connected shows those.
    for (const number of [...pending].slice(-MAX_PER_FLUSH)) {
      pending.delete(number)
      const entry = engine.journal.summary(number)
      if (entry === undefined) missed++
      else send('call', summaryOf(entry, engine.clock.speed))
    }
    if (missed > 0) send('missed', { calls: missed })
    missed = 0
    sendChanged('status')
  }
  // True if the connection has been busy since the last heartbeat.
  let isStuck = false
  response.on('drain', () => {
    isStuck = false
  })
  // Keeps the connection alive, or breaks it when its reader has taken nothing since the last heartbeat.
  const beat = (): void => {
    if (isStuck) response.destroy()
    else response.write(': heartbeat\n\n')
    isStuck = response.writableNeedDrain
  }
  const guard = (run: () => void) => () => engine.bugs.guard('send events to the page', run)
  const timers = [
    setInterval(guard(flush), FLUSH_MS),
    setInterval(
      guard(() => sendChanged('now')),
      NOW_MS,
    ),
    setInterval(beat, heartbeatMs),
  ]
  const stops = [engine.onBegin(({ entry }) => note(entry.number)), engine.onExchange(({ number }) => note(number))]
  send('hello', { now: engine.clock.now(), time: Date.now() } satisfies Hello)
  sendChanged('status', 'now')
  for (const { number } of engine.journal.find({}).slice(-MAX_PENDING)) pending.add(number)
  flush()
  return () => {
    for (const timer of timers) clearInterval(timer)
    for (const stop of stops) stop()
    response.end()
  }
}
