/** The mock as a worker sees it: calls go to the owner, plans come back, and the owner is told how they are played. */

import type { Call } from '../core/call/call-context.ts'
import type { Outcome } from '../core/journal/entry.ts'
import { unpackPlan } from '../core/journal/packed-plan.ts'
import type { PlanEvent } from '../core/plan/plan.ts'
import { CALL_HEADERS } from '../core/request/decisive-headers.ts'
import { type Clock, realClock } from '../engine/clock/clock.ts'
import { EventLoopLag } from '../engine/timing/event-loop-lag.ts'
import type { Planned, Planner } from '../http/play-http.ts'
import type { FailureMessage, PlanMessage, Report, Setup } from './messages.ts'

/** How long what is no call may wait for one to go with: a message of its own would cost the owner as much as a call. */
const NOTES_WAIT_MS = 5

type Sender = (report: Report) => void

/** A call that the owner has yet to decide. */
interface Asked {
  readonly cameAt: number
  readonly resolve: (planned: Planned) => void
  readonly reject: (error: Error) => void
}

export class RemotePlanner implements Planner {
  readonly bodyLimit: number
  readonly clock: Clock
  readonly timing = { record: (lateMs: number): void => this.#recordLate(lateMs) }
  readonly lag = new EventLoopLag()
  readonly #send: Sender
  readonly #asked = new Map<number, Asked>()
  #report: Report | undefined
  /** Whether it goes out when this turn of the event loop is over. */
  #isUrgent = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastId = 0

  constructor({ bodyLimit, speed }: Pick<Setup, 'bodyLimit' | 'speed'>, send: Sender) {
    this.bodyLimit = bodyLimit
    this.clock = realClock(speed)
    this.#send = send
  }

  begin({ method, path, query, body, header, now }: Call): Promise<Planned> {
    const id = ++this.#lastId
    this.#gather().calls.push([id, method, path, query, body, ...CALL_HEADERS.map((name) => header(name))])
    if (!this.#isUrgent) setImmediate(() => this.flush())
    this.#isUrgent = true
    return new Promise((resolve, reject) => this.#asked.set(id, { cameAt: now, resolve, reject }))
  }

  /** What the owner has decided. */
  answer(messages: readonly (PlanMessage | FailureMessage)[]): void {
    for (const message of messages) {
      const asked = this.#asked.get(message[0])!
      this.#asked.delete(message[0])
      if (message.length === 2) asked.reject(Object.assign(new Error(), { stack: message[1] }))
      else asked.resolve(new RemoteExchange(message, asked.cameAt, this))
    }
  }

  /** Notes for the owner what becomes of a plan. */
  note(exchange: RemoteExchange, what: 'sent' | 'ending' | Outcome, events = 0): void {
    this.#gather().notes.push([exchange.id, what, this.clock.now() - exchange.cameAt, events])
  }

  /** Tells the owner at once that all before has been told. */
  sync(question: number): void {
    this.#gather().synced = question
    this.flush()
  }

  /** Sends now what has gathered. */
  flush(): void {
    const report = this.#report
    if (report === undefined) return
    if (report.late.length > 0) report.lag = this.lag.percentiles()
    this.#report = undefined
    this.#isUrgent = false
    this.#send(report)
  }

  #flushLate(): void {
    this.#timer = undefined
    this.flush()
  }

  #recordLate(lateMs: number): void {
    this.lag.start()
    this.#gather().late.push(lateMs)
  }

  #gather(): Report {
    if (this.#report === undefined) {
      this.#report = { calls: [], notes: [], late: [] }
      this.#timer ??= setTimeout(() => this.#flushLate(), NOTES_WAIT_MS)
    }
    return this.#report
  }
}

class RemoteExchange implements Planned {
  readonly id: number
  readonly cameAt: number
  readonly startedAt: number
  readonly plan: { readonly events: readonly PlanEvent[] }
  readonly #isCharged: boolean
  readonly #mock: RemotePlanner
  #hasEnded = false

  constructor([id, heldMs, isCharged, status, headers, packed]: PlanMessage, cameAt: number, mock: RemotePlanner) {
    this.id = id
    this.cameAt = cameAt
    this.startedAt = cameAt + heldMs
    this.plan = { events: unpackPlan(packed, status, headers) }
    this.#isCharged = isCharged
    this.#mock = mock
  }

  sent(events: number): void {
    this.#mock.note(this, 'sent', events)
  }

  /** The client's next call may come to another worker: what is written to the owner now is read before that call. */
  ending(): void {
    if (!this.#isCharged) return
    this.#mock.note(this, 'ending')
    this.#mock.flush()
  }

  end(outcome: Outcome): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#mock.note(this, outcome)
    // The connection is broken only after this.
    if (this.#isCharged && outcome === 'cut') this.#mock.flush()
  }
}
