/** The mock as a worker sees it: sends calls to the primary, gets plans back, and reports how they are played. */

import type { Call } from '../core/call/call-context.ts'
import type { Outcome } from '../core/journal/entry.ts'
import { unpackPlan } from '../core/journal/packed-plan.ts'
import type { PlanEvent } from '../core/plan/plan.ts'
import { CALL_HEADERS } from '../core/request/decisive-headers.ts'
import { type Clock, realClock } from '../engine/clock/clock.ts'
import { EventLoopLag } from '../engine/timing/event-loop-lag.ts'
import type { Planned, Planner } from '../http/play-http.ts'
import type { FailureMessage, PlanMessage, Report, Setup } from './messages.ts'

/** How long notes wait for a call to travel with. A message of their own would cost the primary as much as a call. */
const NOTES_WAIT_MS = 5

type Sender = (report: Report) => void

/** A call that the primary has not decided yet. */
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
  /** Ends the answers whose limits the primary is asked to settle. */
  readonly #finishes = new Map<number, () => void>()
  #report: Report | undefined
  /** Whether the report goes out at the end of this turn of the event loop. */
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

  /** Handles the primary's decisions. */
  answer(messages: readonly (PlanMessage | FailureMessage)[]): void {
    for (const message of messages) {
      const asked = this.#asked.get(message[0])!
      this.#asked.delete(message[0])
      if (message.length === 2) asked.reject(Object.assign(new Error(), { stack: message[1] }))
      else asked.resolve(new RemoteExchange(message, asked.cameAt, this))
    }
  }

  /** Notes the progress of a plan for the next report. */
  note(exchange: RemoteExchange, what: 'sent' | 'ending' | Outcome, events = 0): void {
    this.#gather().notes.push([exchange.id, what, this.clock.now() - exchange.cameAt, events])
  }

  /** Asks the primary to settle the limits of a call, and calls `finish` when it has. */
  settle(exchange: RemoteExchange, finish: () => void): void {
    this.#finishes.set(exchange.id, finish)
    this.note(exchange, 'ending')
    this.flush()
  }

  /** Handles the primary's confirmation that calls are settled. */
  settled(ids: readonly number[]): void {
    for (const id of ids) {
      const finish = this.#finishes.get(id)!
      this.#finishes.delete(id)
      finish()
    }
  }

  /** Answers a `sync` of the primary at once. */
  sync(syncId: number): void {
    this.#gather().synced = syncId
    this.flush()
  }

  /** Sends the report now. */
  flush(): void {
    const report = this.#report
    if (report === undefined) return
    if (report.late.length > 0) report.lag = this.lag.percentiles()
    this.#report = undefined
    this.#isUrgent = false
    this.#send(report)
  }

  #recordLate(lateMs: number): void {
    this.lag.start()
    this.#gather().late.push(lateMs)
  }

  #gather(): Report {
    if (this.#report === undefined) {
      this.#report = { calls: [], notes: [], late: [] }
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.flush()
      }, NOTES_WAIT_MS)
    }
    return this.#report
  }
}

class RemoteExchange implements Planned {
  readonly id: number
  readonly cameAt: number
  readonly startedAt: number
  readonly plan: { readonly events: readonly PlanEvent[] }
  readonly #mustSettle: boolean
  readonly #mock: RemotePlanner
  #hasEnded = false

  constructor([id, heldMs, mustSettle, status, headers, packed]: PlanMessage, cameAt: number, mock: RemotePlanner) {
    this.id = id
    this.cameAt = cameAt
    this.startedAt = cameAt + heldMs
    this.plan = { events: unpackPlan(packed, status, headers) }
    this.#mustSettle = mustSettle
    this.#mock = mock
  }

  sent(events: number): void {
    this.#mock.note(this, 'sent', events)
  }

  /** The client's next call may reach another worker, so the primary first confirms that it has settled this one. */
  beforeEnd(finish: () => void): void {
    if (this.#mustSettle) this.#mock.settle(this, finish)
    else finish()
  }

  end(outcome: Outcome): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#mock.note(this, outcome)
  }
}
