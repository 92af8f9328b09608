/** The matchers for a mock, such as `expect(mock).toHaveReceived({ times: 2 })`, and their types, for every `expect.extend`. */
import type { CallFilter } from '../core/journal/filter.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { Mock } from '../engine/index.ts'
import { checkUsage } from './cost-checks.ts'
import {
  checkAllMatched,
  checkBehaviour,
  checkExpectations,
  checkFaultsUsed,
  checkReceived,
  checkRecordings,
  checkRepliesUsed,
  type ExpectedCalls,
  type Verdict,
} from './verification.ts'

/** The matchers for `expect(mock)`. */
export interface MockMatchers<Result = unknown> {
  /**
   * Passes when the mock received calls that match a filter: one or more, or exactly `times`.
   * @throws MockError when the filter or `times` is wrong.
   * @example expect(mock).toHaveReceived({ endpoint: 'chat', user: /weather/, times: 2 })
   */
  toHaveReceived(expected?: ExpectedCalls): Result
  /** Passes when every reply rule matched a call since the scenario was applied or reset. */
  toHaveUsedEveryReply(): Result
  /** The same as `toHaveUsedEveryReply`. */
  toHaveUsedEveryRule(): Result
  /** Passes when every fault of the scenario applied to a call since then, and so did every injected one. */
  toHaveUsedEveryFault(): Result
  /** Passes when a reply rule matched every chat (of those that match `filter`), or when the scenario has no rules. */
  toHaveNoUnmatchedCalls(filter?: CallFilter): Result
  /**
   * Passes when the client made no mistake: it sent no key in an address, and its retries kept `retry-after` and
   * `x-should-retry`, were bounded, grew their waits with jitter, and did not repeat a 400 or 401.
   */
  toHaveBehaved(filter?: CallFilter): Result
  /**
   * Passes when every call has a recording, differs from it in harmless fields only, and would be answered by the service
   * of today.
   */
  toMatchRecordings(filter?: CallFilter): Result
  /**
   * Passes when the calls of the journal keep to every bound of the scenario's `expect`; an expectation without a verdict
   * is not met.
   * @throws MockError when the scenario has no `expect`.
   */
  toMeetExpectations(): Result
  /**
   * Passes when the cost of the calls, by the prices of their models, keeps to a bound with < or <=.
   * @throws MockError when the bound is wrong, and when a model has no price.
   * @example expect(mock).toCost('< $0.02')
   */
  toCost(bound: string, filter?: CallFilter): Result
  /**
   * Passes when the tokens of the calls, of prompts and answers, keep to a bound with < or <=.
   * @throws MockError when the bound is wrong.
   * @example expect(mock).toUseTokens('< 4,000')
   */
  toUseTokens(bound: string, filter?: CallFilter): Result
}

/**
 * The matchers, for any `expect` that can be extended.
 * @example expect.extend(matchers)
 */
export const matchers = {
  toHaveReceived: matcher('toHaveReceived', (mock, expected: ExpectedCalls = {}) => checkReceived(mock, expected)),
  toHaveUsedEveryReply: matcher('toHaveUsedEveryReply', checkRepliesUsed),
  toHaveUsedEveryRule: matcher('toHaveUsedEveryRule', checkRepliesUsed),
  toHaveUsedEveryFault: matcher('toHaveUsedEveryFault', checkFaultsUsed),
  toHaveNoUnmatchedCalls: matcher('toHaveNoUnmatchedCalls', checkAllMatched),
  toHaveBehaved: matcher('toHaveBehaved', checkBehaviour),
  toMatchRecordings: matcher('toMatchRecordings', checkRecordings),
  toMeetExpectations: matcher('toMeetExpectations', checkExpectations),
  toCost: matcher('toCost', (mock, bound: string, filter?: CallFilter) => checkUsage('toCost', mock, bound, filter)),
  toUseTokens: matcher('toUseTokens', (mock, bound: string, filter?: CallFilter) =>
    checkUsage('toUseTokens', mock, bound, filter),
  ),
}

/**
 * A check as a matcher, which first checks the value given to `expect`. A wrong value is an error, not a failed expectation,
 * so `.not` cannot hide it.
 */
function matcher<Rest extends unknown[]>(name: string, check: (mock: Mock, ...rest: Rest) => Verdict) {
  return (mock: unknown, ...rest: Rest): Verdict => {
    if (mock instanceof Mock) return check(mock, ...rest)
    throw new MockError(
      'invalid-option',
      `${name}: expected a mock made with createMock or useMock, got ${mock === null ? 'null' : typeof mock}.`,
    )
  }
}
