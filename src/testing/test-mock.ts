/**
 * `useMock`: a mock for the tests of a file, for every test runner with hooks. It intercepts calls while the file runs, is
 * reset before each test, gives each test a key of its own, and prints the calls of a failed test.
 */
import { formatCall } from '../core/journal/call-text.ts'
import { hashName } from '../core/lib/random/hash.ts'
import { countOf, escapeControls } from '../core/lib/text/wording.ts'
import { checkOptions } from '../core/protocol/errors/check-options.ts'
import { engineOf, MOCK_OPTIONS } from '../engine/index.ts'
import { Mock, MockError, type MockOptions, type ScenarioChoice } from '../index.ts'
import { INTERCEPT_OPTIONS, type Interception, type InterceptOptions, intercept } from '../msw/node.ts'
import { listUnusedInjections } from './verification.ts'

/** The hooks of a test runner. */
export interface TestRunner<Test> {
  beforeAll(run: () => void): void
  /** @param run is called before each test; the function that it returns, after the test and all its hooks. */
  beforeEach(run: (test: Test, isConcurrent: boolean) => (hasFailed: boolean) => void): void
  afterAll(run: () => void): void
  /** The name of a test, which its key is made from. */
  nameOf(test: Test): string
}

/** A mock for the tests of a file. */
export class RunnerMock<Test = unknown> extends Mock {
  /**
   * The running test, or the last one; 'several' while tests run at the same time. Set before each test. A test is in an
   * object, because it may itself be a text: Jest has only names.
   */
  #running: { readonly test: Test } | 'several' | undefined
  readonly #nameOf: (test: Test) => string

  constructor(
    runner: TestRunner<Test>,
    choice: ScenarioChoice,
    { unhandled, onUnhandledRequest, ...settings }: UseMockOptions,
  ) {
    super(choice, settings)
    this.#nameOf = runner.nameOf
    let interception: Interception | undefined
    runner.beforeAll(() => {
      interception = intercept(this, { unhandled, onUnhandledRequest })
    })
    runner.beforeEach((test, isConcurrent) => {
      this.#running = isConcurrent ? 'several' : { test }
      // Concurrent tests share the mock, so none of them may reset it.
      if (!isConcurrent) {
        this.use(choice)
        engineOf(this).restart()
      }
      const name = runner.nameOf(test)
      return (hasFailed) => {
        // The journal has the calls of all concurrent tests. Those of this one have its key.
        const key = isConcurrent ? this.keyOf(test) : undefined
        if (hasFailed) console.error(describeFailedTest(this, name, key))
        // A fault that was injected by one concurrent test may apply to the calls of another one, so nobody is warned.
        const unused = isConcurrent ? [] : listUnusedInjections(this)
        if (unused.length > 0)
          console.warn(`Warning: ${unused.join(' and ')} never applied to a call in the test '${name}'.`)
      }
    })
    runner.afterAll(() => interception?.close())
  }

  /**
   * The API key of the running test. Each test has its own, so it shares no attempts, limits or sequences with others.
   * @throws MockError in concurrent tests: they use `keyOf`.
   */
  get key(): string {
    if (this.#running === 'several') {
      throw new MockError(
        'ambiguous-test',
        'Failed to read mock.key: several tests run at the same time. Use mock.keyOf(task) with the task of the test context.',
      )
    }
    return this.#running === undefined ? this.scenario.exampleKey : this.keyOf(this.#running.test)
  }

  /**
   * The API key of a test, for concurrent tests. It is made from the name of the test, so it and everything seeded by it
   * is the same in every run. It is one that the scenario accepts: any if it lists no keys, one that matches a listed
   * pattern (`sk-ci-*`), or else the first valid key, which all tests then share. vitest has the task in the test context;
   * Jest has only the name.
   * @example test.concurrent('...', async ({ task }) => { const key = mock.keyOf(task) })
   */
  keyOf(test: Test): string {
    const { keyRule, source, exampleKey } = engineOf(this).scenario
    const suffix = hashName(this.#nameOf(test))
    const isAccepted = (key: string): boolean => {
      const rule = keyRule(key)
      return rule !== undefined && rule.fault === undefined
    }
    const patterns = Object.keys(source.keys ?? {}).filter((key) => key.includes('*'))
    const candidates = [`sk-test-${suffix}`, ...patterns.map((pattern) => pattern.replaceAll('*', suffix))]
    return candidates.find(isAccepted) ?? exampleKey
  }
}

/** Options for `useMock`. */
export interface UseMockOptions extends MockOptions, InterceptOptions {}

/** Makes the function `useMock` of a test runner. */
export const useMockWith =
  <Test>(runner: TestRunner<Test>) =>
  (choice: ScenarioChoice = 'default', options: UseMockOptions = {}): RunnerMock<Test> => {
    checkOptions<UseMockOptions>('useMock', options, { ...MOCK_OPTIONS, ...INTERCEPT_OPTIONS })
    return new RunnerMock(runner, choice, options)
  }

/** Most calls of a failed test that are printed, the last ones. */
const MAX_CALLS = 20

/** The calls of a failed test, with their notes. @param key the key of a concurrent test; undefined selects all calls. */
function describeFailedTest(mock: Mock, name: string, key?: string): string {
  const calls = mock.calls({ key })
  if (calls.length === 0) return `The mock got no calls to ${mock.baseURL} in the test '${name}'.`
  const hidden = calls.length - MAX_CALLS
  return [
    `The mock got ${countOf(calls.length, 'call')} in the test '${name}':`,
    ...(hidden > 0 ? [`... ${countOf(hidden, 'earlier call')}`] : []),
    ...calls.slice(-MAX_CALLS).flatMap((call) => {
      const notes = [...call.notes, ...(call.nearMiss === undefined ? [] : [call.nearMiss.text])]
      return [formatCall(call), ...notes.map((note) => `  ${note}`)].map(escapeControls)
    }),
  ].join('\n  ')
}
