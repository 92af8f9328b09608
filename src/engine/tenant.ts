/**
 * The tenants of a mock. A tenant is a scenario with its state: the one of the mock, and one for each session with its own scenario.
 *
 *     keys: { sk-a: { scenario: team-a.yaml } }     the calls of sk-a have the tenant of session team-a, all others `main`
 */

import type { Call } from '../core/decide/call/call.ts'
import { identify } from '../core/decide/call/call-context.ts'
import { applyEffects, type Effect } from '../core/decide/state/apply-effects.ts'
import { MockState } from '../core/decide/state/mock-state.ts'
import type { RecordingComparer } from '../core/journal/stored-exchange.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { type ScenarioSource, withoutSessions } from '../core/scenario/scenario-source.ts'
import type { Clock } from './clock/clock.ts'
import { recordingComparer } from './rot/compare-request.ts'

/** The most sessions with a scenario of their own. */
const MAX_OWN_SCENARIOS = 100

/** A scenario, and the state of the calls that it answers. */
export class Tenant {
  /** Replaced by `use`, which clears the state, and by changes that keep it: a reload, a store of shared limits. */
  scenario: Scenario
  /** Undefined for a scenario without recordings. */
  compareRecording: RecordingComparer | undefined
  readonly state: MockState
  readonly clock: Clock
  /** Increases each time a scenario is applied. */
  revision = 1
  /** Increases each time the state is cleared. */
  resets = 0

  /** @param options `isOfSession`: true for the tenant of a session, whose state remembers less. */
  constructor(scenario: Scenario, clock: Clock, { isOfSession = false } = {}) {
    this.scenario = scenario
    this.compareRecording = comparerOf(scenario)
    this.clock = clock
    this.state = new MockState(clock.now(), isOfSession)
  }

  /** Applies another scenario, and clears the state. */
  use(scenario: Scenario): void {
    this.scenario = scenario
    this.compareRecording = comparerOf(scenario)
    this.revision++
    this.clear()
  }

  /** Makes a change that code or the control plane asked for. Its errors are theirs, so they are thrown. */
  change(effect: Effect): void {
    applyEffects(this.state, [effect])
  }

  clear(): void {
    this.resets++
    this.change({ type: 'reset', now: this.clock.now() })
  }
}

const comparerOf = ({ isCassette, source }: Scenario): RecordingComparer | undefined =>
  isCassette ? recordingComparer(source) : undefined

/** The tenant of the mock, and those of sessions with a scenario of their own. */
export class Tenants {
  readonly main: Tenant
  readonly #own = new Map<string, Tenant>()
  /** The sessions with a token, which must not open the scenario of the mock. A server sets them when it starts. */
  #reserved: readonly string[] = []

  constructor(main: Tenant) {
    this.main = main
    for (const [session, scenario] of main.scenario.sessions) this.useFor(session, scenario)
  }

  get all(): readonly Tenant[] {
    return [this.main, ...this.#own.values()]
  }

  /** A call with the session that the scenario gives its key, and its tenant. */
  bind(call: Call): { readonly call: Call; readonly tenant: Tenant } {
    const { main } = this
    const { bindsKeys, keyRule } = main.scenario
    if (!bindsKeys && this.#own.size === 0) return { call, tenant: main }
    const keySession = bindsKeys ? keyRule(identify(call).key)?.session : undefined
    const bound = keySession === undefined ? call : { ...call, keySession }
    return { call: bound, tenant: this.ofCall(bound) }
  }

  /** The tenant that a call belongs to now: a scenario may have been applied to its session since it arrived. */
  ofCall(call: Call): Tenant {
    return this.#own.size === 0 ? this.main : this.of(identify(call).name)
  }

  of(session: string): Tenant {
    return this.#own.get(session) ?? this.main
  }

  /**
   * Applies the scenario of the mock, and those that it has for sessions.
   * @param isReload true if those whose sources are the same as before keep their state.
   */
  use(scenario: Scenario, isReload = false): void {
    const keepsState = (source: ScenarioSource, sourceBefore?: ScenarioSource): boolean =>
      isReload && JSON.stringify(source) === JSON.stringify(sourceBefore)
    const { main } = this
    const { scenario: before } = main
    refuseTooMany([...this.#reserved, ...scenario.sessions.keys()])
    // If only the scenarios of sessions are others, the compiled one stays.
    if (keepsState(withoutSessions(scenario.source), withoutSessions(before.source)))
      main.scenario = { ...before, source: scenario.source, sessions: scenario.sessions }
    else main.use(scenario)
    for (const session of before.sessions.keys()) if (!scenario.sessions.has(session)) this.restore(session)
    for (const [session, own] of scenario.sessions)
      if (!keepsState(own.source, before.sessions.get(session)?.source)) this.useFor(session, own)
  }

  /** Applies a scenario to one session only. @throws MockError for one that only a whole mock can have. */
  useFor(session: string, scenario: Scenario): void {
    if (scenario.sessions.size > 0 || scenario.bindsKeys || scenario.sharedLimits !== undefined) {
      throw new MockError(
        'unsupported-scenario',
        `The scenario of a session can have no sessions for keys and no limits.shared. Remove them from the scenario of '${session}'.`,
      )
    }
    refuseTooMany([...this.#own.keys(), session])
    const tenant = this.#own.get(session)
    if (tenant === undefined) this.#own.set(session, new Tenant(scenario, this.main.clock, { isOfSession: true }))
    else tenant.use(scenario)
  }

  /** Returns a session to the scenario that the mock has for it; without one, to that of the mock. */
  restore(session: string): void {
    const scenario = this.main.scenario.sessions.get(session)
    if (scenario !== undefined) this.useFor(session, scenario)
    else if (!this.#reserved.includes(session)) this.#own.delete(session)
  }

  /** Returns all sessions to the scenarios that the mock has for them. */
  restoreAll(): void {
    for (const session of this.#own.keys()) this.restore(session)
  }

  /** Makes sure that sessions always have a scenario of their own. @throws MockError for one that has none now. */
  reserve(sessions: readonly string[]): void {
    const without = sessions.find((session) => !this.#own.has(session))
    if (without !== undefined) {
      throw new MockError(
        'invalid-option',
        `listen (--session-token): expected sessionTokens for sessions with a scenario of their own, got '${without}'. Name its scenario under keys: { sk-${without}: { scenario: ./${without}.yaml } }.`,
      )
    }
    this.#reserved = sessions
  }

  /** Clears what was remembered of a session. */
  reset(session: string): void {
    const own = this.#own.get(session)
    if (own !== undefined) own.clear()
    else this.main.change({ type: 'reset-session', sessionName: session })
  }
}

function refuseTooMany(sessions: readonly string[]): void {
  if (new Set(sessions).size <= MAX_OWN_SCENARIOS) return
  throw new MockError(
    'unsupported-scenario',
    `At most ${MAX_OWN_SCENARIOS} sessions can have a scenario of their own. Serve the others with another process.`,
  )
}
