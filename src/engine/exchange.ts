/**
 * One decided call, and the bookkeeping around it, of which nothing may change its answer.
 *
 *     Exchange       the plan of a call for its player, which says what was sent and how it ended
 *     BugReports     runs the bookkeeping, and reports what fails in it
 *     Listeners      those who are told about calls: the page, the log, `mock.onExchange`
 */

import type { CallContext } from '../core/decide/call/call-context.ts'
import type { Decision } from '../core/decide/pipeline/decide.ts'
import type { SessionId } from '../core/decide/state/session-id.ts'
import type { Outcome } from '../core/journal/entry.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'
import type { Plan } from '../core/protocol/plan/plan.ts'
import type { Clock } from './clock/clock.ts'
import type { Tenant } from './tenant.ts'

/** The part of the engine that an exchange needs. */
interface ExchangeHost {
  readonly clock: Clock
  readonly bugs: BugReports
  ended(exchange: Exchange, outcome: Outcome, note?: string): void
}

export class Exchange {
  readonly sessionId: SessionId
  readonly decision: Decision
  readonly plan: Plan
  readonly entry: StoredExchange
  /** When the call arrived, in milliseconds of the mock's clock. The waits of its plan count from then. */
  readonly arrivedAt: number
  /** The tenant whose state it has changed, even if the session has another one since. */
  readonly tenant: Tenant
  readonly #host: ExchangeHost
  /** Set by `end`. From then on, nothing is recorded any more. */
  isEnded = false

  constructor(context: CallContext, decision: Decision, entry: StoredExchange, host: ExchangeHost, tenant: Tenant) {
    // Not the context itself: it holds the body of the request, and a client may take hours to read its answer.
    this.sessionId = context.session.id
    this.decision = decision
    this.plan = decision.plan
    this.entry = entry
    this.arrivedAt = entry.at
    this.tenant = tenant
    this.#host = host
  }

  /** Records in the journal that the first `events` of the plan are done. */
  sent(events: number): void {
    // The journal may already use the entry for another call.
    if (this.isEnded) return
    // Not `guard`: a stream calls this for every token.
    try {
      this.entry.recordProgress(events, this.#host.clock.now() - this.entry.at)
    } catch (error) {
      this.#host.bugs.add('record what was sent', error)
    }
  }

  /** Records how it ended. Only the first end counts. */
  end(outcome: Outcome, note?: string): void {
    if (this.isEnded) return
    this.isEnded = true
    this.#host.ended(this, outcome, note)
  }
}

/** The most reports of one mock; more would flood the log without saying more. */
const MAX_REPORTS = 20

/** Reports failures on stderr, each once. */
export class BugReports {
  readonly #reported = new Set<string>()

  /** Runs a part of the bookkeeping. If it fails, the failure is reported and the result is undefined. */
  guard<Result>(task: string, run: () => Result): Result | undefined {
    try {
      return run()
    } catch (error) {
      this.add(task, error)
      return undefined
    }
  }

  /** Reports a bug of the mock. @param task what failed, as a verb phrase: `record a call`. */
  readonly add = (task: string, error: unknown): void => {
    this.#report(
      `Failed to ${task}: a bug in llm-api-mock. Answers are not affected. Please report it with this error:`,
      error,
    )
  }

  /** Reports a listener of the user that threw. @param method where it was added: `onExchange`. */
  addListener(method: string, error: unknown): void {
    this.#report(`A listener of ${method} threw. The mock ignores it; fix the listener:`, error)
  }

  #report(text: string, error: unknown): void {
    const report = `${text} ${error instanceof Error ? error.message : typeof error}`
    if (this.#reported.has(report) || this.#reported.size >= MAX_REPORTS) return
    this.#reported.add(report)
    console.error(text, error)
  }
}

/** The listeners of one event. One that throws, or rejects, is reported and changes nothing else. */
export class Listeners<Value> {
  readonly #method: string
  readonly #bugs: BugReports
  readonly #all = new Set<(value: Value) => unknown>()

  /** @param method where users add them, for reports: `onExchange`. */
  constructor(method: string, bugs: BugReports) {
    this.#method = method
    this.#bugs = bugs
  }

  /** Adds a listener; returns a function that removes it. */
  add(listener: (value: Value) => unknown): () => void {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  notify(value: Value): void {
    const report = (error: unknown): void => this.#bugs.addListener(this.#method, error)
    for (const listener of this.#all) {
      try {
        const result = listener(value)
        if (result instanceof Promise) result.catch(report)
      } catch (error) {
        report(error)
      }
    }
  }
}
