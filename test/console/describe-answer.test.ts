/** The sentence that says what a call was answered and why. */
import { expect, test } from 'vitest'
import { describeAnswer, describeTokens } from '../../src/console/call/describe-answer.ts'
import { asking, openedCall, type PageCall } from '../support/console.ts'

/** The sentence for the last call, once it has ended. */
const sentenceFor = (...calls: Parameters<typeof openedCall>): string =>
  describeAnswer({ ...openedCall(...calls), outcome: 'complete' })

const failing = (fault: string, more: object = {}): PageCall => ({
  ...asking('Hello', more),
  headers: { 'x-mock-fault': fault },
})

test('a refused call names the limit, its size, its key, and when it is free again', () => {
  const limited = { limits: { requests: '3 per minute' } }
  expect(sentenceFor(limited, {}, {}, {}, {})).toMatch(
    /^429 rate_limit_exceeded: requests of key sk-test-\*{4}ijkl, 3 per minute, free again in (?:20|19\.\d+) s$/,
  )
  const tokens = { limits: { tokens: '12 per minute' } }
  expect(sentenceFor(tokens, {}, {}, {}, {})).toMatch(
    /^429 rate_limit_exceeded: tokens of key .*, 12 per minute, free again in [\d.]+ m?s$/,
  )
  const concurrent = { limits: { concurrent: 1 } }
  expect(sentenceFor(concurrent, {}, {})).toMatch(/: 1 concurrent of key sk-test-\*{4}ijkl, free again in/)
})

test('a used-up budget is named with what was used', () => {
  expect(sentenceFor({ budget: { requests: 1 } }, {}, {})).toBe(
    '429 insufficient_quota: the budget of 1 request is used up (1 request); only a reset refills it',
  )
})

test('a fault is named with where it came from', () => {
  expect(sentenceFor({}, failing('server-error'))).toBe(
    '500 server_error: fault server-error, by the header of the request',
  )
  const rule = { faults: [{ fault: 'overloaded' }] }
  expect(sentenceFor(rule, {})).toMatch(/^503 \w+: fault overloaded, by faults\[0\]/)
})

test('an answer names the rule, or what was done without one', () => {
  const replies = [{ when: { user: 'weather' }, say: 'Sunny.' }]
  expect(sentenceFor({ replies }, asking('The weather?'))).toMatch(/^200: the reply of rule replies\[0\]/)
  expect(sentenceFor({ replies }, asking('Hello'))).toMatch(/^200: the last message, echoed, as no reply rule matched/)
  const body = { model: 'hash-1', input: ['one', 'two'] }
  expect(sentenceFor({}, { path: '/v1/embeddings', body })).toMatch(/^200: embeddings of 2 inputs/)
})

test('a refused request gives the message without its links', () => {
  expect(sentenceFor({}, asking('Hello', { temperature: 9 }))).toMatch(
    /^400 decimal_above_max_value: Invalid 'temperature'.*[^.]$/,
  )
  expect(sentenceFor({ keys: { 'sk-only': {} } }, {})).toMatch(/^401 invalid_api_key: Incorrect API key provided/)
  expect(sentenceFor({}, { path: '/v1/nonsense' })).toMatch(/^404/)
})

test('a call that has not ended says so, and a cut one how far it got', () => {
  expect(describeAnswer(openedCall({}, {}))).toMatch(/; not finished yet$/)
  const call = { ...openedCall({}, failing('cut; after=2', { stream: true })), outcome: 'cut' } as const
  expect(describeAnswer(call)).toMatch(
    /^200: fault cut, by the header of the request; the mock cut it off after \d chunks$/,
  )
  const left = { ...openedCall({}, {}), outcome: 'client-left', durationMs: 1234 } as const
  expect(describeAnswer(left)).toMatch(/; the client left after 1\.23 s$/)
})

test('a stream that was cut off says how many of its tokens were sent', () => {
  const headers = { 'x-mock-fault': 'cut; after=3' }
  const call = openedCall({}, { ...asking('One two three four five.', { stream: true }), headers })
  const sent = { ...call, outcome: 'cut', timeline: call.timeline!.map((step) => ({ ...step, atMs: 1 })) } as const
  expect(describeTokens(sent)).toBe('13 tokens in, 2 of 6 tokens out')
  expect(describeTokens({ ...sent, outcome: 'complete' })).toBe('13 tokens in, 6 out')
  expect(describeTokens(openedCall({}, failing('server-error')))).toBe('')
})
