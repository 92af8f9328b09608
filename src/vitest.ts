/** The door for vitest: matchers on a mock, and a mock for the tests of a file. Importing it adds the matchers. */
import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest'
import type { CallFilter } from './core/journal/filter/call-filter.ts'
import { Mock as BaseMock, engineOf } from './engine/mock.ts'
import { Mock, type MockOptions, type ScenarioChoice } from './index.ts'
import { testKey } from './matchers/test-key.ts'
import {
  behaved,
  type ExpectedCalls,
  hadNoUnmatchedCalls,
  received,
  usedEveryRule,
  type Verdict,
} from './matchers/verification.ts'
import { type Interception, type InterceptOptions, intercept } from './msw/intercept.ts'

export type { CallFilter } from './core/journal/filter/call-filter.ts'
export type { ExpectedCalls } from './matchers/verification.ts'

/** What `expect(mock)` has besides. */
export interface MockMatchers<Result = unknown> {
  /**
   * The mock received the calls that a filter names: one or more, or exactly so many `times`.
   * @example expect(mock).toHaveReceived({ endpoint: 'chat', user: /weather/, times: 2 })
   */
  toHaveReceived(expected?: ExpectedCalls): Result
  /** Every reply rule of the scenario has spoken since it was put in force, or since the last reset. */
  toHaveUsedEveryRule(): Result
  /** A reply rule matched every chat. Holds in a scenario without rules. */
  toHaveNoUnmatchedCalls(filter?: CallFilter): Result
  /**
   * The client made no mistake: no retry before `retry-after` had passed, of a 400 or 401, against `x-should-retry`,
   * without bound, without growth or jitter in its waits, and no key in an address.
   */
  toHaveBehaved(filter?: CallFilter): Result
}

// Heard of only because the declarations of this file import a type of vitest: `Task` sees to that.
declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the type that is added to has it so
  interface Assertion<T = any> extends MockMatchers<T> {}
}

expect.extend({
  toHaveReceived: matcher('toHaveReceived', (mock, expected: ExpectedCalls = {}) => received(mock, expected)),
  toHaveUsedEveryRule: matcher('toHaveUsedEveryRule', usedEveryRule),
  toHaveNoUnmatchedCalls: matcher('toHaveNoUnmatchedCalls', hadNoUnmatchedCalls),
  toHaveBehaved: matcher('toHaveBehaved', behaved),
})

/** Checks what `expect` was given; a mistake there is no failed expectation, with or without `.not`. */
function matcher<Rest extends unknown[]>(name: string, verdict: (mock: BaseMock, ...rest: Rest) => Verdict) {
  return (mock: unknown, ...rest: Rest): Verdict => {
    if (mock instanceof BaseMock) return verdict(mock, ...rest)
    throw new TypeError(
      `${name}: found ${mock === null ? 'null' : `a ${typeof mock}`}, needed is a mock, as createMock or useMock makes it.`,
    )
  }
}

/** A test as its own context has it. */
type Task = TestContext['task']

/** A mock for the tests of a file. */
export class TestMock extends Mock {
  #task: Task | 'several' | undefined

  /**
   * The key of the test that runs: its own, so that no test sees the attempts, limits and sequences of another.
   * @throws in tests that run at the same time: they use `keyOf(task)`.
   */
  get key(): string {
    if (this.#task === 'several') {
      throw new Error(
        'Several tests run at the same time: take the key of each with mock.keyOf(task), from its context.',
      )
    }
    return this.#task === undefined ? this.scenario.exampleKey : this.keyOf(this.#task)
  }

  /**
   * The key of a test, made from its name; for tests that run at the same time.
   * @example test.concurrent('...', async ({ task }) => { const key = mock.keyOf(task) })
   */
  keyOf(task: Task): string {
    const names: string[] = []
    for (let one: Task | Task['suite'] = task; one !== undefined; one = one.suite) names.unshift(one.name)
    return testKey(engineOf(this).scenario, [task.file.name, ...names].join(' > '))
  }

  /** Begins anew for a test; with others at work at the same time nothing is forgotten, as it may be theirs. */
  beginTest(task: Task, isConcurrent: boolean, begin: () => void): void {
    this.#task = isConcurrent ? 'several' : task
    if (!isConcurrent) begin()
  }
}

/** How a mock for tests is made. */
export interface UseMockOptions extends MockOptions, InterceptOptions {}

/**
 * A mock for the tests of this file (or of the `describe` around it): it answers what they send to its base URL, in
 * process, begins anew before each test - scenario, sessions, faults and journal - and goes when all are done.
 * @param choice a built-in scenario's name (default: `default`), or a scenario.
 * @example
 * const mock = useMock('flaky')
 * test('the app retries', async () => {
 *   await ask(new OpenAI({ apiKey: mock.key }))
 *   expect(mock).toHaveReceived({ status: 500, times: 1 })
 * })
 */
export function useMock(choice: ScenarioChoice = 'default', options: UseMockOptions = {}): TestMock {
  const { onUnhandledRequest = 'bypass', ...settings } = options
  const mock = new TestMock(choice, settings)
  let interception: Interception | undefined
  beforeAll(() => {
    interception = intercept(mock, { onUnhandledRequest })
  })
  beforeEach(({ task }) => {
    mock.beginTest(task, task.concurrent === true, () => {
      mock.use(choice)
      mock.reset()
    })
  })
  afterAll(() => interception?.close())
  return mock
}
