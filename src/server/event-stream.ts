/**
 * The event stream of the control plane: calls as they begin and end, the status of the mock, and what it is doing now,
 * as server-sent events.
 *
 * Slow watchers and fast mocks cost little: until it is sent a call is one number in a bounded set. A flush sends the
 * newest calls, each once, and how many can no longer be sent.
 */
import type { Response } from 'express'
import { summaryOf } from '../core/journal/call-details.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { Engine, InjectedFault, MockView } from '../engine/index.ts'
import { NowReader } from './now.ts'
import type { ScenarioFile } from './scenario-file.ts'

/** The most calls that wait to be sent; the page keeps as many. */
const MAX_PENDING = 10_000
const MAX_PER_FLUSH = 200
/** Of one session, or of the whole mock; and of all together. */
const MAX_WATCHERS = 20
const MAX_ALL_WATCHERS = 500
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
  /** The session that the stream is limited to; left out for the whole mock. */
  readonly session?: string
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
  /** The function that ends each connection, with its session. */
  readonly #watchers = new Map<() => void, string | undefined>()
  /** The readers of the sessions that somebody watches; pages that watch the same one share its reader. */
  readonly #readers = new Map<string | undefined, NowReader>()
  readonly #file: ScenarioFile | undefined

  /** @param heartbeatMs time between comments that keep the connection alive and detect a dead one. */
  constructor(engine: Engine, closing: AbortSignal, heartbeatMs = 15_000, file?: ScenarioFile) {
    this.#engine = engine
    this.#heartbeatMs = heartbeatMs
    this.#file = file
    closing.addEventListener('abort', () => {
      for (const end of this.#watchers.keys()) end()
    })
  }

  /** True if no more pages can follow a session, or the whole mock. */
  isFullFor(session: string | undefined): boolean {
    const ofSession = [...this.#watchers.values()].filter((one) => one === session)
    return ofSession.length >= MAX_WATCHERS || this.#watchers.size >= MAX_ALL_WATCHERS
  }

  /** Answers a request with the event stream of a session, or of the whole mock. */
  watch(response: Response, session?: string): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies that buffer responses would delay the events.
      'x-accel-buffering': 'no',
    })
    const view = (): MockView => this.#engine.ofSession(session)
    const reader = this.#readers.get(session) ?? new NowReader(view)
    this.#readers.set(session, reader)
    const read = { status: () => this.#status(view(), session), now: () => reader.read() }
    const end = followCalls(this.#engine, view().journal, response, read, this.#heartbeatMs)
    this.#watchers.set(end, session)
    response.on('close', () => {
      this.#watchers.delete(end)
      if (![...this.#watchers.values()].includes(session)) this.#readers.delete(session)
      end()
    })
  }

  #status({ scenario, revision, states, faults }: MockView, session: string | undefined): MockStatus {
    const { storedLimits } = this.#engine
    return {
      scenario: scenario.name,
      revision,
      fileRevision: session === undefined ? (this.#file?.revision ?? 0) : 0,
      state: states.current ?? null,
      states: [...(scenario.states?.byName.keys() ?? [])],
      exampleKey: scenario.exampleKey,
      injected: faults.waiting,
      ...(session !== undefined && { session }),
      ...(storedLimits.isUsed && session === undefined && { storeProblem: storedLimits.problem ?? null }),
    }
  }
}

/** Sends calls and changes on one connection, until the returned function is called. */
function followCalls(
  engine: Engine,
  journal: MockView['journal'],
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
      const entry = journal.stored(number)?.toSummary()
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
  const noteOwn = (entry: Pick<JournalEntry, 'number' | 'session'>): void => {
    if (journal.has(entry)) note(entry.number)
  }
  const stops = [engine.onBegin(({ entry }) => noteOwn(entry)), engine.onExchange(noteOwn)]
  send('hello', { now: engine.clock.now(), time: Date.now() } satisfies Hello)
  sendChanged('status', 'now')
  for (const { number } of journal.find({}).slice(-MAX_PENDING)) pending.add(number)
  flush()
  return () => {
    for (const timer of timers) clearInterval(timer)
    for (const stop of stops) stop()
    response.end()
  }
}
