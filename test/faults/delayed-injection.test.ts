/** `mock.inject(fault, { skip: 5 })`: the injection waits for calls that match it. */
import { expect, test } from 'vitest'
import { createMock, type FaultName } from '../../src/index.ts'
import { HELLO } from '../support/call.ts'
import { LimitedMock, tokensCall } from '../support/limits.ts'

const statuses = (limited: LimitedMock, keys: readonly string[]): number[] =>
  keys.map((key) => limited.call({ key }).status)

test('the calls before it are answered, and then it applies as often as times says', () => {
  const limited = new LimitedMock({})
  limited.mock.inject('quota', { skip: 2, times: 2 })
  expect(statuses(limited, ['sk-a', 'sk-b', 'sk-c', 'sk-a', 'sk-a'])).toEqual([200, 200, 429, 429, 200])
})

test('it counts only calls that match it, and other faults apply meanwhile', () => {
  const limited = new LimitedMock({ faults: [{ fault: 418, times: 1, when: { key: 'sk-a' } }] })
  limited.mock.inject('server-error', { skip: 2, key: 'sk-a' })
  limited.mock.inject('overloaded', { key: 'sk-a', endpoint: 'embeddings' })
  expect(limited.call({ ...tokensCall(1), key: 'sk-a' }).status).toBe(503)
  expect(statuses(limited, ['sk-b', 'sk-a', 'sk-a', 'sk-a'])).toEqual([200, 418, 500, 200])
})

test('a fault with its own option after can skip calls too', () => {
  const limited = new LimitedMock({})
  limited.mock.inject('cut', { skip: 1 })
  limited.mock.inject('cut', { after: 2 })
  const body = { ...HELLO, stream: true }
  const eventsOf = () => limited.call({ body }).text.split('\n\n').length - 1
  // The second injection applies to the first call; the first one then cuts after one event, its default.
  const [first, second] = [eventsOf(), eventsOf()]
  expect([first, second]).toEqual([2, 1])
  expect(limited.mock.injected).toEqual([])
})

test('a reset forgets what it has counted', () => {
  const limited = new LimitedMock({})
  limited.mock.inject('quota', { skip: 1 })
  limited.call()
  limited.mock.reset()
  expect(statuses(limited, ['sk-a', 'sk-a'])).toEqual([200, 200])
})

test.each([
  ['quota', { after: 5 }, "Failed to inject: fault 'quota' has no option 'after'. Its options are: retryAfter, times,"],
  ['quota', { skip: -1 }, "Failed to inject 'quota': expected skip to be a whole number from 0, got -1."],
  [
    'cut',
    { after: 'soon' },
    "Failed to inject: fault 'cut', option 'after': expected a whole number from 0, got 'soon'.",
  ],
])('inject(%j, %j) is refused', (fault, options, message) => {
  const mock = createMock()
  expect(() => mock.inject(fault as FaultName, options as never)).toThrow(message)
})

test('without the name of a fault, the message says what is expected', () => {
  const { mock } = new LimitedMock({})
  // @ts-expect-error The fault is missing.
  expect(() => mock.inject()).toThrow(
    "inject: expected the fault to be a name such as 'rate-limit' or a status such as 503, got undefined.",
  )
})
