/** The tenants of a mock: its scenario and those of single sessions, each with the state of its own calls. */

import { type Use, usageOf } from '../core/decide/call/rule-usage.ts'
import { applyEffects, type Effect } from '../core/decide/state/apply-effects.ts'
import { MockState } from '../core/decide/state/mock-state.ts'
import { type KeyUsage, readLimitUsage } from '../core/journal/limit-usage.ts'
import type { RecordingComparer } from '../core/journal/stored-exchange.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { compileScenario, type Scenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { type ScenarioSource, withoutSessions } from '../core/scenario/scenario-source.ts'
import type { Clock } from './clock/clock.ts'
import { recordingComparer } from './rot/compare-request.ts'

/** The most sessions with a scenario of their own. */
const MAX_OWN_SCENARIOS = 100

/** A scenario, and the state of the calls that it answers. */
export class Tenant {
  #scenario!: Scenario
  /** Undefined for a scenario without recordings. */
  compareRecording: RecordingComparer | undefined
  readonly state: MockState
  readonly clock: Clock
  /** Increases each time a scenario is applied. */
  revision = 1
  /** Increases each time the state is cleared. */
  resets = 0
  /** True if its scenario is a copy of that of the mock. */
  isCopy = false

  /** @param isOwn true for the tenant of a session, which remembers less. */
  constructor(scenario: Scenario, clock: Clock, isOwn = false) {
    this.scenario = scenario
    this.clock = clock
    this.state = new MockState(clock.now(), isOwn)
  }

  get scenario(): Scenario {
    return this.#scenario
  }

  set scenario(scenario: Scenario) {
    this.#scenario = scenario
    this.compareRecording = scenario.isCassette ? recordingComparer(scenario.source) : undefined
  }

  use(scenario: Scenario): void {
    this.scenario = scenario
    this.revision++
    this.clear()
  }

  /** Makes a change that code or the control plane asked for, which gets its errors. */
  change(effect: Effect): void {
    applyEffects(this.state, [effect])
  }

  clear(): void {
    this.resets++
    this.change({ type: 'reset', now: this.clock.now() })
  }

  get usage(): readonly Use[] {
    return usageOf(this.state, this.scenario.source)
  }

  /** @param session only the keys of this session. */
  limitUsage(session?: string): readonly KeyUsage[] {
    const { sessions } = this.state
    const read = session === undefined ? sessions : [...sessions].filter(([, { name }]) => name === session)
    return readLimitUsage(read, this.scenario, this.clock.now(), this.clock.speed)
  }
}

/** The tenant of the mock, and those of sessions with a scenario of their own. */
export class Tenants {
  readonly main: Tenant
  readonly #own = new Map<string, Tenant>()
  /** The sessions that have a tenant whatever the scenario says: each has a token. */
  #reserved: readonly string[] = []

  constructor(main: Tenant) {
    this.main = main
    this.#declare(new Set())
  }

  get all(): readonly Tenant[] {
    return [this.main, ...this.#own.values()]
  }

  /** True if any session has a scenario of its own. */
  get hasOwn(): boolean {
    return this.#own.size > 0
  }

  /** The tenant of a session. */
  of(session: string): Tenant {
    return this.#own.get(session) ?? this.main
  }

  /**
   * Applies the scenario of the mock, and those that it has for sessions.
   * @param isReload true if a tenant whose scenario has not changed keeps its state.
   */
  use(scenario: Scenario, isReload: boolean): void {
    const { main } = this
    const before = main.scenario
    const isKept = (old: ScenarioSource, next: ScenarioSource | undefined): boolean =>
      isReload && JSON.stringify(old) === JSON.stringify(next)
    checkNumber([...scenario.sessions.keys(), ...this.#reserved])
    const kept = [...before.sessions].filter(([name, { source }]) =>
      isKept(source, scenario.sessions.get(name)?.source),
    )
    const keptNames = new Set(kept.map(([session]) => session))
    if (isKept(withoutSessions(before.source), withoutSessions(scenario.source))) {
      // Its calls keep their state, and so do those of copies.
      const { source, sessions } = scenario
      main.scenario = { ...before, source, sessions }
      for (const [session, { isCopy }] of this.#own) if (isCopy) keptNames.add(session)
    } else main.use(scenario)
    for (const session of before.sessions.keys()) if (!scenario.sessions.has(session)) this.#own.delete(session)
    this.#declare(keptNames)
  }

  /** Applies a scenario to one session only. @throws MockError for a scenario with sessions of its own or shared limits. */
  useFor(session: string, scenario: Scenario): void {
    if (scenario.sessions.size > 0 || scenario.bindsKeys || scenario.sharedLimits !== undefined) {
      throw new MockError(
        'unsupported-scenario',
        `The scenario of a session can have no sessions for keys and no limits.shared. Remove them from the scenario of '${session}'.`,
      )
    }
    checkNumber([...this.#own.keys(), session])
    const tenant = this.#own.get(session)
    if (tenant === undefined) this.#own.set(session, new Tenant(scenario, this.main.clock, true))
    else tenant.use(scenario)
    this.of(session).isCopy = false
  }

  /** Returns a session, or all, to the scenario that the mock has for it. */
  release(session?: string): void {
    if (session === undefined) this.#own.clear()
    else this.#own.delete(session)
    this.#declare(new Set(this.#own.keys()))
  }

  /** Gives sessions a tenant, with a copy of the scenario of the mock if it has none for them. */
  reserve(sessions: readonly string[]): void {
    checkNumber([...this.#own.keys(), ...sessions])
    this.#reserved = [...new Set([...this.#reserved, ...sessions])]
    this.#declare(new Set(this.#own.keys()))
  }

  /** Makes the tenants of the sessions that the scenario of the mock or a token names. @param kept the sessions whose tenants stay as they are. */
  #declare(kept: ReadonlySet<string>): void {
    const { source, name, seed, sessions } = this.main.scenario
    for (const [session, scenario] of sessions) if (!kept.has(session)) this.useFor(session, scenario)
    for (const session of this.#reserved) {
      const own = this.#own.get(session)
      if (kept.has(session) || own?.isCopy === false) continue
      this.useFor(session, compileScenario(withoutSessions(source, session), { name, seed, compilePattern }))
      this.of(session).isCopy = true
    }
  }
}

function checkNumber(sessions: readonly string[]): void {
  if (new Set(sessions).size <= MAX_OWN_SCENARIOS) return
  throw new MockError(
    'unsupported-scenario',
    `At most ${MAX_OWN_SCENARIOS} sessions can have a scenario of their own. Serve the others with another process.`,
  )
}
