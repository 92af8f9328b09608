/**
 * A mock between calls, as code and the control plane read and change it: the whole mock, or one session of it. A view of a
 * session reads and changes nothing of others.
 *
 *     engine.view.inject('rate-limit', { times: 2 })     engine.view.injected: [{ id: 1, fault: 'rate-limit', remaining: 2, ... }]
 *     engine.ofSession('team-a').enter('down')           engine.ofSession('team-a').state: 'down'
 */

import { countUses, type Use } from '../../core/decide/call/rule-usage.ts'
import type { Injection } from '../../core/decide/state/mock-state.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { type CallFilter, compileFilter } from '../../core/journal/filter.ts'
import type { FilterOptions } from '../../core/journal/filter-fields.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { type KeyUsage, readLimitUsage } from '../../core/journal/limit-usage.ts'
import type { StoredExchange } from '../../core/journal/stored-exchange.ts'
import { didYouMean } from '../../core/lib/text/did-you-mean.ts'
import { checkObject, describeGiven, invalidOption } from '../../core/protocol/errors/check-options.ts'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import type { Scenario } from '../../core/scenario/compile/compile.ts'
import { describePosition, type StateStatus } from '../../core/scenario/compile/states.ts'
import type { Clock } from '../clock/clock.ts'
import type { Tenant, Tenants } from '../tenant.ts'
import type { Timing } from '../timing/timing.ts'
import { describeInjection, type InjectedFault, readInjection } from './injection.ts'

const MAX_INJECTED = 1000
const MAX_SHOWN_SESSIONS = 100

/** The parts of the engine that a view needs. */
interface ViewedMock {
  readonly tenants: Tenants
  readonly journal: Journal
  readonly clock: Clock
  readonly timing: Timing
  /** The id of the last injected fault. A reset keeps it, so no id is used twice. */
  lastInjectionId: number
}

export class MockView {
  readonly #mock: ViewedMock
  /** The only session that it reads and changes; undefined for the whole mock. */
  readonly session: string | undefined

  constructor(mock: ViewedMock, session?: string) {
    this.#mock = mock
    this.session = session
  }

  get #tenant(): Tenant {
    const { tenants } = this.#mock
    return this.session === undefined ? tenants.main : tenants.of(this.session)
  }

  /** The active scenario. */
  get scenario(): Scenario {
    return this.#tenant.scenario
  }

  /** Increases each time a scenario is applied. */
  get revision(): number {
    return this.#tenant.revision
  }

  /** The exactness of the waits of the whole mock. */
  get timing(): Timing {
    return this.#mock.timing
  }

  /** The number of uses of each rule, fault and limit of the scenario since the scenario was applied or reset. */
  get usage(): readonly Use[] {
    const { state, scenario } = this.#tenant
    return countUses(state.uses, scenario.source)
  }

  /** The used part of the limits of each key, or session of it. */
  get limitUsage(): readonly KeyUsage[] {
    const { session } = this
    const { tenants, clock } = this.#mock
    return (session === undefined ? tenants.all : [this.#tenant]).flatMap(({ state, scenario }) => {
      const sessions = [...state.sessions].filter(([, { name }]) => session === undefined || name === session)
      return readLimitUsage(sessions, scenario, clock.now(), clock.speed)
    })
  }

  /** The exchanges of the journal as they are stored, oldest first. */
  get calls(): readonly StoredExchange[] {
    return [...this.#mock.journal].filter((exchange) => this.has(exchange))
  }

  /** True if a call is of its session. */
  has({ session }: Pick<JournalEntry, 'session'>): boolean {
    return this.session === undefined || session === this.session
  }

  /** A call by its number; undefined when it is not in the journal any more. */
  call(number: number): StoredExchange | undefined {
    const exchange = this.#mock.journal.find(number)
    return exchange !== undefined && this.has(exchange) ? exchange : undefined
  }

  /**
   * The stored calls that match a filter. Copying them all at once takes a second where their bodies are large.
   * @throws FilterError when the filter has an unknown name or a wrong value.
   */
  find(filter: CallFilter, options: Pick<FilterOptions, 'compilePattern'> = {}): readonly StoredExchange[] {
    checkObject('calls', 'the filter', filter)
    const { matches } = compileFilter(filter, { now: this.#mock.clock.now(), ...options })
    return this.calls.filter(matches)
  }

  /** The number of calls since the journal was cleared, and of those that are kept. */
  get callCounts(): { readonly kept: number; readonly total: number } {
    if (this.session === undefined) return this.#mock.journal.counts
    const { length } = this.calls
    return { kept: length, total: length }
  }

  /** Calls that the journal no longer has: those that were dropped, and those that are without body and timeline. */
  get missingCalls(): { readonly dropped: number; readonly withoutPayload: number } {
    const { dropped, withoutPayload } = this.#mock.journal
    return { dropped, withoutPayload }
  }

  clearJournal(): void {
    if (this.session === undefined) this.#mock.journal.clear()
    else this.#mock.journal.clearSession(this.session)
  }

  /** The injections that it may read and change. */
  get #injections(): { readonly tenant: Tenant; readonly injection: Injection }[] {
    const { session } = this
    return (session === undefined ? this.#mock.tenants.all : [this.#tenant])
      .flatMap((tenant) => tenant.state.injections.map((injection) => ({ tenant, injection })))
      .filter(({ injection }) => session === undefined || injection.session === session)
  }

  /** The injected faults that have calls left to apply to. */
  get injected(): readonly InjectedFault[] {
    return this.#injections.map(({ injection }) => describeInjection(injection))
  }

  /** The injected faults that have applied to no call yet. */
  get unusedFaults(): readonly InjectedFault[] {
    const unused = this.#injections.filter(({ injection }) => injection.isUsed !== true)
    return unused.map(({ injection }) => describeInjection(injection))
  }

  /**
   * Adds a fault.
   * @param like only calls like this one: with its key, endpoint, model and session.
   * @throws MockError when there is no such fault, an option is unknown or wrong, or 1,000 faults are waiting.
   */
  inject(fault: string | number, options: object = {}, like?: JournalEntry): void {
    const tenant = this.#tenant
    if (tenant.state.injections.length >= MAX_INJECTED) {
      throw new MockError(
        'too-many-faults',
        `Failed to inject '${fault}': ${MAX_INJECTED} faults are waiting already. Clear them first.`,
      )
    }
    const ofSession = this.session === undefined ? options : { ...options, session: this.session }
    tenant.change({ type: 'inject', injection: readInjection(fault, ofSession, ++this.#mock.lastInjectionId, like) })
  }

  /** False if the fault has no calls left, or was cancelled already. */
  cancelFault(id: number): boolean {
    const waiting = this.#injections.find(({ injection }) => injection.id === id)
    waiting?.tenant.change({ type: 'cancel-injection', injection: waiting.injection })
    return waiting !== undefined
  }

  clearFaults(): void {
    for (const { tenant, injection } of this.#injections) tenant.change({ type: 'cancel-injection', injection })
  }

  /**
   * The position of the state machine that calls of its session find, or those without a session; undefined for a scenario
   * without states.
   */
  get position(): StateStatus | undefined {
    return this.#positionOf(this.session ?? '')
  }

  /** The positions of up to 100 sessions that have one: those that came last. */
  get sessionPositions(): readonly (StateStatus & { readonly session: string })[] {
    if (this.session !== undefined) return []
    const names = [...this.#tenant.state.sharedBySession].slice(-MAX_SHOWN_SESSIONS).map(([name]) => name)
    return names.flatMap((session) => {
      const position = this.#positionOf(session)
      return position === undefined ? [] : [{ session, ...position }]
    })
  }

  #positionOf(sessionName: string): StateStatus | undefined {
    const { scenario, clock, state } = this.#tenant
    const { states } = scenario
    if (states === undefined) return undefined
    const elapsedMs = state.elapsedMs(clock.now())
    return describePosition(states, state.positionAt(states, elapsedMs, sessionName), elapsedMs, clock.speed)
  }

  /** Moves the calls of its session, or all calls, to a state. @throws MockError when the scenario has no such state. */
  enter(state: string): void {
    if (typeof state !== 'string') throw invalidOption('enter', 'the state', 'a text', state)
    const tenant = this.#tenant
    const { scenario, clock } = tenant
    if (scenario.states === undefined) {
      throw new MockError('unknown-state', `Failed to enter a state: the scenario '${scenario.name}' has no states.`)
    }
    if (!scenario.states.byName.has(state)) {
      const names = [...scenario.states.byName.keys()]
      const near = didYouMean(state, names)
      throw new MockError(
        'unknown-state',
        `Failed to enter ${describeGiven(state)}: there is no such state.${near} States are: ${names.join(', ')}.`,
      )
    }
    const position = { state, sinceMs: tenant.state.elapsedMs(clock.now()), calls: 0 }
    if (this.session === undefined) tenant.change({ type: 'enter', position })
    else tenant.change({ type: 'set-position', position, sessionName: this.session })
  }
}
