/** The engine of a mock: a scenario, its state, a clock and a journal. All transports of a mock share one engine. */

import { type Call, CallContext } from '../core/call/call-context.ts'
import {
  checkObject,
  checkOptions,
  describeGiven,
  invalidOption,
  type OptionChecks,
} from '../core/errors/check-options.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { type CallCount, CallCounts } from '../core/journal/call-counts.ts'
import type { JournalEntry, Outcome } from '../core/journal/entry.ts'
import type { CallFilter } from '../core/journal/filter/call-filter.ts'
import { compileFilter } from '../core/journal/filter/compile-filter.ts'
import type { FilterOptions } from '../core/journal/filter/conditions.ts'
import { Journal, type JournalSettings } from '../core/journal/journal.ts'
import { type KeyUsage, readLimitUsage } from '../core/journal/limit-usage.ts'
import { type Use, usageOf } from '../core/journal/rule-usage.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'
import { decide } from '../core/pipeline/decide.ts'
import type { Decision } from '../core/pipeline/decision.ts'
import { type Explanation, explainCall } from '../core/pipeline/explain.ts'
import { settleUsage } from '../core/pipeline/settle-usage.ts'
import type { ReplyRule, Scenario } from '../core/scenario/compile/compile.ts'
import { describePosition, type StateStatus } from '../core/scenario/compile/states.ts'
import { applyEffects, type Effect } from '../core/state/apply-effects.ts'
import { MockState } from '../core/state/mock-state.ts'
import { SESSION_OPTION, type SessionId } from '../core/state/session-id.ts'
import { didYouMean } from '../core/text/did-you-mean.ts'
import { AT_ONCE, type Preparation } from '../core/work/preparation.ts'
import type { OpenLimitStore } from '../limit-store/limit-store.ts'
import { openRedisStore } from '../limit-store/redis-store.ts'
import { BugReports } from './bug-reports.ts'
import { beginInSlices, CallQueue, isOpen } from './call-queue.ts'
import { type Clock, realClock } from './clock/clock.ts'
import { Exchange } from './exchange.ts'
import { type ExplainRequest, readExplainRequest } from './explain-request.ts'
import { describeInjection, type InjectedFault, readInjection } from './injection.ts'
import { Slices } from './slices.ts'
import { StoredLimits, StoredPreparation } from './stored-limits.ts'
import { Timing } from './timing/timing.ts'
import { loadTokenizers, tokenizer } from './tokenizers.ts'

const DEFAULT_BODY_LIMIT = 10_000_000
const MAX_INJECTED = 1000
const MAX_SHOWN_SESSIONS = 100

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

/** Which state machine `enter` moves. */
export interface EnterOptions {
  /** Only that of this session. Default: those of all sessions, and of the calls without one. */
  readonly session?: string | undefined
}

const ENTER_OPTIONS: OptionChecks<EnterOptions> = { session: SESSION_OPTION }

/** Where the state machine of a session is. */
export interface SessionPosition extends StateStatus {
  readonly session: string
}

type Listener = (entry: JournalEntry) => void

export class Engine<Time extends Clock = Clock> {
  /** Its time. One made with `clock: 'manual'` is moved by `await mock.clock.advance('60s')`. */
  readonly clock: Time
  readonly bodyLimit: number
  /** Failures that must not change an answer. */
  readonly bugs = new BugReports()
  readonly #answerLimit: number | undefined
  /** How exact its waits are: `mock.timing.report()`. */
  readonly timing = new Timing(this.bugs.add)
  #scenario: Scenario
  readonly #state: MockState
  readonly #journal: Journal
  readonly #counts = new CallCounts()
  readonly #listeners = new Set<Listener>()
  readonly #beginListeners = new Set<(exchange: Exchange) => void>()
  readonly #slices = new Slices()
  /** Counts on after a reset, so that an id never names another injection. */
  #injectionCount = 0
  readonly #stored: StoredLimits
  readonly #queue: CallQueue<Exchange>

  constructor(scenario: Scenario, settings: MockSettings = {}, openStore: OpenLimitStore = openRedisStore) {
    const { bodyLimit = DEFAULT_BODY_LIMIT, answerLimit, speed, clock, journal } = settings
    this.#scenario = scenario
    this.bodyLimit = bodyLimit
    this.#answerLimit = answerLimit
    if (clock !== undefined && speed !== undefined) {
      throw new MockError('invalid-option', 'Failed to create the mock: expected speed or clock, got both.')
    }
    // `Time` is the type of the clock that was given.
    this.clock = (clock ?? realClock(speed)) as Time
    this.#state = new MockState(this.clock.now())
    this.#journal = new Journal(journal, this.bugs.add)
    this.#stored = new StoredLimits(openStore, clock === undefined && (speed ?? 1) === 1)
    this.#stored.use(scenario)
    this.#queue = new CallQueue(
      (call, preparation) => this.#beginQueued(call, preparation),
      this.#slices,
      this.#stored.ask,
    )
  }

  /** The active scenario. */
  get scenario(): Scenario {
    return this.#scenario
  }

  get journal(): readonly JournalEntry[] {
    return [...this.#journal].map((entry) => entry.toJSON())
  }

  /** The journal without timelines, which take most of the time to read: a second for a thousand streams. */
  get journalWithoutTimelines(): readonly JournalEntry[] {
    return [...this.#journal].map((entry) => entry.copyWithoutTimeline())
  }

  calls(filter: CallFilter = {}): readonly JournalEntry[] {
    return this.findCalls(filter).map((entry) => entry.toJSON())
  }

  /** The stored calls that match a filter. Reading them all at once takes a second where their bodies are large. */
  findCalls(filter: CallFilter, options: Pick<FilterOptions, 'compilePattern'> = {}): readonly StoredExchange[] {
    checkObject('calls', 'the filter', filter)
    const { matches } = compileFilter(filter, { now: this.clock.now(), ...options })
    return this.exchanges.filter(matches)
  }

  /** The exchanges of the journal as they are stored. */
  get exchanges(): readonly StoredExchange[] {
    return [...this.#journal]
  }

  get usage(): readonly Use[] {
    return usageOf(this.#state, this.#scenario.source)
  }

  /** One exchange by its number; undefined when it is not in the journal any more. */
  entry(number: number): JournalEntry | undefined {
    return this.#journal.find(number)?.toJSON()
  }

  get limitUsage(): readonly KeyUsage[] {
    const { speed } = this.clock
    return readLimitUsage(this.#state.sessions, this.#scenario, this.clock.now(), speed)
  }

  /** Calls that the journal no longer has: those that were dropped, and those that are without body and timeline. */
  get missingCalls(): { readonly dropped: number; readonly withoutPayload: number } {
    const { dropped, withoutPayload } = this.#journal
    return { dropped, withoutPayload }
  }

  /** How many calls have ended since the start, by endpoint, status and outcome. */
  get callCounts(): readonly Readonly<CallCount>[] {
    return this.#counts.all()
  }

  /** Injected faults that have calls left to apply to. */
  get injected(): readonly InjectedFault[] {
    return this.#state.injections.map(describeInjection)
  }

  /** Applies another scenario and clears the state; the journal stays. */
  use(scenario: Scenario): void {
    this.#stored.use(scenario)
    this.#scenario = scenario
    this.#clearState()
  }

  #clearState(): void {
    this.#change({ type: 'reset', now: this.clock.now() })
    this.#stored.reset()
  }

  /** @param like only calls like this one: with its key, endpoint, model and session. */
  inject(fault: string | number, options: object = {}, like?: JournalEntry): void {
    if (this.#state.injections.length >= MAX_INJECTED) {
      throw new MockError(
        'too-many-faults',
        `Failed to inject '${fault}': ${MAX_INJECTED} faults are waiting already. Clear them first.`,
      )
    }
    this.#change({ type: 'inject', injection: readInjection(fault, options, ++this.#injectionCount, like) })
  }

  /** Cancels one injected fault; false if it has no calls left, or was cancelled already. */
  cancelFault(id: number): boolean {
    const injection = this.#state.injections.find((one) => one.id === id)
    if (injection !== undefined) this.#change({ type: 'cancel-injection', injection })
    return injection !== undefined
  }

  clearFaults(): void {
    this.#change({ type: 'clear-injections' })
  }

  clearJournal(): void {
    this.#journal.clear()
  }

  get state(): string | undefined {
    const { states } = this.#scenario
    return states && this.#state.positionAt(states.machine, this.#elapsedMs, '').state
  }

  /** Where the state machine of calls without a session is; undefined for a scenario without states. */
  get statePosition(): StateStatus | undefined {
    return this.#positionOf('')
  }

  /** The same for up to 100 sessions that have one: those that came last. */
  get sessionPositions(): readonly SessionPosition[] {
    const names = [...this.#state.sharedBySession].slice(-MAX_SHOWN_SESSIONS).map(([name]) => name)
    return names.flatMap((session) => {
      const position = this.#positionOf(session)
      return position === undefined ? [] : [{ session, ...position }]
    })
  }

  #positionOf(sessionName: string): StateStatus | undefined {
    const { states } = this.#scenario
    if (states === undefined) return undefined
    const elapsedMs = this.#elapsedMs
    const position = this.#state.positionAt(states.machine, elapsedMs, sessionName)
    return describePosition(states.machine, position, elapsedMs, this.clock.speed)
  }

  enter(state: string, options: EnterOptions = {}): void {
    checkOptions('enter', options, ENTER_OPTIONS)
    if (typeof state !== 'string') throw invalidOption('enter', 'the state', 'a text', state)
    const { name, states } = this.#scenario
    if (states === undefined)
      throw new MockError('unknown-state', `Failed to enter a state: the scenario '${name}' has no states.`)
    if (!states.byName.has(state)) {
      const names = [...states.byName.keys()]
      const near = didYouMean(state, names)
      throw new MockError(
        'unknown-state',
        `Failed to enter ${describeGiven(state)}: there is no such state.${near} States are: ${names.join(', ')}.`,
      )
    }
    const position = { state, sinceMs: this.#elapsedMs, calls: 0 }
    const { session } = options
    this.#change(
      session === undefined ? { type: 'enter', position } : { type: 'set-position', position, sessionName: session },
    )
  }

  get #elapsedMs(): number {
    return this.#state.elapsedMs(this.clock.now())
  }

  reset(): void {
    this.#clearState()
    this.#journal.clear()
    this.bugs.guard('reset the timing', () => this.timing.reset())
  }

  /** Calls `listener` each time an exchange has ended; returns a function that stops that. */
  onExchange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls `listener` when a call was decided, before any of its answer is sent; returns a function that stops that. */
  onBegin(listener: (exchange: Exchange) => void): () => void {
    this.#beginListeners.add(listener)
    return () => this.#beginListeners.delete(listener)
  }

  /**
   * Decides a call and calls `begun`: at once, or in slices when much is to do. Calls of a key are decided in the order
   * in which they arrive. A page has to await `loadTokenizers` first.
   */
  receive(call: Call, begun: (exchange: Exchange) => void, failed: (error: unknown) => void): void {
    this.#queue.add(call, begun, failed)
  }

  /**
   * Decides a call now.
   * @throws Unfinished when a computation has to run first; by default all run at once, and no store is asked.
   */
  begin(call: Call, preparation: Preparation = AT_ONCE): Exchange {
    const context = this.#contextOf(call, preparation)
    const decision = decide(context)
    // From here on nothing may throw: the call is decided, and a slot that it takes is only freed when it ends.
    const entry = this.#journal.add(context, decision.plan, decision.usage)
    this.#apply(decision.effects)
    const exchange = new Exchange(context, decision, entry, this)
    this.#notify('onBegin', this.#beginListeners, exchange)
    return exchange
  }

  /** Decides a call with what the store of shared limits has answered for it. */
  #beginQueued(call: Call, preparation: Preparation): Exchange {
    // Most calls ask no store.
    if (!(preparation instanceof StoredPreparation) || preparation.answered === undefined)
      return this.begin(call, preparation)
    const loading = this.#stored.loadingOf(preparation, call.now)
    if (loading !== undefined) this.#apply([loading])
    try {
      const exchange = this.begin(call, preparation)
      const usedId = exchange.decision.reservation?.sharedId
      this.bugs.guard('give a reservation back', () => this.#stored.releaseUnlessUsed(preparation, usedId))
      return exchange
    } catch (error) {
      if (!isOpen(error)) this.#stored.releaseUnlessUsed(preparation, undefined)
      throw error
    }
  }

  /** Connects to the store of shared limits, if the scenario has one. */
  connectStore(): void {
    this.#stored.connect()
  }

  /** Disconnects from it when the calls in flight have ended. */
  closeStore(): Promise<void> {
    return this.#stored.close()
  }

  /** The reply rule that a call matches; changes nothing. */
  findRule(call: Call): ReplyRule | undefined {
    return this.#contextOf(call, AT_ONCE).matchedRule?.rule
  }

  /** Explains what the next such call would get; changes nothing. */
  async explain(request: ExplainRequest): Promise<Explanation> {
    await loadTokenizers()
    const call = readExplainRequest(request, this.#place)
    return beginInSlices((one, preparation) => explainCall(this.#contextOf(one, preparation)), call, this.#slices)
  }

  get #place() {
    const { bodyLimit, clock } = this
    return { exampleKey: this.#scenario.exampleKey, bodyLimit, now: clock.now(), speed: clock.speed }
  }

  #contextOf(call: Call, preparation: Preparation): CallContext {
    return new CallContext(call, this.#scenario, this.#state, tokenizer, this.#answerLimit, preparation)
  }

  /** Records how an exchange ended, and settles its limits. Called once for each exchange; never throws. */
  ended({ endpoint, sessionId, decision, entry }: Exchange, outcome: Outcome, note?: string): void {
    const now = this.bugs.guard('read the clock', () => this.clock.now()) ?? entry.at
    const playedMs = outcome === 'client-left' ? now - entry.at : Number.POSITIVE_INFINITY
    this.#settle(decision, sessionId, playedMs, now)
    this.bugs.guard('record the end of a call', () => entry.end(outcome, now - entry.at, note))
    this.bugs.guard('count a call', () => this.#counts.add(endpoint, entry.status, outcome))
    this.#notify('onExchange', this.#listeners, entry)
  }

  #settle(decision: Decision, sessionId: SessionId, playedMs: number, now: number): void {
    const { reservation } = decision
    if (reservation === undefined) return
    const effects = this.bugs.guard('count the tokens of a call', () =>
      settleUsage(decision, sessionId, { playedMs, now }),
    )
    // The slot is freed in any case.
    const settled = effects ?? [{ type: 'settle', sessionId, reservation, usedTokens: reservation.tokens, now }]
    this.#apply(settled)
    const { sharedId } = reservation
    if (sharedId === undefined) return
    for (const effect of settled) if (effect.type === 'settle') this.#stored.settle(sharedId, effect.usedTokens)
  }

  /** Applies the effects of a call. */
  #apply(effects: readonly Effect[]): void {
    this.bugs.guard('apply the effects of a call', () => applyEffects(this.#state, effects))
  }

  #notify<Value>(method: string, listeners: ReadonlySet<(value: Value) => unknown>, value: Value): void {
    for (const listener of listeners) {
      try {
        const result = listener(value)
        if (result instanceof Promise) result.catch((error: unknown) => this.bugs.addListener(method, error))
      } catch (error) {
        this.bugs.addListener(method, error)
      }
    }
  }

  #change(effect: Effect): void {
    applyEffects(this.#state, [effect])
  }
}
