/** The door for tests and browsers: a mock that answers in process, through msw. */
import type { HttpHandler } from 'msw'
import { builtInScenarios } from './core/scenario/built-in.ts'
import { compileScenario, type Scenario } from './core/scenario/compile/compile.ts'
import { compilePattern } from './core/scenario/compile/pattern.ts'
import { prepareSource, type ScenarioInput } from './core/scenario/diagnostics/problems.ts'
import { didYouMean } from './core/text/did-you-mean.ts'
import type { Clock } from './engine/clock/clock.ts'
import { ManualClock } from './engine/clock/manual-clock.ts'
import type { MockSettings } from './engine/engine.ts'
import { Mock as BaseMock, engineOf } from './engine/mock.ts'
import { handlersOf } from './msw/handlers.ts'

export type { JournalEntry, Outcome, Step } from './core/journal/entry.ts'
export type { CallFilter } from './core/journal/filter/call-filter.ts'
export type { CompiledFilter } from './core/journal/filter/compile-filter.ts'
export { FilterError } from './core/journal/filter/conditions.ts'
export type { JournalSettings } from './core/journal/journal.ts'
export type { Use } from './core/journal/rule-usage.ts'
export type { Reason } from './core/plan/plan.ts'
export type { Difference } from './core/scenario/diagnostics/differences.ts'
export type { NearMiss } from './core/scenario/diagnostics/near-miss.ts'
export { ScenarioError, type ScenarioInput } from './core/scenario/diagnostics/problems.ts'
export type { Clock } from './engine/clock/clock.ts'
export type { ManualClock } from './engine/clock/manual-clock.ts'
export type { InjectOptions } from './engine/injection.ts'

/** A built-in scenario's name, or a scenario. */
export type ScenarioChoice = keyof typeof builtInScenarios | ScenarioInput

export interface MockOptions<Time extends ClockChoice = ClockChoice> extends Omit<MockSettings, 'clock'> {
  /** What the app calls; ends in `/v1`. Default: `https://api.openai.com/v1`. */
  readonly baseUrl?: string
  /** Overrides the scenario's seed. */
  readonly seed?: number | string
  /**
   * `'manual'`: time stands still until `mock.clock.advance('60s')`. A clock, such as another mock's: both go by it.
   * Default: real time.
   */
  readonly clock?: Time
}

type ClockChoice = 'manual' | Clock

/** A mock that answers in process. */
export class Mock<Time extends Clock = Clock> extends BaseMock<Time> {
  /** For `setupServer(...mock.handlers)` in Node and `setupWorker(...mock.handlers)` in the browser. */
  readonly handlers: HttpHandler[]
  readonly #seed: number | string | undefined

  constructor(choice: ScenarioChoice = 'default', options: MockOptions = {}) {
    const { baseUrl = 'https://api.openai.com/v1', seed, clock, ...settings } = options
    super(scenarioOf(choice, seed), {
      ...settings,
      ...(clock !== undefined && { clock: clock === 'manual' ? new ManualClock() : clock }),
    })
    this.#seed = seed
    this.handlers = handlersOf(engineOf(this), baseUrl)
  }

  /** Puts another scenario in force and forgets sessions and injected faults. */
  use(choice: ScenarioChoice): void {
    engineOf(this).use(scenarioOf(choice, this.#seed))
  }
}

/**
 * A mock of the API.
 * @param choice a built-in scenario's name (default: `default`), or a scenario as an object.
 * @throws ScenarioError with every problem of the scenario at once.
 * @example const server = setupServer(...createMock('rate-limited').handlers)
 */
export function createMock<Time extends ClockChoice = Clock>(
  choice: ScenarioChoice = 'default',
  options: MockOptions<Time> = {},
): Mock<Time extends 'manual' ? ManualClock : Time> {
  return new Mock(choice, options)
}

function scenarioOf(choice: ScenarioChoice, seed: number | string | undefined): Scenario {
  if (typeof choice !== 'string') {
    return compileScenario(prepareSource(choice), { name: 'in code', seed, compilePattern })
  }
  const names = Object.keys(builtInScenarios)
  if (!Object.hasOwn(builtInScenarios, choice)) {
    throw new Error(
      `There is no scenario '${choice}'.${didYouMean(choice, names)} Built in are: ${names.join(', ')}. A file is loaded with loadScenario() of llm-api-mock/node.`,
    )
  }
  return compileScenario(builtInScenarios[choice], { name: choice, seed, compilePattern })
}
