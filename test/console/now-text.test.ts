/** Limits and states in the words of the view Now. */
import { expect, test } from 'vitest'
import { describeLeft, describeLimit, describePosition } from '../../src/console/now/now-text.ts'

test.each([
  [{ kind: 'requests', limit: 3, used: 1, freeInMs: 0, window: 'minute' }, '3 requests per minute', '2 left'],
  [
    { kind: 'requests', limit: 3, used: 3, freeInMs: 12_449, window: 'minute', model: 'gpt-*' },
    '3 requests per minute, gpt-*',
    'none left, free again in 12.4 s',
  ],
  [
    { kind: 'tokens', limit: 2000, used: 2400, freeInMs: 30, window: 'hour' },
    '2,000 tokens per hour',
    'none left, free again in 100 ms',
  ],
  [{ kind: 'concurrent', limit: 2, used: 2 }, '2 calls at a time', 'none left'],
  [{ kind: 'budget.usd', limit: 0.5, used: 0.125 }, 'budget of $0.5', '$0.375 left'],
  [{ kind: 'budget.tokens', limit: 1000, used: 1 }, 'budget of 1,000 tokens', '999 left'],
] as const)('%j is described', (usage, limit, left) => {
  expect([describeLimit(usage), describeLeft(usage)]).toEqual([limit, left])
})

test.each([
  [
    { state: 'down', forMs: 4200, calls: 2, next: 'up', leftMs: 5800 },
    'Entered 4 s ago, 2 calls since. Next: up in 6 s.',
  ],
  [
    { state: 'up', forMs: 0, calls: 0, next: 'down', callsLeft: 1 },
    'Entered 0 ms ago, 0 calls since. Next: down after 1 more call.',
  ],
  [{ state: 'up', forMs: 900, calls: 1 }, 'Entered 900 ms ago, 1 call since. No other state follows.'],
])('%j is a sentence', (position, text) => {
  expect(describePosition(position)).toBe(text)
})
