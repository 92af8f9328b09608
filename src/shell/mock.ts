/** The mock: a scenario, its memory, a clock and a journal. The one thing that changes; the shells share it. */
import { decide } from '../core/decide.ts'
import { readFault } from '../core/faults/catalogue.ts'
import type { CallFilter } from '../core/journal/call-filter.ts'
import type { FilterOptions } from '../core/journal/conditions.ts'
import type { JournalEntry, Outcome } from '../core/journal/entry.ts'
import { type CompiledFilter, compileFilter } from '../core/journal/filter.ts'
import { countUse, type Use, usageOf } from '../core/journal/usage.ts'
import { Memory } from '../core/memory.ts'
import type { Plan } from '../core/plan.ts'
import type { Scenario } from '../core/scenario/compile.ts'
import { type Call, Turn } from '../core/turn.ts'
import { type Clock, systemClock } from './clock.ts'
import { Journal, type JournalSettings } from './journal.ts'
import type { Recorded } from './recorded.ts'
import { isLoaded, loadTokenizer, tokenizer } from './tokenizers.ts'

const DEFAULT_BODY_LIMIT = 10_000_000
const MOST_INJECTED = 1000

export interface MockSettings {
  /** Largest request body in bytes. Default: 10,000,000. */
  readonly bodyLimit?: number
  readonly clock?: Clock
  /** The bounds of the journal. Default: 1,000 calls, and 32 MB for their bodies and answers. */
  readonly journal?: JournalSettings
}

/** How a fault is put in by hand. */
export interface InjectOptions {
  /** How many calls it strikes. Default: 1. */
  readonly times?: number
  /** Only calls to this endpoint. Default: both. */
  readonly endpoint?: 'chat' | 'embeddings'
  /** Only calls with this key. Default: any. */
  readonly key?: string
  /** The fault's own options, such as `retryAfter: '2s'` or `after: 3`. */
  readonly [option: string]: string | number | undefined
}

/** One call with its plan; the shell that plays it says how it ended. */
export class Exchange {
  readonly turn: Turn
  readonly plan: Plan
  readonly entry: Recorded
  readonly #mock: Mock

  constructor(turn: Turn, plan: Plan, entry: Recorded, mock: Mock) {
    this.turn = turn
    this.plan = plan
    this.entry = entry
    this.#mock = mock
  }

  /** Notes for the journal that the first so many events of the plan are done by now. */
  sent(events: number): void {
    this.entry.mark(events, this.#mock.clock.now() - this.entry.at)
  }

  end(outcome: Outcome): void {
    this.#mock.ended(this.entry, outcome)
  }
}

type Listener = (entry: JournalEntry) => void

export class Mock {
  readonly clock: Clock
  readonly bodyLimit: number
  #scenario: Scenario
  readonly #memory = new Memory()
  readonly #journal: Journal
  readonly #listeners = new Set<Listener>()

  constructor(scenario: Scenario, settings: MockSettings = {}) {
    const { bodyLimit = DEFAULT_BODY_LIMIT, clock = systemClock, journal } = settings
    this.#scenario = scenario
    this.bodyLimit = bodyLimit
    this.clock = clock
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
    const { matches } = this.filter(filter, options)
    return [...this.#journal].filter(matches).map((entry) => entry.toJSON())
  }

  /** A filter, read once: it also tells what a call would have to have otherwise. */
  filter(filter: CallFilter, options: Pick<FilterOptions, 'compilePattern'> = {}): CompiledFilter {
    return compileFilter(filter, { now: this.clock.now(), ...options })
  }

  /** How often each rule, fault and limit of the scenario has spoken since it was put in force, or since a reset. */
  get usage(): readonly Use[] {
    return usageOf(this.#memory, this.#scenario.source)
  }

  /** Faults put in by hand that have not struck yet. */
  get injected(): readonly { readonly fault: string; readonly remaining: number }[] {
    return this.#memory.injections.map(({ name, remaining }) => ({ fault: name, remaining }))
  }

  /** Puts another scenario in force and forgets sessions and injected faults; the journal stays. */
  run(scenario: Scenario): void {
    this.#scenario = scenario
    this.#memory.reset()
  }

  /**
   * Makes the next calls meet a fault.
   * @throws when there is no such fault, or the fault has no such option.
   * @example mock.inject('rate-limit', { times: 2, retryAfter: '2s' })
   */
  inject(fault: string | number, options: InjectOptions = {}): void {
    const { times = 1, endpoint, key, ...own } = options
    const refuse = (what: string, found: unknown, allowed: string): never => {
      const shown = typeof found === 'object' ? 'an object' : found
      throw new Error(`Failed to inject '${fault}': found ${what} ${shown}, allowed is ${allowed}.`)
    }
    if (!Number.isInteger(times) || times < 1) refuse('times', times, 'a whole number from 1')
    if (endpoint !== undefined && !['chat', 'embeddings'].includes(endpoint)) {
      refuse('endpoint', `'${endpoint}'`, 'chat or embeddings')
    }
    if (key !== undefined && typeof key !== 'string') refuse('key', key, 'the text of a key')
    if (this.#memory.injections.length >= MOST_INJECTED) {
      throw new Error(`Failed to inject '${fault}': ${MOST_INJECTED} faults are waiting already. Clear them first.`)
    }
    const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
    const reading = readFault(fault, given)
    if ('problem' in reading) throw new Error(`Failed to inject: ${reading.problem}`)
    this.#memory.inject({
      name: String(fault),
      strike: reading.strike,
      remaining: times,
      match: (facts) =>
        (endpoint === undefined || facts.endpoint === endpoint) && (key === undefined || facts.key === key)
          ? {}
          : undefined,
    })
  }

  /** Takes back the faults that were put in by hand. */
  clearFaults(): void {
    this.#memory.clearInjections()
  }

  clearJournal(): void {
    this.#journal.clear()
  }

  /** Forgets everything: sessions, limits, sequences, injected faults and the journal. The scenario stays. */
  reset(): void {
    this.#memory.reset()
    this.#journal.clear()
  }

  /** Calls back when an exchange has ended; returns the way to stop that. */
  onExchange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Opens and decides a call. It answers at once, unless the model's tokenizer has yet to be loaded.
   * The order of calls is the order of `begin`, whatever is loaded in between.
   */
  begin(call: Call): Exchange | Promise<Exchange> {
    const turn = new Turn(call, this.#scenario, this.#memory, tokenizer)
    if (turn.model === '' || isLoaded(turn.encoding)) return this.#decide(turn)
    return loadTokenizer(turn.encoding).then(() => this.#decide(turn))
  }

  #decide(turn: Turn): Exchange {
    const plan = decide(turn)
    const entry = this.#journal.add(turn, plan)
    const { reason, rule } = entry
    if (rule !== undefined || reason.by === 'fault' || reason.by === 'limit') {
      countUse(turn.memory, turn.scenario.source, { reason, rule, key: turn.key })
    }
    return new Exchange(turn, plan, entry, this)
  }

  /** Notes how an exchange ended; the first word on it counts. */
  ended(entry: Recorded, outcome: Outcome): void {
    if (entry.outcome !== 'open') return
    entry.end(outcome, this.clock.now() - entry.at)
    for (const listener of this.#listeners) listener(entry)
  }
}
