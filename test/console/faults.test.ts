/** The list of faults, and descriptions of pending ones. */
import { expect, test } from 'vitest'
import { describeCalls, describeOptions, groupFaults, splitSummary } from '../../src/console/faults/fault-text.ts'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'

const namesFor = (text: string): string[] =>
  groupFaults(faults, text).flatMap((group) => group.faults.map(({ name }) => name))

test('every fault is in one of four groups', () => {
  const groups = groupFaults(faults)
  expect(groups.map(({ title }) => title)).toEqual([
    'Errors',
    'Wrong answers',
    'Broken, cut off and slow answers',
    'Broken events of a stream',
  ])
  expect(namesFor('')).toHaveLength(faults.length)
})

test('faults are found by words of their name, kind and summary, and groups without any are left out', () => {
  expect(namesFor('429')).toEqual(['rate-limit', 'rate-limit-tokens', 'quota'])
  expect(namesFor('RATE limit tokens')).toEqual(['rate-limit-tokens'])
  expect(groupFaults(faults, '429')).toHaveLength(1)
  expect(namesFor('broken stream')).toContain('cut')
  expect(namesFor('no such fault')).toEqual([])
})

test('the status is split from a summary', () => {
  expect(splitSummary('429: too many requests per minute.')).toEqual({
    status: 429,
    text: 'Too many requests per minute.',
  })
  expect(splitSummary('Any status from 400 to 599.')).toEqual({ text: 'Any status from 400 to 599.' })
})

test.each([
  [{ remaining: 1 }, 'the next call'],
  [{ remaining: 1200 }, 'the next 1,200 calls'],
  [{ remaining: 2, skip: 1, endpoint: 'chat' }, 'after 1 call, the next 2 calls to chat'],
  [
    { remaining: 1, endpoint: 'chat', model: 'gpt-4o', key: 'sk****st', session: 'one' },
    'the next call to chat with model gpt-4o and key sk****st and session one',
  ],
  [{ remaining: 1, session: '' }, 'the next call'],
])('the calls of %j are described', (injected, text) => {
  expect(describeCalls(injected)).toBe(text)
})

test('options are described as a user writes them', () => {
  const { options } = faults.find(({ name }) => name === 'rate-limit')!
  expect(describeOptions({ retryAfter: 3000 }, options)).toBe('retryAfter 3s')
  expect(describeOptions({ after: 3, end: 'fin' }, {})).toBe('after 3, end fin')
})
