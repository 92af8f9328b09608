/** The owner's side of one worker: its calls are decided by the mock here, and what it tells of them is noted. */

import { packPlan } from '../core/journal/packed-plan.ts'
import { headOf, type PlanEvent } from '../core/plan/plan.ts'
import { CALL_HEADERS } from '../core/request/decisive-headers.ts'
import type { Engine } from '../engine/engine.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { Percentiles } from '../engine/timing/duration-histogram.ts'
import type { CallMessage, FailureMessage, FromPrimary, Note, PlanMessage, Report } from './messages.ts'

// A test may put fake ones in their place.
const { setImmediate } = globalThis

export class WorkerSession {
  readonly #engine: Engine
  readonly #send: (message: FromPrimary) => void
  /** Calls that have come in this turn of the event loop. */
  #calls: CallMessage[] = []
  readonly #open = new Map<number, Exchange>()
  readonly #questions = new Map<number, () => void>()
  #lastQuestion = 0
  #isClosed = false
  /** How long the worker's event loop has been held up, as far as it has told. */
  lag: Percentiles | undefined

  constructor(engine: Engine, send: (message: FromPrimary) => void) {
    this.#engine = engine
    this.#send = send
  }

  receive({ calls, notes, late, lag, synced }: Report): void {
    for (const lateMs of late) this.#engine.timing.record(lateMs)
    this.lag = lag ?? this.lag
    for (const note of notes) this.#note(note)
    if (calls.length > 0) this.#takeIn(calls)
    if (synced !== undefined) this.#answered(synced)
  }

  /** Resolves when all that the worker knows by now is known here. */
  sync(): Promise<void> {
    const question = ++this.#lastQuestion
    return new Promise((resolve) => {
      this.#questions.set(question, resolve)
      this.#send({ type: 'sync', question })
    })
  }

  /** The worker is no more, and with it its connections. Says how many calls that broke off. */
  closed(): number {
    this.#isClosed = true
    const brokenOff = this.#open.size
    for (const exchange of this.#open.values()) exchange.end('client-left')
    this.#open.clear()
    for (const question of [...this.#questions.keys()]) this.#answered(question)
    return brokenOff
  }

  /**
   * Calls are decided when everything that has arrived is read: the end of a call that one worker tells of is then
   * known before the client's next call, which came later and by another one.
   */
  #takeIn(calls: readonly CallMessage[]): void {
    if (this.#calls.length === 0) setImmediate(() => this.#decideAll())
    this.#calls.push(...calls)
  }

  #decideAll(): void {
    const calls = this.#calls
    this.#calls = []
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
        ? begun.then((exchange) => this.#begun(id, exchange), fail)
        : this.#begun(id, begun)
    } catch (error) {
      return fail(error)
    }
  }

  #begun(id: number, exchange: Exchange): PlanMessage {
    const { decision, plan, entry, startedAt } = exchange
    this.#open.set(id, exchange)
    if (this.#isClosed) exchange.end('client-left')
    // What goes out at once is over at once: no call comes between, with workers as without.
    if (!plan.events.some(isPause)) exchange.settle()
    const head = headOf(plan.events)
    const isCharged = decision.reservation !== undefined
    return [id, startedAt - entry.at, isCharged, head?.status ?? 0, head?.headers ?? {}, packPlan(plan.events)]
  }

  #note([id, what, afterMs, events]: Note): void {
    const exchange = this.#open.get(id)
    if (exchange === undefined) return
    // Not before it is now: the worker began to count a moment earlier.
    const at = Math.min(exchange.entry.at + afterMs, this.#engine.clock.now())
    if (what === 'sent') return exchange.sent(events, at)
    if (what === 'ending') return exchange.settle()
    this.#open.delete(id)
    exchange.end(what, at)
  }

  #answered(question: number): void {
    this.#questions.get(question)?.()
    this.#questions.delete(question)
  }
}

const isPause = ({ type }: PlanEvent): boolean => type === 'wait' || type === 'flush' || type === 'stall'
