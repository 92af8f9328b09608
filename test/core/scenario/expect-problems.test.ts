/** Problems of `expect` in a scenario. */
import { expect, test } from 'vitest'
import { findProblems } from '../../support/find-problems.ts'

const problems = (expected: object, settings: object = {}) =>
  findProblems({ description: 'x', ...settings, expect: expected })
const PRICED = { models: { '*': { prices: { input: 2.5, output: 10 } } } }

test('every form of a bound is accepted', () => {
  const counts = { calls: 'at least 1', retries: '<= 3', tokens: '<100', errors: 0, unrecovered: '< 0.5%' }
  expect(problems({ ...counts, cost: '< $0.50', p50: '<= 300ms', p99: '< 1m30s' }, PRICED)).toEqual([])
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

test.each([{ errors: '< 0%' }, { retries: '< 0' }, { p50: '< 0ms' }])('%j can never hold', (expected) => {
  expect(problems(expected)).toHaveLength(1)
})

test('a bound of a wrong form is one problem', () => {
  const allowed = 'a bound in US dollars such as < $0.50'
  const messages = problems({ cost: '< $x' }, PRICED).map(({ message }) => message)
  expect(messages).toEqual([`expected ${allowed}, got '< $x'.`])
})

test('an expected cost needs the prices of the models', () => {
  expect(problems({ cost: '< $1' }).map(({ message }) => message)).toEqual([
    'expected models with prices beside an expected cost, got no models. Add models: { "*": { prices: { input: 2.5, output: 10 } } }.',
  ])
  expect(problems({ cost: '< $1' }, { models: { a: {} } }).map(({ message }) => message)).toEqual([
    "expected prices of the model 'a', because there is an expected cost, got none. Add prices: { input: 2.5, output: 10 }.",
  ])
})
