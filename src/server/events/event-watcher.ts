/**
 * One connection of the event stream.
 *
 * Slow watchers and fast mocks cost little: until it is sent, a call is one number in a bounded set. A flush sends the
 * newest calls, each once, and how many can no longer be sent.
 */
import type { Response } from 'express'
import { summaryOf } from '../../core/journal/call-details.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import type { Engine, MockView } from '../../engine/index.ts'

/** The most calls that wait to be sent; the page keeps as many. */
const MAX_PENDING = 10_000
const MAX_PER_FLUSH = 200
const FLUSH_MS = 50
const NOW_MS = 1000

/** The mock's clock beside the system clock, at the same moment. */
export interface Hello {
  /** Milliseconds of the mock's clock. */
  readonly now: number
  /** Milliseconds since 1970. */
  readonly time: number
}

/** An event that is sent when its data has changed. */
type ChangingEvent = 'status' | 'now'

/** Sends calls and changes on one connection, from its creation until `end`. */
export class Watcher {
  readonly #engine: Engine
  readonly #view: MockView
  readonly #response: Response
  /** Reads the data of an event as it is now. */
  readonly #read: Readonly<Record<ChangingEvent, () => object>>
  /** The numbers of the calls that wait to be sent, the newest last. */
  readonly #pending = new Set<number>()
  /** The number of calls since the last flush that can no longer be sent: too many wait, or the journal has dropped them. */
  #missed = 0
  /** The data that each event had when it was sent last, as JSON. */
  readonly #lastSent = new Map<ChangingEvent, string>()
  readonly #timers: readonly ReturnType<typeof setInterval>[]
  /** The functions that remove its listeners. */
  readonly #stops: readonly (() => void)[]

  constructor(
    engine: Engine,
    view: MockView,
    response: Response,
    read: Readonly<Record<ChangingEvent, () => object>>,
    heartbeatMs: number,
  ) {
    this.#engine = engine
    this.#view = view
    this.#response = response
    this.#read = read
    const every = (ms: number, run: () => void) =>
      setInterval(() => engine.bugs.guard('send events to the page', run), ms)
    this.#timers = [
      every(FLUSH_MS, () => this.#flush()),
      every(NOW_MS, () => this.#sendChanged('now')),
      // Keeps the connection alive, and fails on a dead one.
      every(heartbeatMs, () => {
        if (!response.writableNeedDrain) response.write(': heartbeat\n\n')
      }),
    ]
    this.#stops = [
      engine.begun.add(({ entry }) => this.#note(entry)),
      engine.finished.add((entry) => this.#note(entry)),
    ]
    this.#send('hello', { now: engine.clock.now(), time: Date.now() } satisfies Hello)
    this.#sendChanged('status', 'now')
    for (const { number } of view.calls.slice(-MAX_PENDING)) this.#pending.add(number)
    this.#flush()
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const stop of this.#stops) stop()
    this.#response.end()
  }

  /** Notes a call that has to be sent, if it is one of those that are watched. */
  #note(entry: Pick<JournalEntry, 'number' | 'session'>): void {
    if (!this.#view.has(entry)) return
    // An updated call counts as one of the newest.
    this.#pending.delete(entry.number)
    this.#pending.add(entry.number)
    if (this.#pending.size <= MAX_PENDING) return
    const oldest = this.#pending.values().next().value as number
    this.#pending.delete(oldest)
    this.#missed++
  }

  /** Sends the pending calls and the status if it has changed, unless the connection is still busy. */
  #flush(): void {
    if (this.#response.writableNeedDrain) return
    // The newest first: a page that has just connected shows those.
    for (const number of [...this.#pending].slice(-MAX_PER_FLUSH)) {
      this.#pending.delete(number)
      const entry = this.#view.call(number)?.toSummary()
      if (entry === undefined) this.#missed++
      else this.#send('call', summaryOf(entry, this.#engine.clock.speed))
    }
    if (this.#missed > 0) this.#send('missed', { calls: this.#missed })
    this.#missed = 0
    this.#sendChanged('status')
  }

  /** Sends those of these events whose data has changed. */
  #sendChanged(...events: readonly ChangingEvent[]): void {
    for (const event of events) {
      if (this.#response.writableNeedDrain) return
      const data = this.#read[event]()
      const text = JSON.stringify(data)
      if (text !== this.#lastSent.get(event)) this.#send(event, data)
      this.#lastSent.set(event, text)
    }
  }

  #send(event: string, data: object): void {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
