/** Suggestions for words of other tools, and for rates and durations in other notations. */
import { expect, test } from 'vitest'
import { findProblems } from '../../support/find-problems.ts'

const messageFor = (settings: object): string =>
  findProblems({ description: 'x', ...settings })
    .map(({ message }) => message)
    .join('\n')

test.each<[settings: object, suggestion: string]>([
  [{ replies: [{ when: { content: 'hi' }, say: 'x' }] }, "unknown field 'content'. Did you mean 'user'?"],
  [{ replies: [{ when: { prompt: 'hi' }, say: 'x' }] }, "unknown field 'prompt'. Did you mean 'user'?"],
  [{ replies: [{ when: { messages: 'hi' }, say: 'x' }] }, "unknown field 'messages'. Did you mean 'user'?"],
  [{ replies: [{ when: { system_prompt: 'hi' }, say: 'x' }] }, "unknown field 'system_prompt'. Did you mean 'system'?"],
  [{ replies: [{ when: { function: 'f' }, say: 'x' }] }, "unknown field 'function'. Did you mean 'tool'?"],
  [{ replies: [{ prompt: 'hi', say: 'x' }] }, "unknown field 'prompt'. Did you mean 'user' under 'when'?"],
  [{ replies: [{ match: {}, say: 'x' }] }, "unknown field 'match'. Did you mean 'when'?"],
  [{ replies: [{ response: 'hi' }] }, "unknown field 'response'. Did you mean 'say'?"],
  [
    { replies: [{ reply: 'hi' }] },
    "expected a function, which only a scenario in code can have (in a file, use say, call or refuse), got 'hi'.",
  ],
  [{ replies: [{ content: 'hi' }] }, "unknown field 'content'. Did you mean 'say'?"],
  [{ replies: [{ tool_calls: [] }] }, "unknown field 'tool_calls'. Did you mean 'call'?"],
  [{ replies: [{ error: 500 }] }, "unknown field 'error'. Did you mean 'fault'?"],
  [{ replies: [{ status: 500 }] }, "unknown field 'status'. Did you mean 'fault'?"],
  [{ replies: [{ say: 'hi', latency: '2s' }] }, "unknown field 'latency'. Did you mean 'pace' or 'delay'?"],
  [{ faults: [{ fault: 'latency' }] }, "unknown fault 'latency'. Did you mean 'delay' or 'slow-drip'?"],
  [{ faults: [{ fault: 500, first: 2 }] }, "unknown field 'first'. Did you mean 'times'?"],
  [{ faults: [{ fault: 500, probability: 0.5 }] }, "unknown field 'probability'. Did you mean 'chance'?"],
  [{ faults: [{ fault: 'timeout' }] }, "unknown fault 'timeout'. Did you mean 'hang' or 'gateway-timeout'?"],
  [{ faults: [{ fault: 'unauthorized' }] }, "Did you mean 'invalid-key' or 'missing-key'?"],
  [{ responses: [] }, "unknown field 'responses'. Did you mean 'replies'?"],
  [{ errors: [] }, "unknown field 'errors'. Did you mean 'faults'?"],
  [{ delay: '1s' }, "unknown field 'delay'. Did you mean 'pace'?"],
  [{ rpm: 3 }, "unknown field 'rpm'. Did you mean 'requests' under 'limits'?"],
  [{ limits: { rpm: 3 } }, "unknown field 'rpm'. Did you mean 'requests'?"],
  [{ limits: { tokensPerMinute: 3 } }, "unknown field 'tokensPerMinute'. Did you mean 'tokens'?"],
  [{ limits: { tpm: 3 } }, "unknown field 'tpm'. Did you mean 'tokens'?"],
  [{ pace: { latency: '1s' } }, "unknown field 'latency'. Did you mean 'firstToken'?"],
])('%j is answered with our own word', (settings, suggestion) => {
  expect(messageFor(settings)).toContain(suggestion)
})

test.each<[unknown, string]>([
  ['3/min', '3 per minute'],
  ['3 / minute', '3 per minute'],
  ['3rpm', '3 per minute'],
  ['10 rps', '10 per second'],
  ['5/h', '5 per hour'],
  ['5 requests per day', '5 per day'],
  [3, '3 per minute'],
])('the rate %j is answered with %s', (requests, rate) => {
  expect(messageFor({ limits: { requests } })).toMatch(
    new RegExp(`^expected a rate such as 60 per minute .*\\. Did you mean '${rate}'\\?$`),
  )
})

test.each<[unknown, string]>([
  [300, '300ms'],
  ['300', '300ms'],
  ['5 seconds', '5s'],
  ['2 min', '2m'],
  ['20 milliseconds', '20ms'],
])('the duration %j is answered with %s', (from, duration) => {
  expect(messageFor({ faults: [{ fault: 500, from }] })).toMatch(
    new RegExp(`^expected a duration such as 300ms.*, got .*\\. Did you mean '${duration}'\\?$`),
  )
})

test('an unknown field without a suggestion lists the fields, or names the schema that does', () => {
  expect(messageFor({ limits: { wibble: 1 } })).toBe(
    "unknown field 'wibble'. Expected one of requests, tokens, concurrent, charge, shared.",
  )
  expect(messageFor({ replies: [{ say: 'x', wibble: 1 }] })).toBe(
    "unknown field 'wibble'. Expected one of when, say, call, reply, refuse, finish, items, pace, delay, answer, fault, or an option of its fault.",
  )
  expect(messageFor({ wibble: 1 })).toBe("unknown field 'wibble'. scenario.schema.json lists all fields.")
})
