/**
 * The mock as users see it, and its options.
 *
 *     mock.calls(), mock.inject(...), mock.reset()     methods for users; each asks the engine
 *     engineOf(mock)                                   the engine itself, for this package only
 */

import type { Use } from '../core/decide/call/rule-usage.ts'
import type { Explanation } from '../core/decide/pipeline/explain.ts'
import { SESSION_OPTION } from '../core/decide/state/session-id.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { CallFilter } from '../core/journal/filter.ts'
import type { KeyUsage } from '../core/journal/limit-usage.ts'
import { isObject } from '../core/lib/text/json.ts'
import { checkOptions, describeGiven, type OptionChecks, wholeNumber } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import type { FaultName, FaultOptionsOf } from '../generated/fault-types.ts'
import { allowedSpeeds, type Clock, isSpeed } from './clock/clock.ts'
import type { ExplainRequest } from './control/explain-request.ts'
import type { InjectOptions } from './control/injection.ts'
import { Engine, type MockSettings } from './engine.ts'
import type { Timing } from './timing/timing.ts'

/** The part of the scenario that users can read. */
type ScenarioInfo = Pick<Scenario, 'name' | 'description' | 'seed' | 'exampleKey' | 'source'>

/** The engine behind a mock: for the parts of this package that serve it. Assigned once, by the class, which alone can read it. */
export let engineOf: <Time extends Clock>(mock: Mock<Time>) => Engine<Time>

export class Mock<Time extends Clock = Clock> {
  readonly #engine: Engine<Time>

  static {
    engineOf = (mock) => {
      if (isObject(mock) && #engine in mock) return mock.#engine
      throw new MockError(
        'invalid-option',
        `Expected a mock, as createMock() returns it, got ${describeGiven(mock)}. A mock of another copy of the package does not work either.`,
      )
    }
  }

  constructor(scenario: Scenario, settings?: MockSettings) {
    this.#engine = new Engine(scenario, settings)
  }

  /** Its time. That of a mock made with `clock: 'manual'` is moved by `await mock.clock.advance('60s')`. */
  get clock(): Time {
    return this.#engine.clock
  }

  /** The exactness of its waits: `mock.timing.report()`. */
  get timing(): Timing {
    return this.#engine.timing
  }

  /** The active scenario: its name, description, seed, a key that works, and its source. */
  get scenario(): ScenarioInfo {
    return this.#engine.scenario
  }

  /** The last exchanges (1,000 unless set otherwise), oldest first, each as it is now. */
  get journal(): readonly JournalEntry[] {
    return this.#engine.view.calls.map((exchange) => exchange.toJSON())
  }

  /**
   * The calls of the journal that match a filter, oldest first.
   * @throws FilterError when the filter has an unknown name or a wrong value.
   * @example mock.calls({ endpoint: 'chat', user: /weather/, status: 429 })
   */
  calls(filter: CallFilter = {}): readonly JournalEntry[] {
    return this.#engine.view.find(filter).map((exchange) => exchange.toJSON())
  }

  /** Removes all calls from the journal; limits, sequences and states stay. */
  clearJournal(): void {
    this.#engine.view.clearJournal()
  }

  /** The number of uses of each rule, fault and limit of the scenario since the scenario was applied or reset. */
  get usage(): readonly Use[] {
    return this.#engine.view.usage
  }

  /** The used part of the limits of each key, or session of it: the fullest first, at most 100; empty without limits. */
  get limitUsage(): readonly KeyUsage[] {
    return this.#engine.view.limitUsage
  }

  /**
   * Makes the next calls fail with a fault.
   * @param fault the name of a fault, or a status from 400 to 599.
   * @param options how many calls, which ones, and the fault's own options. Default: the next call.
   * @throws MockError when there is no such fault, or the fault has no such option.
   * @example mock.inject('rate-limit', { times: 2, retryAfter: 0 })
   */
  inject<Name extends FaultName | number>(fault: Name, options?: InjectOptions & FaultOptionsOf<Name>): void {
    this.#engine.ofSession(options?.session).inject(fault, options)
  }

  /** The injected faults that have calls left to apply to. */
  get injected(): readonly { readonly fault: string; readonly remaining: number }[] {
    return this.#engine.view.injected.map(({ fault, remaining }) => ({ fault, remaining }))
  }

  /**
   * Removes all injected faults.
   * @param options `session`: only those that were injected for this session.
   * @throws MockError when an option is unknown or wrong.
   */
  clearFaults(options: SessionOptions = {}): void {
    checkOptions('clearFaults', options, SESSION_OPTIONS)
    this.#engine.ofSession(options.session).clearFaults()
  }

  /** The state that calls without a session find the scenario in; undefined for a scenario without states. */
  get state(): string | undefined {
    return this.#engine.view.position?.state
  }

  /**
   * Moves the scenario to one of its states, for all keys and sessions. The state then lasts as long as the scenario says.
   * @param options `session`: only for the calls of this session.
   * @throws MockError when the scenario has no state of that name, or an option is unknown or wrong.
   * @example mock.enter('down')
   */
  enter(state: string, options: SessionOptions = {}): void {
    checkOptions('enter', options, SESSION_OPTIONS)
    this.#engine.ofSession(options.session).enter(state)
  }

  /**
   * Explains what the next such call would get, by which rule, fault or limit, and which others were passed over and
   * why. It changes nothing: no attempt, limit or sequence is counted, and the journal has no entry.
   * @throws MockError for an unknown field or a value of a wrong type.
   * @example (await mock.explain({ body: { model: 'echo-1', messages } })).passedOver
   */
  explain(request: ExplainRequest): Promise<Explanation> {
    return this.#engine.explain(request)
  }

  /**
   * Clears everything that was remembered: sessions, limits, sequences, injected faults, states, the journal and the
   * timing. The scenario stays. Tests that run beside others use a session each, and need no reset.
   * @param options `session`: only what was remembered of this session.
   * @throws MockError when an option is unknown or wrong.
   */
  reset(options: SessionOptions = {}): void {
    checkOptions('reset', options, SESSION_OPTIONS)
    this.#engine.reset(options.session)
  }

  /** Calls `listener` each time an exchange has ended; returns a function that stops that. */
  onExchange(listener: (entry: JournalEntry) => void): () => void {
    return this.#engine.finished.add(listener)
  }
}

/** Options for what concerns all sessions or one. */
export interface SessionOptions {
  /** Only this session. Default: all. */
  readonly session?: string | undefined
}

export const SESSION_OPTIONS: OptionChecks<SessionOptions> = { session: SESSION_OPTION }

export type ClockChoice = 'manual' | Clock

/** Options for `createMock`. */
export interface MockOptions<Time extends ClockChoice = ClockChoice> extends Omit<MockSettings, 'clock'> {
  /**
   * The address that the app calls, ending in `/v1`, as clients name it. In a browser it may be relative to the page.
   * Default: `https://api.openai.com/v1`.
   */
  readonly baseURL?: string | undefined
  /** Overrides the scenario's seed. */
  readonly seed?: number | string | undefined
  /**
   * `'manual'`: time stops until `mock.clock.advance('60s')`. A clock, such as another mock's: both mocks share it.
   * Default: real time.
   */
  readonly clock?: Time | undefined
}

/** Every option of createMock, to refuse others and wrong values. */
export const MOCK_OPTIONS: OptionChecks<MockOptions> = {
  baseURL: {
    expected: "an address, such as 'https://api.example.com/v1'",
    isValid: (value) => typeof value === 'string' || value instanceof URL,
  },
  seed: {
    expected: 'a number or a text',
    isValid: (value) => typeof value === 'string' || Number.isFinite(value),
  },
  clock: {
    expected: "'manual' or a clock, such as that of another mock",
    isValid: (value) =>
      value === 'manual' ||
      (isObject(value) &&
        typeof value.now === 'function' &&
        typeof value.wake === 'function' &&
        typeof value.speed === 'number'),
    words: ['manual'],
  },
  bodyLimit: wholeNumber(1),
  answerLimit: wholeNumber(1),
  speed: {
    // A getter, because the text takes 10 ms to make.
    get expected() {
      return allowedSpeeds()
    },
    isValid: (value) => typeof value === 'number' && isSpeed(value),
  },
  // The journal checks its bounds itself.
  journal: true,
}
