/** The package entry point for vitest: matchers, and a mock for the tests of a file. Importing it adds the matchers. */
import { afterAll, beforeAll, beforeEach, describe, expect, type TestContext, test } from 'vitest'
import { huntTestWith } from './hunt/node.ts'
import type { ScenarioChoice } from './index.ts'
import { type MockMatchers, matchers } from './testing/index.ts'
import { type RunnerMock, type UseMockOptions, useMockWith } from './testing/node.ts'

export type { CallFilter } from './core/journal/filter.ts'
export type { HuntTestOptions } from './hunt/node.ts'
export type { ExpectedCalls, MockMatchers } from './testing/index.ts'
export type { UseMockOptions } from './testing/node.ts'

// This augmentation only works because the declarations of this file import a type of vitest (`Task`).
declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: vitest declares it like this
  // biome-ignore lint/correctness/noUnusedVariables: vitest declares it like this
  interface Assertion<T = any> extends MockMatchers<void> {}
}

expect.extend(matchers)

/** A test, as its context has it. */
type Task = TestContext['task']

/** A mock for the tests of a file. */
export type TestMock = RunnerMock<Task>

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
export const useMock: (choice?: ScenarioChoice, options?: UseMockOptions) => TestMock = useMockWith<Task>({
  beforeAll,
  beforeEach: (run) =>
    beforeEach(({ task, onTestFinished }) => {
      const ended = run(task, task.concurrent === true)
      // A test that is expected to fail (`test.fails`) has not failed then.
      onTestFinished(() => ended(task.result?.state === 'fail' && task.fails !== true))
    }),
  afterAll,
  // `test/agent.test.ts > booking > the app retries`
  nameOf: (task) => {
    const names: string[] = []
    for (let part: Task | Task['suite'] = task; part !== undefined; part = part.suite) names.unshift(part.name)
    return [task.file.name, ...names].join(' > ')
  },
})

/**
 * Hunts in tests of their own, in a `describe` of this name. Each cause of failures fails one of them.
 * @param name the name of the app, or of what its user does
 * @param choice the scenario that the function runs against
 * @param app the actions of a user of the app; it fails by throwing, and makes the same calls each time
 * @example huntTest('booking', scenario, (mock) => book(new OpenAI({ apiKey: mock.scenario.exampleKey })))
 */
export const huntTest = huntTestWith({ describe, test })
