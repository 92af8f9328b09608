/** The primary's side of one worker: decides the worker's calls and keeps the journal of what the worker reports. */

import { packPlan } from '../core/journal/packed-plan.ts'
import { headOf, type PlanEvent } from '../core/plan/plan.ts'
import { CALL_HEADERS } from '../core/request/decisive-headers.ts'
import type { Engine } from '../engine/engine.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { Percentiles } from '../engine/timing/duration-histogram.ts'
import type { CallMessage, FailureMessage, FromPrimary, Note, PlanMessage, Report } from './messages.ts'

// Kept here because a test may install fake timers.
const { setImmediate } = globalThis

export class WorkerSession {
  /** The lag of the worker's event loop, from its last report. */
  lag: Percentiles | undefined
  readonly #engine: Engine
  readonly #send: (message: FromPrimary) => void
  /** Calls that are decided at the end of this turn of the event loop. */
  #pendingCalls: CallMessage[] = []
  /** Decided calls that have not ended, by the worker's number for them. */
  readonly #open = new Map<number, Exchange>()
  /** Resolves each `sync` that the worker has not answered. */
  readonly #syncs = new Map<number, () => void>()
  #lastSync = 0
  #isClosed = false

  constructor(engine: Engine, send: (message: FromPrimary) => void) {
    this.#engine = engine
    this.#send = send
  }

  /** Handles a report of the worker. */
  receive({ calls, notes, late, lag, synced }: Report): void {
    for (const lateMs of late) this.#engine.timing.record(lateMs)
    this.lag = lag ?? this.lag
    for (const note of notes) this.#applyNote(note)
    const ids = notes.filter(([, what]) => what === 'ending').map(([id]) => id)
    if (ids.length > 0) this.#send({ type: 'settled', ids })
    if (calls.length > 0) this.#enqueue(calls)
    if (synced !== undefined) this.#resolveSync(synced)
  }

  /** Resolves when the worker has reported everything it knows now. */
  sync(): Promise<void> {
    const syncId = ++this.#lastSync
    return new Promise((resolve) => {
      this.#syncs.set(syncId, resolve)
      this.#send({ type: 'sync', syncId })
    })
  }

  /** Ends all open calls, because the worker has ended. Returns how many there were. */
  close(): number {
    this.#isClosed = true
    const count = this.#open.size
    for (const exchange of this.#open.values()) exchange.end('client-left')
    this.#open.clear()
    for (const syncId of [...this.#syncs.keys()]) this.#resolveSync(syncId)
    return count
  }

  /** Calls of several messages are decided together, so that their plans travel in one message. */
  #enqueue(calls: readonly CallMessage[]): void {
    if (this.#pendingCalls.length === 0) setImmediate(() => this.#decideAll())
    this.#pendingCalls.push(...calls)
  }

  #decideAll(): void {
    const calls = this.#pendingCalls
    this.#pendingCalls = []
    const plans: (PlanMessage | FailureMessage)[] = []
    for (const call of calls) {
      const answer = this.#decide(call)
      if (answer instanceof Promise) answer.then((plan) => this.#send({ type: 'plans', plans: [plan] }))
      else plans.push(answer)
    }
    if (plans.length > 0) this.#send({ type: 'plans', plans })
  }

  #decide([id, method, path, query, body, ...headers]: CallMessage):
    | PlanMessage
    | FailureMessage
    | Promise<PlanMessage | FailureMessage> {
    const { bodyLimit, clock } = this.#engine
    const fail = (error: unknown): FailureMessage => [id, (error as Error)?.stack ?? String(error)]
    try {
      const begun = this.#engine.begin({
        method,
        path,
        query,
        header: (name) => headers[CALL_HEADERS.indexOf(name)],
        body,
        bodyLimit,
        now: clock.now(),
        speed: clock.speed,
        transport: 'http',
      })
      return begun instanceof Promise
        ? begun.then((exchange) => this.#planFor(id, exchange), fail)
        : this.#planFor(id, begun)
    } catch (error) {
      return fail(error)
    }
  }

  #planFor(id: number, exchange: Exchange): PlanMessage {
    const { decision, plan, entry, startedAt } = exchange
    this.#open.set(id, exchange)
    if (this.#isClosed) exchange.end('client-left')
    const hasPause = plan.events.some(isPause)
    // Without a pause, the answer ends before any other call is decided, as in a single process.
    if (!hasPause) exchange.settle()
    const head = headOf(plan.events)
    const mustSettle = hasPause && decision.reservation !== undefined
    return [id, startedAt - entry.at, mustSettle, head?.status ?? 0, head?.headers ?? {}, packPlan(plan.events)]
  }

  /**
   * Notes carry the time since the call reached the worker. The journal keeps that time as it is. The call reached the
   * primary later, so entry.at plus this time can be later than now; the engine settles limits by its own clock.
   */
  #applyNote([id, event, afterMs, events]: Note): void {
    const exchange = this.#open.get(id)
    if (exchange === undefined) return
    const at = exchange.entry.at + afterMs
    if (event === 'sent') return exchange.sent(events, at)
    if (event === 'ending') return exchange.settle()
    this.#open.delete(id)
    exchange.end(event, at)
  }

  #resolveSync(syncId: number): void {
    this.#syncs.get(syncId)?.()
    this.#syncs.delete(syncId)
  }
}

const isPause = ({ type }: PlanEvent): boolean => type === 'wait' || type === 'flush' || type === 'stall'
