/** One session of a mock, as code and the control plane have it: it reads and changes nothing of other sessions. */

import type { Use } from '../core/decide/call/rule-usage.ts'
import type { Explanation } from '../core/decide/pipeline/explain.ts'
import type { CallCounts } from '../core/journal/call-counts.ts'
import type { Journal } from '../core/journal/journal.ts'
import type { KeyUsage } from '../core/journal/limit-usage.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import type { Clock } from './clock/clock.ts'
import type { Engine } from './engine.ts'
import type { ExplainRequest } from './explain-request.ts'
import type { InjectedFaults } from './injection.ts'
import { JournalQueries } from './journal-queries.ts'
import { StateControl } from './state-control.ts'
import type { Tenant } from './tenant.ts'
import type { Timing } from './timing/timing.ts'

/** What can be read and changed between calls: of a whole mock, or of one session. */
export interface MockView {
  readonly clock: Clock
  readonly timing: Timing
  readonly scenario: Scenario
  /** Increases each time a scenario is applied. */
  readonly revision: number
  readonly journal: JournalQueries
  readonly states: StateControl
  readonly faults: InjectedFaults
  readonly usage: readonly Use[]
  readonly limitUsage: readonly KeyUsage[]
  explain(request: ExplainRequest): Promise<Explanation>
  use(scenario: Scenario): void
  reset(): void
  clearJournal(): void
}

/** The parts of the engine that the views share. */
interface SharedParts {
  readonly journal: Journal
  readonly counts: CallCounts
  readonly faults: InjectedFaults
}

export class SessionView implements MockView {
  readonly journal: JournalQueries
  readonly #engine: Pick<Engine, 'clock' | 'timing' | 'explain' | 'useFor'>
  readonly #session: string
  readonly #tenant: () => Tenant
  readonly #parts: SharedParts

  /** @param tenant finds the tenant of the session, which may get another one. */
  constructor(
    engine: Pick<Engine, 'clock' | 'timing' | 'explain' | 'useFor'>,
    session: string,
    tenant: () => Tenant,
    parts: SharedParts,
  ) {
    this.#engine = engine
    this.#session = session
    this.#tenant = tenant
    this.#parts = parts
    this.journal = new JournalQueries(parts.journal, parts.counts, engine.clock, session)
  }

  get clock(): Clock {
    return this.#engine.clock
  }

  get timing(): Timing {
    return this.#engine.timing
  }

  get scenario(): Scenario {
    return this.#tenant().scenario
  }

  get revision(): number {
    return this.#tenant().revision
  }

  get states(): StateControl {
    return new StateControl(this.#tenant(), this.#session)
  }

  get faults(): InjectedFaults {
    return this.#parts.faults.ofSession(this.#session, this.#tenant())
  }

  get usage(): readonly Use[] {
    return this.#tenant().usage
  }

  get limitUsage(): readonly KeyUsage[] {
    return this.#tenant().limitUsage(this.#session)
  }

  explain(request: ExplainRequest): Promise<Explanation> {
    return this.#engine.explain(request, this.#session)
  }

  /** Applies a scenario to the session only. */
  use(scenario: Scenario): void {
    this.#engine.useFor(this.#session, scenario)
  }

  /** Clears the state and the journal of the session. */
  reset(): void {
    const tenant = this.#tenant()
    if (tenant.session === '') tenant.change({ type: 'reset-session', sessionName: this.#session })
    else tenant.clear()
    this.clearJournal()
  }

  clearJournal(): void {
    this.#parts.journal.clearSession(this.#session)
  }
}
