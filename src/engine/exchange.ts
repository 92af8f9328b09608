/** One decided call: its context, its plan and its journal entry. The shell that plays the plan reports how it ended. */

import type { CallContext } from '../core/call/call-context.ts'
import type { Outcome } from '../core/journal/entry.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'
import type { Plan } from '../core/plan/plan.ts'
import type { Clock } from './clock/clock.ts'

/** What an exchange needs of the engine that made it. */
export interface ExchangeHost {
  readonly clock: Clock
  ended(exchange: Exchange, outcome: Outcome, now: number): void
}

export class Exchange {
  readonly context: CallContext
  readonly plan: Plan
  readonly entry: StoredExchange
  /** When its plan began to be played, in milliseconds of the mock's clock. */
  readonly startedAt: number
  readonly #host: ExchangeHost

  constructor(context: CallContext, plan: Plan, entry: StoredExchange, host: ExchangeHost) {
    this.context = context
    this.plan = plan
    this.entry = entry
    this.startedAt = host.clock.now()
    this.#host = host
  }

  /** Records in the journal that the first `events` of the plan are done, by now or at `at`. */
  sent(events: number, at = this.#host.clock.now()): void {
    this.entry.mark(events, at - this.entry.at)
  }

  end(outcome: Outcome, at = this.#host.clock.now()): void {
    this.#host.ended(this, outcome, at)
  }
}
