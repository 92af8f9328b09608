/** Which calls of the table a filter shows. */
import { expect, test } from 'vitest'
import { causesOf, causeText, isShown, NO_FILTER, statusesOf } from '../../src/console/calls/list-filter.ts'
import type { CallSummary } from '../../src/core/journal/call-details.ts'

const limited: CallSummary = {
  number: 7,
  at: 0,
  method: 'POST',
  path: '/v1/chat/completions',
  endpoint: 'chat',
  key: 'sk-test-****ijkl',
  model: 'gpt-4o-mini',
  caller: 'c1',
  request: 'r1',
  attempt: 1,
  unmatched: false,
  bytes: 0,
  prompt: 'What is the weather in Paris?',
  status: 429,
  reason: { by: 'fault', name: 'rate-limit (injected)' },
  fault: 'rate-limit',
  notes: ["unknown parameter 'temprature'"],
  outcome: 'complete',
  durationMs: 1,
}
const hanging: CallSummary = {
  ...limited,
  fault: 'hang',
  status: 0,
  outcome: 'open',
  reason: { by: 'fault', name: 'hang (header)' },
}

test('without a filter every call is shown', () => {
  expect(isShown(limited, NO_FILTER)).toBe(true)
})

test.each(['weather', 'PARIS  gpt-4o', 'temprature', 'rate-limit', '429', 'ijkl', '/chat/', '7'])(
  'the words %j are in the call',
  (text) => {
    expect(isShown(limited, { ...NO_FILTER, text })).toBe(true)
  },
)

test('a call is found by its duration, with or without other words', () => {
  const slow = { ...limited, durationMs: 2500 }
  const isFound = (text: string, call = slow): boolean => isShown(call, { ...NO_FILTER, text })
  expect(['>2s', '>2500ms', '<3s', '>0.04m weather', '>2s london'].map((text) => isFound(text))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ])
  // A call in progress has no duration yet.
  expect([isFound('>0ms', hanging), isFound('<1s', hanging)]).toEqual([false, false])
})

test('every word must be there', () => {
  expect(isShown(limited, { ...NO_FILTER, text: 'weather london' })).toBe(false)
})

test('a call is found by its status, its class of statuses, or how it ended', () => {
  expect(statusesOf(limited)).toEqual(['4xx', '429'])
  expect(statusesOf({ ...limited, outcome: 'cut' })).toEqual(['4xx', '429', 'cut'])
  expect(statusesOf(hanging)).toEqual(['open'])
  expect(isShown(limited, { ...NO_FILTER, status: '4xx' })).toBe(true)
  expect(isShown(limited, { ...NO_FILTER, status: '5xx' })).toBe(false)
})

test('a call is found by its endpoint and its key', () => {
  expect(isShown(limited, { ...NO_FILTER, endpoint: 'chat', key: 'sk-test-****ijkl' })).toBe(true)
  expect(isShown(limited, { ...NO_FILTER, endpoint: 'embeddings' })).toBe(false)
  expect(isShown(limited, { ...NO_FILTER, key: 'sk-other' })).toBe(false)
})

test('a call is found by its fault or by another reason for its failure', () => {
  expect(causesOf(limited)).toEqual(['any fault', 'rate-limit'])
  const { fault: _, ...faultless } = limited
  expect(causesOf({ ...faultless, reason: { by: 'limit', name: 'requests-limit' } })).toEqual(['any limit'])
  expect(causesOf({ ...faultless, status: 400, reason: { by: 'request', name: 'invalid-json' } })).toEqual([
    'invalid request',
  ])
  expect(causesOf({ ...faultless, status: 200, reason: { by: 'echo', name: 'echo' } })).toEqual([])
  expect(isShown(limited, { ...NO_FILTER, cause: 'rate-limit' })).toBe(true)
})

test.each([
  [{ by: 'echo', name: 'echo' }, 'echo'],
  [{ by: 'reply', name: 'replies[2]' }, 'replies[2]'],
  [{ by: 'fault', name: 'cut (header)' }, 'fault cut (header)'],
] as const)('%j is shown as %s', (reason, text) => {
  expect(causeText(reason)).toBe(text)
})
