/**
 * The engine of a mock. All transports of a mock share one.
 *
 *     receive(call)      decide -> record -> the player gets an exchange and plays its plan
 *     ended(exchange)    settle the limits of the call, and complete its journal entry
 *
 * Between calls, code and the control plane use its `view`, and change its scenario.
 */

import type { Call } from '../core/decide/call/call.ts'
import { CallContext } from '../core/decide/call/call-context.ts'
import { usedTokensOf } from '../core/decide/pipeline/call-limits.ts'
import { type Decision, decide } from '../core/decide/pipeline/decide.ts'
import { type Explanation, explainCall } from '../core/decide/pipeline/explain.ts'
import { applyEffects, type Effect } from '../core/decide/state/apply-effects.ts'
import { isSessionName } from '../core/decide/state/session-id.ts'
import { CallCounts } from '../core/journal/call-counts.ts'
import type { JournalEntry, Outcome } from '../core/journal/entry.ts'
import { Journal, type JournalSettings } from '../core/journal/journal.ts'
import type { Memos } from '../core/lib/cache/memos.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { ReplyRule, Scenario } from '../core/scenario/compile/compile.ts'
import { type OpenLimitStore, openStore } from '../limit-store/index.ts'
import { beginLater, type Rehearser, rehearse } from './begin-later.ts'
import { CallQueue, isHeavy } from './call-order.ts'
import { type Clock, fakeTimers, realClock } from './clock/clock.ts'
import { type ExplainRequest, readExplainRequest } from './control/explain-request.ts'
import { MockView } from './control/mock-view.ts'
import { BugReports, Exchange, Listeners } from './exchange.ts'
import { StoredLimits } from './stored-limits.ts'
import { Tenant, Tenants } from './tenant.ts'
import { Timing } from './timing/timing.ts'
import { loadTokenizers, tokenizer } from './tokenizers.ts'

/** Settings of an engine. */
export interface MockSettings {
  /** The largest request body, in bytes; a larger one is answered with 413. Default: 10,000,000. */
  readonly bodyLimit?: number | undefined
  /** The largest answer body, in bytes, over all choices; a larger one is refused with 400. Default: 16,000,000; for embeddings 100,000,000. */
  readonly answerLimit?: number | undefined
  /** Simulated seconds per real second, from 0.001 to 1,000,000. Not together with `clock`. Default: 1. */
  readonly speed?: number | undefined
  /** A clock in place of real time. */
  readonly clock?: Clock | undefined
  /** The bounds of the journal. Default: 1,000 calls, and 32 MB for their bodies and answers. */
  readonly journal?: JournalSettings | undefined
}

/** A change that somebody has made over the control plane. */
export interface ControlChange {
  /** The token, for people. */
  readonly by: string
  readonly change: string
  /** The only session that it concerns. */
  readonly session?: string | undefined
}

const DEFAULT_BODY_LIMIT = 10_000_000

export class Engine<Time extends Clock = Clock> {
  readonly clock: Time
  readonly bodyLimit: number
  readonly answerLimit: number | undefined
  /** The scenario of the mock and those of its sessions, each with its state. */
  readonly tenants: Tenants
  readonly journal: Journal
  /** The whole mock between calls. */
  readonly view: MockView
  readonly storedLimits: StoredLimits
  /** Failures that must not change an answer. */
  readonly bugs = new BugReports()
  /** The exactness of its waits. */
  readonly timing = new Timing(this.bugs.add)
  /** The numbers and durations of calls since the start. */
  readonly counts = new CallCounts()
  /** Changes over the control plane. */
  readonly changes = new Listeners<ControlChange>('changes', this.bugs)
  /** Calls that were decided, before any of their answers is sent. */
  readonly begun = new Listeners<Exchange>('onBegin', this.bugs)
  /** Exchanges that have ended. */
  readonly finished = new Listeners<JournalEntry>('onExchange', this.bugs)
  readonly #queue = new CallQueue()
  /** The id of the last injected fault. */
  lastInjectionId = 0
  /** The worker thread for heavy calls. A server sets it when it starts; in process there is none. */
  rehearsals: Rehearser | undefined
  /** Changes each call before it is decided. `api-mock rehearse` sets it, to give the calls of an app another model. */
  rewrite: ((call: Call) => Call) | undefined

  /** @param open opens the store of a scenario with shared limits. */
  constructor(scenario: Scenario, settings: MockSettings = {}, open: OpenLimitStore = openStore) {
    const { bodyLimit = DEFAULT_BODY_LIMIT, answerLimit, speed, clock } = settings
    if (clock !== undefined && speed !== undefined) {
      throw new MockError('invalid-option', 'Failed to create the mock: expected speed or clock, got both.')
    }
    // Without a clock, `Time` is `Clock`.
    this.clock = (clock ?? realClock(speed)) as Time
    this.bodyLimit = bodyLimit
    this.answerLimit = answerLimit
    this.journal = new Journal(settings.journal, this.bugs.add)
    this.storedLimits = new StoredLimits(open, clock === undefined && (speed ?? 1) === 1)
    this.tenants = new Tenants(new Tenant(this.storedLimits.use(scenario), this.clock))
    this.view = new MockView(this)
  }

  /** The active scenario. */
  get scenario(): Scenario {
    return this.tenants.main.scenario
  }

  /** One session between calls. The whole mock for no session, or for a name that is invalid, which the called method then refuses. */
  ofSession(session: unknown): MockView {
    return isSessionName(session) ? new MockView(this, session) : this.view
  }

  /**
   * Counts the limits of every scenario in one store, whatever address the scenario has.
   * @throws MockError when this process cannot use a store.
   */
  shareLimits(url: string): void {
    this.storedLimits.url = url
    this.tenants.main.scenario = this.storedLimits.use(this.scenario)
  }

  /**
   * Applies another scenario and clears the state; the journal stays. Sessions that got one of their own keep it.
   * @param session applies it to this session only.
   */
  use(scenario: Scenario, session?: string): void {
    if (session !== undefined) return this.tenants.useFor(session, scenario)
    this.tenants.use(this.storedLimits.use(scenario))
    this.storedLimits.reset()
  }

  /** Applies the scenario as its files have it now. A session whose scenario is the same keeps its state, and so do the others together. */
  reload(scenario: Scenario): void {
    const { resets } = this.tenants.main
    this.tenants.use(this.storedLimits.use(scenario), true)
    const isCleared = this.tenants.main.resets !== resets
    if (isCleared) this.storedLimits.reset()
  }

  /** Returns a session to the scenario that the mock has for it. False if it has no scenario of its own. */
  release(session: string): boolean {
    const hasOwn = this.tenants.of(session) !== this.tenants.main
    if (hasOwn) this.tenants.restore(session)
    return hasOwn
  }

  /**
   * Clears the state, the journal and the timing; the scenario stays.
   * @param session clears the state and the journal of this session only.
   */
  reset(session?: string): void {
    this.ofSession(session).clearJournal()
    if (session !== undefined) return this.tenants.reset(session)
    for (const tenant of this.tenants.all) tenant.clear()
    this.storedLimits.reset()
    this.bugs.guard('reset the timing', () => this.timing.reset())
  }

  /**
   * Resets the mock, counts calls from 1 again and takes the scenarios from sessions that they were given. Not for a page,
   * which knows calls by their numbers.
   */
  restart(): void {
    this.tenants.restoreAll()
    this.reset()
    this.journal.clear(true)
  }

  /**
   * Decides a call and calls `begun`, or `failed` if that throws too: at once, or later when deciding takes time. Calls of
   * a key are decided in the order in which they arrive. A page has to await `loadTokenizers` first.
   */
  receive(received: Call, begun: (exchange: Exchange) => void, failed: (error: unknown) => void): void {
    try {
      const { call, tenant } = this.tenants.bind(this.rewrite?.(received) ?? received)
      const isRehearsed = this.rehearsals !== undefined && isHeavy(call, tenant.state.answers)
      const takesTime = isRehearsed || tenant.scenario.sharedLimits !== undefined
      // A test that has faked the timers moves time itself, and may do so before a promise has settled.
      const isLater = this.#queue.precedes(call) || (takesTime && fakeTimers() === undefined)
      if (isLater)
        return this.#queue.add(call, (turn) => beginLater(this, call, isRehearsed, turn).then(begun).catch(failed))
      const context = this.contextOf(call, tenant)
      begun(this.record(context, decide(context), tenant))
    } catch (error) {
      failed(error)
    }
  }

  /** Decides a call now, whatever calls are before it, and asks no store: for callers that cannot wait. */
  begin(received: Call): Exchange {
    const { call, tenant } = this.tenants.bind(received)
    const context = this.contextOf(call, tenant)
    return this.record(context, decide(context), tenant)
  }

  /** Records a decided call, applies its effects, and tells the listeners. */
  record(context: CallContext, decision: Decision, tenant: Tenant): Exchange {
    // From here on nothing may throw: the call is decided, and a slot that it takes is only freed when it ends.
    const entry = this.journal.add(context, decision.plan, decision.usage, tenant.compareRecording)
    this.apply(decision.effects, tenant)
    const exchange = new Exchange(context, decision, entry, this, tenant)
    try {
      this.counts.begin(entry, decision)
    } catch (error) {
      this.bugs.add('count a call', error)
    }
    this.begun.notify(exchange)
    return exchange
  }

  /** Records the end of an exchange, and settles its limits. Called once for each exchange; never throws. */
  ended({ decision, entry, tenant }: Exchange, outcome: Outcome, note?: string): void {
    try {
      const now = this.clock.now()
      const { reservation } = decision
      if (reservation !== undefined) {
        const playedMs = outcome === 'client-left' ? now - entry.at : Number.POSITIVE_INFINITY
        const used = this.bugs.guard('count the tokens of a call', () => usedTokensOf(decision, playedMs))
        // The slot is freed in any case.
        const usedTokens = used ?? reservation.tokens
        this.apply([{ type: 'settle', reservation, usedTokens, now }], tenant)
        if (reservation.sharedId !== undefined) this.storedLimits.settle(reservation.sharedId, usedTokens)
      }
      entry.end(outcome, now - entry.at, note)
      this.counts.end(entry.endpoint, entry, decision, outcome)
    } catch (error) {
      this.bugs.add('record the end of a call', error)
    }
    this.finished.notify(entry)
  }

  /** True if a call is refused for its path, session or key, so that its body need not be read; changes nothing. */
  refusesUnread(call: Call): boolean {
    const bound = this.tenants.bind(call)
    return call.method !== 'OPTIONS' && !this.contextOf(bound.call, bound.tenant).isAccepted
  }

  /** The reply rule that a call matches; changes nothing. */
  findRule(received: Call): ReplyRule | undefined {
    const { call, tenant } = this.tenants.bind(received)
    return this.contextOf(call, tenant).rules.search.found?.rule
  }

  /** Decides a call as it would be decided now, under another scenario and with the state of the mock; changes nothing. */
  preview(call: Call, scenario: Scenario): Decision {
    return decide(new CallContext(call, scenario, this.tenants.main.state, tokenizer, this.answerLimit))
  }

  /** Explains what the next such call would get; changes nothing. */
  async explain(request: ExplainRequest, session?: string): Promise<Explanation> {
    await loadTokenizers()
    const { bodyLimit, clock } = this
    const { exampleKey } = this.tenants.of(session ?? '').scenario
    const settings = { exampleKey, session, bodyLimit, now: clock.now(), speed: clock.speed }
    const { call, tenant } = this.tenants.bind(readExplainRequest(request, settings))
    const memos = isHeavy(call, tenant.state.answers) ? await rehearse(this, call) : undefined
    // Another scenario may have been applied meanwhile.
    return explainCall(this.contextOf(call, this.tenants.ofCall(call), memos))
  }

  /** Stops the threads and connections that the mock has besides its server; a later server has them again. */
  async close(): Promise<void> {
    const { rehearsals } = this
    this.rehearsals = undefined
    await rehearsals?.close()
    await this.#queue.settled()
    await this.storedLimits.close()
  }

  /** Opens a call: what the scenario and the state say about it, up to its decision. */
  contextOf(call: Call, { scenario, state }: Tenant, memos?: Memos): CallContext {
    return new CallContext(call, scenario, state, tokenizer, this.answerLimit, memos)
  }

  /** Applies the effects of a call. A failure is reported, because the call is answered all the same. */
  apply(effects: readonly Effect[], { state }: Tenant): void {
    try {
      applyEffects(state, effects)
    } catch (error) {
      this.bugs.add('apply the effects of a call', error)
    }
  }
}
