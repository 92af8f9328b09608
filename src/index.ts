/**
 * The package entry point for tests and browsers: a mock that answers in process, through msw.
 *
 *     const mock = createMock('rate-limited')
 *     setupServer(...mock.handlers).listen()
 */
import type { HttpHandler } from 'msw'
import { checkSessionName } from './core/decide/state/session-id.ts'
import { didYouMean } from './core/lib/text/did-you-mean.ts'
import { checkOptions } from './core/protocol/errors/check-options.ts'
import { MockError } from './core/protocol/errors/mock-error.ts'
import { sessionUrl, trimSlashes } from './core/protocol/request/request-path.ts'
import { prepareSource } from './core/scenario/check/prepare-source.ts'
import { compileScenario, type Scenario } from './core/scenario/compile/compile.ts'
import { compilePattern } from './core/scenario/compile/pattern.ts'
import {
  Mock as BaseMock,
  type Clock,
  type ClockChoice,
  engineOf,
  ManualClock,
  MOCK_OPTIONS,
  type MockOptions,
  resolveSessions,
  SESSION_OPTIONS,
  type SessionOptions,
} from './engine/index.ts'
import { builtInScenarios } from './generated/built-in.ts'
import type { ScenarioInput } from './generated/scenario-input.ts'
import { handlersOf } from './msw/index.ts'

export type { Use } from './core/decide/call/rule-usage.ts'
export type { Explanation, PassedOver } from './core/decide/pipeline/explain.ts'
export type { CallUsage, JournalEntry, Outcome, Step } from './core/journal/entry.ts'
export type { CallFilter, CompiledFilter } from './core/journal/filter.ts'
export { FilterError } from './core/journal/filter-fields.ts'
export type { JournalSettings } from './core/journal/journal.ts'
export type { Duration } from './core/lib/text/duration.ts'
export { isMockError, MockError, type MockErrorCode } from './core/protocol/errors/mock-error.ts'
export type { Reason } from './core/protocol/plan/plan.ts'
export type {
  CallFunction,
  ReplyAnswer,
  ReplyCall,
  ReplyFunction,
  ReplyRequest,
  ReplyText,
  SayFunction,
} from './core/protocol/turn/reply-function.ts'
export type { OutputFormat, Tool, Tools, Turn } from './core/protocol/turn/turn.ts'
export type { Difference } from './core/scenario/check/describe-values.ts'
export type { NearMiss } from './core/scenario/check/near-miss.ts'
export { ScenarioError } from './core/scenario/check/problem.ts'
export type {
  Clock,
  ExplainRequest,
  InjectOptions,
  ManualClock,
  MockOptions,
  SessionOptions as EnterOptions,
  SessionOptions,
} from './engine/index.ts'
export type { FaultName, FaultOptionsOf } from './generated/fault-types.ts'
export type { Rate, ScenarioInput } from './generated/scenario-input.ts'

/** The name of a built-in scenario, or a scenario as an object. */
export type ScenarioChoice = keyof typeof builtInScenarios | ScenarioInput

const DEFAULT_BASE_URL = 'https://api.openai.com/v1'

/** A mock that answers in process. */
export class Mock<Time extends Clock = Clock> extends BaseMock<Time> {
  /** The address that it answers, for clients: `new OpenAI({ baseURL: mock.baseURL })`. Has no slash at its end. */
  readonly baseURL: string
  readonly #seed: number | string | undefined
  #handlers: HttpHandler[] | undefined

  constructor(choice: ScenarioChoice = 'default', options: MockOptions = {}) {
    checkOptions('createMock', options, MOCK_OPTIONS)
    const { baseURL = DEFAULT_BASE_URL, seed, clock, ...settings } = options
    super(compileChoice(choice, seed), {
      ...settings,
      ...(clock !== undefined && { clock: clock === 'manual' ? new ManualClock() : clock }),
    })
    this.#seed = seed
    this.baseURL = trimSlashes(readBaseURL(baseURL).href)
  }

  /** The msw handlers, for `setupServer(...mock.handlers)` in Node and `setupWorker(...mock.handlers)` in the browser. */
  get handlers(): HttpHandler[] {
    // Made when asked for: a mock that is only played over HTTP does not load msw.
    this.#handlers ??= handlersOf(engineOf(this), new URL(this.baseURL))
    return this.#handlers
  }

  /**
   * The base URL of a session, for clients that share a key: `new OpenAI({ baseURL: mock.baseURLOf('test-1') })`. Its
   * attempts, limits, sequences and states are its own.
   * @param session 1 to 128 letters, digits, `.`, `_`, `~` or `-`. It never changes the bytes of an answer.
   * @throws MockError for any other name.
   */
  baseURLOf(session: string): string {
    return sessionUrl(this.baseURL, checkSessionName('baseURLOf', session))
  }

  /**
   * Applies another scenario and forgets sessions and injected faults; the journal stays.
   * @param options `session`: only for the calls of this session, which then has a scenario and a state of its own.
   * @throws ScenarioError with every problem of the scenario at once; MockError when no built-in scenario has the name, or
   * an option is unknown or wrong.
   * @example mock.use('rate-limited')
   */
  use(choice: ScenarioChoice, options: SessionOptions = {}): void {
    checkOptions('use', options, SESSION_OPTIONS)
    engineOf(this).use(compileChoice(choice, this.#seed), options.session)
  }
}

/**
 * Creates a mock of the API that answers in process.
 * @param choice the name of a built-in scenario, or a scenario as an object. Default: `default`, which echoes.
 * @throws ScenarioError with every problem of the scenario at once; MockError when an option is unknown or wrong.
 * @example const server = setupServer(...createMock('rate-limited').handlers)
 */
export function createMock<Time extends ClockChoice = Clock>(
  choice: ScenarioChoice = 'default',
  options: MockOptions<Time> = {},
): Mock<Time extends 'manual' ? ManualClock : Time> {
  return new Mock(choice, options)
}

function compileChoice(choice: ScenarioChoice, seed: number | string | undefined): Scenario {
  if (typeof choice !== 'string') {
    const source = resolveSessions(prepareSource(choice))
    return compileScenario(source, { name: 'in code', seed, compilePattern })
  }
  if (!Object.hasOwn(builtInScenarios, choice)) {
    const near = didYouMean(choice, Object.keys(builtInScenarios))
    throw new MockError(
      'unknown-scenario',
      `Unknown scenario '${choice}'.${near} See all: npx api-mock list, or docs/scenarios.md. To load a file, use loadScenario() of llm-api-mock/node.`,
    )
  }
  return compileScenario(builtInScenarios[choice], { name: choice, seed, compilePattern })
}

/** Reads the address that a mock answers. In a browser, it may be a path: `/v1`. */
function readBaseURL(baseURL: string): URL {
  const isPath = /^\.?\//.test(baseURL)
  const base = isPath ? globalThis.location?.href : undefined
  const url = URL.canParse(baseURL, base) ? new URL(baseURL, base) : undefined
  // Without a scheme, `localhost:4010/v1` would be an address of the scheme `localhost:`.
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new MockError(
    'invalid-option',
    `Failed to create the mock: expected baseURL to be an address with a scheme, such as 'https://api.example.com/v1', got '${baseURL}'.`,
  )
}
