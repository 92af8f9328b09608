/** The engine of a mock: a scenario, its state, a clock and a journal. All transports of a mock share one engine. */

import { type Call, CallContext } from '../core/call/call-context.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { type CallCount, CallCounts } from '../core/journal/call-counts.ts'
import type { JournalEntry, Outcome } from '../core/journal/entry.ts'
import type { CallFilter } from '../core/journal/filter/call-filter.ts'
import { compileFilter } from '../core/journal/filter/compile-filter.ts'
import type { FilterOptions } from '../core/journal/filter/conditions.ts'
import { Journal, type JournalSettings } from '../core/journal/journal.ts'
import { type KeyUsage, limitUsageOf } from '../core/journal/limit-usage.ts'
import { countUse, type Use, usageOf } from '../core/journal/rule-usage.ts'
import { decide } from '../core/pipeline/decide.ts'
import { settleUsage } from '../core/pipeline/settle-usage.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { SessionStore } from '../core/state/session-store.ts'
import { didYouMean } from '../core/text/did-you-mean.ts'
import { type Clock, realClock } from './clock/clock.ts'
import { Exchange } from './exchange.ts'
import { readInjection } from './injection.ts'
import { Timing } from './timing/timing.ts'
import { isLoaded, loadTokenizer, tokenizer } from './tokenizers.ts'

const DEFAULT_BODY_LIMIT = 10_000_000
const MAX_INJECTED = 1000

export interface MockSettings {
  /** The largest request body, in bytes; a larger one is answered with 413. Default: 10,000,000. */
  readonly bodyLimit?: number | undefined
  /** Simulated seconds per real second, from 0.001 to 1,000,000. Not together with `clock`. Default: 1. */
  readonly speed?: number | undefined
  /** A clock in place of real time. */
  readonly clock?: Clock | undefined
  /** The bounds of the journal. Default: 1,000 calls, and 32 MB for their bodies and answers. */
  readonly journal?: JournalSettings | undefined
}

type Listener = (entry: JournalEntry) => void

export class Engine<Time extends Clock = Clock> {
  /** Its time. One made with `clock: 'manual'` is moved by `await mock.clock.advance('60s')`. */
  readonly clock: Time
  readonly bodyLimit: number
  /** How exact its waits are: `mock.timing.report()`. */
  readonly timing = new Timing()
  #scenario: Scenario
  readonly #memory: SessionStore
  readonly #journal: Journal
  readonly #counts = new CallCounts()
  readonly #listeners = new Set<Listener>()
  readonly #beginListeners = new Set<(exchange: Exchange) => void>()

  constructor(scenario: Scenario, settings: MockSettings = {}) {
    const { bodyLimit = DEFAULT_BODY_LIMIT, speed, clock, journal } = settings
    this.#scenario = scenario
    this.bodyLimit = bodyLimit
    if (clock !== undefined && speed !== undefined) {
      throw new MockError('invalid-option', 'Failed to create the mock: expected speed or clock, got both.')
    }
    // A mock whose time is of a kind of its own was given that clock.
    this.clock = (clock ?? realClock(speed)) as Time
    this.#memory = new SessionStore(this.clock.now())
    this.#journal = new Journal(journal)
  }

  /** The scenario in force. */
  get scenario(): Scenario {
    return this.#scenario
  }

  /** The last 1,000 exchanges (unless set otherwise), oldest first, each as it is now. */
  get journal(): readonly JournalEntry[] {
    return [...this.#journal].map((entry) => entry.toJSON())
  }

  /**
   * The calls of the journal that a filter names, oldest first.
   * @throws FilterError when the filter has an unknown name, or a value that is none.
   * @example mock.calls({ endpoint: 'chat', user: /weather/, status: 429 })
   */
  calls(filter: CallFilter = {}, options: Pick<FilterOptions, 'compilePattern'> = {}): readonly JournalEntry[] {
    const { matches } = compileFilter(filter, { now: this.clock.now(), ...options })
    return [...this.#journal].filter(matches).map((entry) => entry.toJSON())
  }

  /** How often each rule, fault and limit of the scenario has spoken since it was put in force, or since a reset. */
  get usage(): readonly Use[] {
    return usageOf(this.#memory, this.#scenario.source)
  }

  /** One exchange by its number; undefined when the journal has it no more. */
  entry(number: number): JournalEntry | undefined {
    return this.#journal.find(number)?.toJSON()
  }

  /** What the keys have used of their limits, the fullest first, at most 100 of them; none where nothing is limited. */
  get limitUsage(): readonly KeyUsage[] {
    return limitUsageOf(this.#memory.sessions, this.#scenario, this.clock.now())
  }

  /** How many calls have ended since the start, by endpoint, status and outcome. */
  get callCounts(): readonly Readonly<CallCount>[] {
    return this.#counts.all()
  }

  /** Faults put in by hand that have not struck yet. */
  get injected(): readonly { readonly fault: string; readonly remaining: number }[] {
    return this.#memory.injections.map(({ name, remaining }) => ({ fault: name, remaining }))
  }

  /** Puts another scenario in force and forgets sessions and injected faults; the journal stays. */
  use(scenario: Scenario): void {
    this.#scenario = scenario
    this.#memory.reset(this.clock.now())
  }

  /**
   * Makes the next calls meet a fault.
   * @throws when there is no such fault, or the fault has no such option.
   * @example mock.inject('rate-limit', { times: 2, retryAfter: '2s' })
   */
  inject(fault: string | number, options: object = {}): void {
    if (this.#memory.injections.length >= MAX_INJECTED) {
      throw new MockError(
        'too-many-faults',
        `Failed to inject '${fault}': ${MAX_INJECTED} faults are waiting already. Clear them first.`,
      )
    }
    this.#memory.inject(readInjection(fault, options))
  }

  /** Takes back the faults that were put in by hand. */
  clearFaults(): void {
    this.#memory.clearInjections()
  }

  clearJournal(): void {
    this.#journal.clear()
  }

  /** The state that the scenario is in; undefined when it has none. */
  get state(): string | undefined {
    const { states } = this.#scenario
    return states && this.#memory.stateAt(states.machine, this.#elapsedMs)
  }

  /**
   * Puts the scenario in one of its states, for all keys; from there it goes on as it would by itself.
   * @throws when the scenario has no state of that name.
   * @example mock.enter('down')
   */
  enter(state: string): void {
    const { name, states } = this.#scenario
    if (states === undefined)
      throw new MockError('unknown-state', `Failed to enter a state: the scenario '${name}' has no states.`)
    if (!states.byName.has(state)) {
      const names = [...states.byName.keys()]
      const near = didYouMean(state, names)
      const shown = state.slice(0, 100)
      throw new MockError(
        'unknown-state',
        `Failed to enter '${shown}': there is no such state.${near} States are: ${names.join(', ')}.`,
      )
    }
    this.#memory.enterState(state, this.#elapsedMs)
  }

  get #elapsedMs(): number {
    return this.#memory.elapsedMs(this.clock.now())
  }

  /**
   * Forgets everything: sessions, limits, sequences, injected faults, states, the journal and the timing. The scenario
   * stays.
   */
  reset(): void {
    this.#memory.reset(this.clock.now())
    this.#journal.clear()
    this.timing.reset()
  }

  /** Calls back when an exchange has ended; returns the way to stop that. */
  onExchange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls back when a call was decided, before any of its answer is sent; returns the way to stop that. */
  onBegin(listener: (exchange: Exchange) => void): () => void {
    this.#beginListeners.add(listener)
    return () => this.#beginListeners.delete(listener)
  }

  /**
   * Opens and decides a call. It answers at once, unless the model's tokenizer has yet to be loaded.
   * The order of calls is the order of `begin`, whatever is loaded in between.
   */
  begin(call: Call): Exchange | Promise<Exchange> {
    const context = new CallContext(call, this.#scenario, this.#memory, tokenizer)
    if (context.model === '' || isLoaded(context.encoding)) return this.#decide(context)
    return loadTokenizer(context.encoding).then(() => this.#decide(context))
  }

  #decide(context: CallContext): Exchange {
    const plan = decide(context)
    const entry = this.#journal.add(context, plan)
    const { reason, rule } = entry
    if (rule !== undefined || reason.by === 'fault' || reason.by === 'limit') {
      countUse(context.memory, context.scenario.source, { reason, rule, key: context.key })
    }
    const exchange = new Exchange(context, plan, entry, this)
    if (this.#beginListeners.size > 0) for (const listener of this.#beginListeners) listener(exchange)
    return exchange
  }

  /** Notes how an exchange ended, and settles what its limits have counted; the first word on it counts. */
  ended({ context, plan, entry, startedAt }: Exchange, outcome: Outcome, now: number): void {
    if (entry.outcome !== 'open') return
    this.#counts.add(context.endpoint, entry.status, outcome)
    entry.end(outcome, now - entry.at)
    if (context.reservation !== undefined) {
      settleUsage(context, plan, {
        playedMs: outcome === 'client-left' ? now - startedAt : Number.POSITIVE_INFINITY,
        now,
      })
    }
    for (const listener of this.#listeners) listener(entry)
  }
}
