/** One decided call: its context, its plan and its journal entry. The shell that plays the plan reports how it ended. */

import type { CallContext } from '../core/decide/call/call-context.ts'
import type { Decision } from '../core/decide/pipeline/decision.ts'
import type { SessionId } from '../core/decide/state/session-id.ts'
import type { Outcome } from '../core/journal/entry.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'
import type { Plan } from '../core/protocol/plan/plan.ts'
import type { RoutedEndpoint } from '../core/protocol/request/endpoints.ts'
import type { BugReports } from './bug-reports.ts'
import type { Clock } from './clock/clock.ts'

/** The part of the engine that an exchange needs. */
export interface ExchangeHost {
  readonly clock: Clock
  readonly bugs: BugReports
  ended(exchange: Exchange, outcome: Outcome, note?: string): void
}

export class Exchange {
  readonly method: string
  readonly endpoint: RoutedEndpoint
  readonly sessionId: SessionId
  readonly decision: Decision
  readonly plan: Plan
  readonly entry: StoredExchange
  /** When the call arrived, in milliseconds of the mock's clock. The waits of its plan count from then. */
  readonly arrivedAt: number
  readonly #host: ExchangeHost
  isEnded = false

  constructor(context: CallContext, decision: Decision, entry: StoredExchange, host: ExchangeHost) {
    // Not the context itself: it holds the body of the request, and a client may take hours to read its answer.
    this.method = context.call.method
    this.endpoint = entry.endpoint
    this.sessionId = context.session.id
    this.decision = decision
    this.plan = decision.plan
    this.entry = entry
    this.arrivedAt = entry.at
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
