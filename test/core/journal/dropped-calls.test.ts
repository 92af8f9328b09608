/** Matchers need the calls that the journal no longer has: they say so, and never guess. */
import { expect, test } from 'vitest'
import { describeGap } from '../../../src/core/report/client-report.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock, isMockError, type MockOptions } from '../../../src/index.ts'
import { matchers } from '../../../src/testing/mock-matchers.ts'
import { call } from '../../support/call.ts'

const { toHaveReceived, toHaveNoUnmatchedCalls, toHaveBehaved, toHaveUsedEveryRule } = matchers

function mockWithCalls(texts: readonly string[], journal: MockOptions['journal']) {
  const mock = createMock({ replies: [{ when: { user: 'hello' }, say: 'hi' }] }, { journal })
  for (const content of texts) {
    const body = { model: 'echo-1', messages: [{ role: 'user', content }] }
    engineOf(mock)
      .begin(call({ body, now: mock.clock.now() }))
      .end('complete')
  }
  return mock
}

const ALL = Array<string>(5).fill('hello')
const DROPPED =
  /the journal has dropped 2 calls that could match, so nothing can be said\. Keep more with the option journal: \{ entries \}/

test('a verdict that a dropped call could change is an error, which .not cannot turn', () => {
  const mock = mockWithCalls(ALL, { entries: 3 })
  for (const check of [
    () => toHaveReceived(mock, { model: 'other' }),
    () => toHaveReceived(mock, { times: 3 }),
    () => toHaveReceived(mock, { times: 5 }),
    () => toHaveNoUnmatchedCalls(mock),
    () => toHaveBehaved(mock),
  ]) {
    expect(check).toThrow(DROPPED)
    expect(check).toThrow(expect.toSatisfy((error: unknown) => isMockError(error, 'dropped-calls')))
  }
})

test('a verdict that no dropped call could change is given', () => {
  const mock = mockWithCalls(ALL, { entries: 3 })
  expect(toHaveReceived(mock, { user: 'hello' }).pass).toBe(true)
  expect(toHaveReceived(mock, { times: 2 }).pass).toBe(false)
  expect(toHaveUsedEveryRule(mock).pass).toBe(true)
  expect(toHaveNoUnmatchedCalls(mockWithCalls(['a', 'b', 'c'], { entries: 2 })).pass).toBe(false)
})

test('after the journal was cleared, earlier calls do not matter', () => {
  const mock = mockWithCalls(ALL, { entries: 3 })
  mock.clearJournal()
  expect(toHaveReceived(mock, { times: 0 }).pass).toBe(true)
  expect(toHaveBehaved(mock).pass).toBe(true)
})

test('a filter that reads bodies needs the bodies that were dropped, and another filter does not', () => {
  const long = 'x'.repeat(1000)
  const mock = mockWithCalls(Array<string>(40).fill(long), { entries: 1000, bytes: 64_000 })
  expect(engineOf(mock).journal.withoutPayload).toBeGreaterThan(0)
  expect(() => toHaveReceived(mock, { user: 'something else' })).toThrow(
    /the journal has dropped the bodies of \d+ calls that could match.* journal: \{ bytes \}/,
  )
  expect(toHaveReceived(mock, { model: 'other' }).pass).toBe(false)
  expect(toHaveReceived(mock, { times: 40 }).pass).toBe(true)
})

test('the report of a run says which calls it does not cover, and fails a strict run', () => {
  expect(describeGap(0, 10, true)).toBeUndefined()
  expect(describeGap(1, 100_000, false)).toBe(
    'the report covers the last 100000 calls; 1 earlier call was dropped from the journal.',
  )
  expect(describeGap(2, 100_000, true)).toBe(
    'the report covers the last 100000 calls; 2 earlier calls were dropped from the journal, so --conduct strict fails. Run fewer tests at a time.',
  )
})
