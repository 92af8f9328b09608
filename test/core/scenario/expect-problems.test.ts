/** Problems of `expect` in a scenario. */
import { expect, test } from 'vitest'
import { findProblems } from '../../support/find-problems.ts'

const problems = (expected: object) => findProblems({ description: 'x', expect: expected })

test('every form of a bound is accepted', () => {
  const counts = { calls: 'at least 1', retries: '<100', errors: 0, unrecovered: '< 0.5%' }
  expect(problems({ ...counts, p50: '<= 300ms', p99: '< 1m30s' })).toEqual([])
  expect(problems({ calls: 5, errors: '<= 3' })).toEqual([])
})

const COUNT = 'a bound such as <= 3, < 100, at least 1 or 5'
const SHARE = 'a bound such as < 1%, <= 3 or 0'
test.each([
  [{ calls: '>= 1' }, `expected ${COUNT}, got '>= 1'.`],
  [{ retries: '3%' }, `expected ${COUNT}, got '3%'.`],
  [{ errors: '1%' }, `expected ${SHARE}, got '1%'.`],
  [{ errors: '< 101%' }, `expected ${SHARE}, got '< 101%'.`],
  [{ p99: '2s' }, "expected a bound such as < 2s or <= 300ms, got '2s'."],
  [{ p99: '< 2' }, "expected a bound such as < 2s or <= 300ms, got '< 2'."],
  [{ error: '< 1%' }, "unknown field 'error'. Did you mean 'errors'?"],
])('%j is refused', (expected, message) => {
  expect(problems(expected).map((problem) => problem.message)).toEqual([message])
})

test.each([
  [{ errors: '< 0%' }, "expected a bound such as < 1%, <= 3 or 0; nothing is below 0, got '< 0%'."],
  [{ retries: '< 0' }, "expected a bound such as <= 3, < 100, at least 1 or 5; nothing is below 0, got '< 0'."],
  [{ p50: '< 0ms' }, "expected a bound such as < 2s or <= 300ms, got '< 0ms'."],
])('%j can never hold', (expected, message) => {
  expect(problems(expected).map((problem) => problem.message)).toEqual([message])
})
