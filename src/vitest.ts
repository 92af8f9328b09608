/** The package entry point for vitest: matchers, and a mock for the tests of a file. Importing it adds the matchers. */
import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest'
import { checkOptions } from './core/errors/check-options.ts'
import type { CallFilter } from './core/journal/filter/call-filter.ts'
import { Mock as BaseMock, engineOf } from './engine/mock.ts'
import { MOCK_OPTIONS } from './engine/mock-options.ts'
import { Mock, MockError, type MockOptions, type ScenarioChoice } from './index.ts'
import { testKey } from './matchers/test-key.ts'
import {
  checkAllMatched,
  checkBehaviour,
  checkReceived,
  checkRulesUsed,
  type ExpectedCalls,
  type Verdict,
} from './matchers/verification.ts'
import { INTERCEPT_OPTIONS, type Interception, type InterceptOptions, intercept } from './msw/intercept.ts'

export type { CallFilter } from './core/journal/filter/call-filter.ts'
export type { ExpectedCalls } from './matchers/verification.ts'

/** The matchers that this entry point adds to `expect(mock)`. */
export interface MockMatchers<Result = unknown> {
  /**
   * Passes when the mock received calls that match a filter: one or more, or exactly `times`.
   * @throws MockError when the filter or `times` is wrong.
   * @example expect(mock).toHaveReceived({ endpoint: 'chat', user: /weather/, times: 2 })
   */
  toHaveReceived(expected?: ExpectedCalls): Result
  /** Passes when every reply rule matched a call since the scenario was applied or reset. */
  toHaveUsedEveryRule(): Result
  /** Passes when a reply rule matched every chat (of those that match `filter`), or when the scenario has no rules. */
  toHaveNoUnmatchedCalls(filter?: CallFilter): Result
  /**
   * Passes when the client made no mistake: it sent no key in an address, and its retries kept `retry-after` and
   * `x-should-retry`, were bounded, grew their waits with jitter, and did not repeat a 400 or 401.
   */
  toHaveBehaved(filter?: CallFilter): Result
}

// This augmentation only works because the declarations of this file import a type of vitest (`Task`).
declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: vitest declares it like this
  interface Assertion<T = any> extends MockMatchers<T> {}
}

expect.extend({
  toHaveReceived: matcher('toHaveReceived', (mock, expected: ExpectedCalls = {}) => checkReceived(mock, expected)),
  toHaveUsedEveryRule: matcher('toHaveUsedEveryRule', checkRulesUsed),
  toHaveNoUnmatchedCalls: matcher('toHaveNoUnmatchedCalls', checkAllMatched),
  toHaveBehaved: matcher('toHaveBehaved', checkBehaviour),
})

/** Checks the value given to `expect`. A wrong value is an error, not a failed expectation, so `.not` cannot hide it. */
function matcher<Rest extends unknown[]>(name: string, check: (mock: BaseMock, ...rest: Rest) => Verdict) {
  return (mock: unknown, ...rest: Rest): Verdict => {
    if (mock instanceof BaseMock) return check(mock, ...rest)
    throw new MockError(
      'invalid-option',
      `${name}: expected a mock made with createMock or useMock, got ${mock === null ? 'null' : typeof mock}.`,
    )
  }
}

/** A test, as its context has it. */
type Task = TestContext['task']

/** The running test of each mock; 'several' while concurrent tests run. */
const tasks = new WeakMap<TestMock, Task | 'several'>()

/** A mock for the tests of a file. */
export class TestMock extends Mock {
  /**
   * The API key of the running test. Each test has its own, so it shares no attempts, limits or sequences with others.
   * @throws MockError in concurrent tests: they use `keyOf(task)`.
   */
  get key(): string {
    const task = tasks.get(this)
    if (task === 'several') {
      throw new MockError(
        'ambiguous-test',
        'Failed to read mock.key: several tests run at the same time. Use mock.keyOf(task) with the task of the test context.',
      )
    }
    return task === undefined ? this.scenario.exampleKey : this.keyOf(task)
  }

  /**
   * The API key of a test, made from its name; for concurrent tests.
   * @example test.concurrent('...', async ({ task }) => { const key = mock.keyOf(task) })
   */
  keyOf(task: Task): string {
    const names: string[] = []
    for (let one: Task | Task['suite'] = task; one !== undefined; one = one.suite) names.unshift(one.name)
    return testKey(engineOf(this).scenario, [task.file.name, ...names].join(' > '))
  }
}

/** How a mock for tests is set up. */
export interface UseMockOptions extends MockOptions, InterceptOptions {}

/**
 * Creates a mock for the tests of this file, or of the `describe` around it. It answers their calls to its base URL in
 * process. Scenario, sessions, faults and journal are reset before each test, and the interception ends after the last.
 * @param choice the name of a built-in scenario, or a scenario as an object. Default: `default`, which echoes.
 * @throws ScenarioError with every problem of the scenario at once; MockError when an option is unknown or wrong.
 * @example
 * const mock = useMock('flaky')
 * test('the app retries', async () => {
 *   await ask(new OpenAI({ apiKey: mock.key }))
 *   expect(mock).toHaveReceived({ status: 500, times: 1 })
 * })
 */
export function useMock(choice: ScenarioChoice = 'default', options: UseMockOptions = {}): TestMock {
  checkOptions<UseMockOptions>('useMock', options, { ...MOCK_OPTIONS, ...INTERCEPT_OPTIONS })
  const { onUnhandledRequest = 'bypass', ...settings } = options
  const mock = new TestMock(choice, settings)
  let interception: Interception | undefined
  beforeAll(() => {
    interception = intercept(mock, { onUnhandledRequest })
  })
  beforeEach(({ task }) => {
    tasks.set(mock, task.concurrent === true ? 'several' : task)
    // Concurrent tests share the mock, so none of them may reset it.
    if (task.concurrent === true) return
    mock.use(choice)
    mock.reset()
  })
  afterAll(() => interception?.close())
  return mock
}
