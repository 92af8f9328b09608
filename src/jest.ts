/** The package entry point for Jest: matchers, and a mock for the tests of a file. Importing it adds the matchers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { huntTestWith } from './hunt/node.ts'
import type { ScenarioChoice } from './index.ts'
import { type MockMatchers, matchers } from './testing/index.ts'
import { type RunnerMock, type UseMockOptions, useMockWith } from './testing/node.ts'

export type { CallFilter } from './core/journal/filter.ts'
export type { HuntTestOptions } from './hunt/node.ts'
export type { ExpectedCalls, MockMatchers } from './testing/index.ts'
export type { UseMockOptions } from './testing/node.ts'

// For `expect` of @jest/globals.
declare module 'expect' {
  // biome-ignore lint/correctness/noUnusedVariables: expect declares it like this
  interface Matchers<R extends void | Promise<void>, T = unknown> extends MockMatchers<R> {}
}

// For the global `expect` of @types/jest.
declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: @types/jest declares it like this
    // biome-ignore lint/correctness/noUnusedVariables: @types/jest declares it like this
    interface Matchers<R, T = {}> extends MockMatchers<R> {}
  }
}

expect.extend(matchers)

/**
 * The listeners of jest-circus, Jest's own runner, for its events; undefined for another runner. No hook is told whether
 * the test failed. `addEventHandler` of jest-circus adds to this list too, but package managers may hide that package.
 */
const eventHandlers = (globalThis as Record<symbol, unknown>)[Symbol.for('EVENT_HANDLERS')] as
  | ((event: { readonly name: string; readonly test?: { readonly errors: readonly unknown[] } }) => void)[]
  | undefined

/** A mock for the tests of a file. Jest runs no hooks for `test.concurrent`: such tests use `mock.keyOf(name)`. */
export type TestMock = RunnerMock<string>

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
export const useMock: (choice?: ScenarioChoice, options?: UseMockOptions) => TestMock = useMockWith<string>({
  beforeAll,
  beforeEach: (run) => {
    /** Ends the current test; undefined between tests. */
    let ended: ((hasFailed: boolean) => void) | undefined
    beforeEach(() => {
      ended = run(expect.getState().currentTestName ?? '', false)
    })
    eventHandlers?.push(({ name, test }) => {
      if (name !== 'test_done') return
      ended?.(test!.errors.length > 0)
      ended = undefined
    })
  },
  afterAll,
  nameOf: (name) => name,
})

/**
 * Hunts in tests of their own, in a `describe` of this name. Each cause of failures fails one of them.
 * @param name the name of the app, or of what its user does
 * @param choice the scenario that the function runs against
 * @param app the actions of a user of the app; it fails by throwing, and makes the same calls each time
 * @example huntTest('booking', scenario, (mock) => book(new OpenAI({ apiKey: mock.scenario.exampleKey })))
 */
export const huntTest = huntTestWith({ describe, test })
