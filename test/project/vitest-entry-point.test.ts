/** The vitest entry point: matchers with helpful messages, and a mock for the tests of a file. */
import OpenAI from 'openai'
import { afterAll, describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { useMock } from '../../src/vitest.ts'
import { ask, steppingMock } from '../support/stepping.ts'

/** The message of an expectation that fails. */
function messageOf(expectation: () => void): string {
  try {
    expectation()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The expectation held.')
}

const WEATHER = [{ when: { user: '/weather/' }, say: 'Sunny.' }]

/** A mock with a rule for the weather, after three calls. */
async function called() {
  const mock = steppingMock({ replies: [...WEATHER, { when: { user: 'rain' }, say: 'Wet.' }] })
  await ask(mock, { user: 'What is the weather?' })
  await ask(mock, { user: 'Hello!', headers: { 'x-mock-fault': 'overloaded' } })
  await ask(mock, { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello!' } })
  return mock
}

test('toHaveReceived passes with one or more matching calls, or with exactly `times`', async () => {
  const mock = await called()
  expect(mock).toHaveReceived()
  expect(mock).toHaveReceived({ times: 3 })
  expect(mock).toHaveReceived({ endpoint: 'chat', user: /weather/, times: 1 })
  expect(mock).toHaveReceived({ status: '5xx', fault: 'overloaded' })
  expect(mock).toHaveReceived({ user: 'nothing of this', times: 0 })
  expect(mock).not.toHaveReceived({ user: 'nothing of this' })
  expect(mock).not.toHaveReceived({ endpoint: 'chat', times: 3 })
})

test('the message about a missing call names the nearest call and the differences', async () => {
  const mock = await called()
  expect(messageOf(() => expect(mock).toHaveReceived({ endpoint: 'chat', user: /snow/ }))).toMatchInlineSnapshot(`
    "Expected the mock to receive a call with endpoint 'chat', user /snow/, got none.
    The nearest other call is
      #1 POST /v1/chat/completions 'What is the weather?' -> 200 reply replies[0]
        expected user /snow/, got 'What is the weather?'"
  `)
})

test('the message about too few calls lists them and the nearest other call', async () => {
  const mock = await called()
  const expectation = () => expect(mock).toHaveReceived({ endpoint: 'chat', status: 200, times: 2 })
  expect(messageOf(expectation)).toMatchInlineSnapshot(`
    "Expected the mock to receive 2 calls with endpoint 'chat', status 200, got 1:
      #1 POST /v1/chat/completions 'What is the weather?' -> 200 reply replies[0]
    The nearest other call is
      #2 POST /v1/chat/completions 'Hello!' -> 503 fault overloaded (header)
        expected status 200, got 503"
  `)
})

test('the message about unexpected calls lists them', async () => {
  const mock = await called()
  expect(messageOf(() => expect(mock).not.toHaveReceived({ endpoint: 'chat' }))).toMatchInlineSnapshot(`
    "Expected the mock not to receive a call with endpoint 'chat', got 2:
      #1 POST /v1/chat/completions 'What is the weather?' -> 200 reply replies[0]
      #2 POST /v1/chat/completions 'Hello!' -> 503 fault overloaded (header)"
  `)
})

test('the message about no calls at all suggests to check the base URL', () => {
  const mock = createMock()
  expect(messageOf(() => expect(mock).toHaveReceived({ user: 'Hello' }))).toMatchInlineSnapshot(
    `"Expected the mock to receive a call with user 'Hello', got none. The mock received no calls to https://api.openai.com/v1: is that the app's base URL?"`,
  )
})

test('a message lists at most five calls', async () => {
  const mock = steppingMock()
  for (let call = 0; call < 9; call++) await ask(mock)
  expect(messageOf(() => expect(mock).toHaveReceived({ times: 2 }))).toMatchInlineSnapshot(`
    "Expected the mock to receive 2 calls, got 9:
      #1 POST /v1/chat/completions 'Hello!' -> 200 echo
      #2 POST /v1/chat/completions 'Hello!' -> 200 echo
      #3 POST /v1/chat/completions 'Hello!' -> 200 echo
      #4 POST /v1/chat/completions 'Hello!' -> 200 echo
      #5 POST /v1/chat/completions 'Hello!' -> 200 echo
      ... and 4 more"
  `)
})

test('toHaveUsedEveryRule lists the rules that matched no call, each with the nearest call', async () => {
  const mock = await called()
  await ask(mock, { user: 'Will it ran?' })
  expect(messageOf(() => expect(mock).toHaveUsedEveryRule())).toMatchInlineSnapshot(`
    "Expected every reply rule to match a call, but 1 of 2 did not:
      replies[1] (when user 'rain'): the nearest call is #4: expected user 'rain', got 'Will it ran?'"
  `)
  await ask(mock, { user: 'Will it rain?' })
  expect(mock).toHaveUsedEveryRule()
  expect(messageOf(() => expect(mock).not.toHaveUsedEveryRule())).toMatchInlineSnapshot(
    `"Expected a reply rule that matched no call, got none: all 2 matched."`,
  )
})

test('toHaveNoUnmatchedCalls lists the unmatched calls, each with the nearest rule', async () => {
  const mock = await called()
  expect(mock).toHaveNoUnmatchedCalls()
  await ask(mock, { user: 'Hello!' })
  await ask(mock, { user: 'Is it wet?' })
  expect(messageOf(() => expect(mock).toHaveNoUnmatchedCalls())).toMatchInlineSnapshot(`
    "Expected a reply rule to match every chat, got 2 calls without one:
      #4 POST /v1/chat/completions 'Hello!' -> 200 echo
        replies[0] nearly matched: expected user /weather/, got 'Hello!'
      #5 POST /v1/chat/completions 'Is it wet?' -> 200 echo
        replies[0] nearly matched: expected user /weather/, got 'Is it wet?'"
  `)
  expect(mock).toHaveNoUnmatchedCalls({ user: 'weather' })
  expect(messageOf(() => expect(steppingMock()).not.toHaveNoUnmatchedCalls())).toMatchInlineSnapshot(
    `"Expected a chat that no reply rule matches, got none."`,
  )
})

test('toMeetExpectations lists what the run does not keep to', async () => {
  const mock = steppingMock({ expect: { calls: 1, retries: 'at least 1', p99: '< 2s' } })
  await ask(mock)
  expect(messageOf(() => expect(mock).toMeetExpectations())).toBe(
    `Expected the run to keep to all expectations, but 2 of 3 are not met:
  FAIL retries at least 1: 0 retries
  INCONCLUSIVE p99 < 2s: 0 ms over 1 answered call. Too few to tell: expected at least 100 answered calls, got 1.`,
  )
  expect(steppingMock({ expect: { calls: 0 } })).toMeetExpectations()
  expect(messageOf(() => expect(steppingMock()).not.toMeetExpectations())).toContain('expects nothing. Add')
})

test('toHaveBehaved lists every mistake with its calls', async () => {
  const mock = steppingMock()
  await ask(mock, { headers: { 'x-mock-fault': 'rate-limit; retry-after=2' } })
  mock.clock.advance(500)
  await ask(mock)
  expect(messageOf(() => expect(mock).toHaveBehaved())).toMatchInlineSnapshot(`
    "Expected the client to make no mistakes, got 1:
      early-retry of POST /v1/chat/completions 'Hello!' (key sk****st): #2 came 500 ms after the 429 of #1, which asked to wait 2000 ms.
        #1 at 0 ms: 429 fault rate-limit (header), ended after 0 ms
        #2 at 500 ms: 200 echo, ended after 0 ms"
  `)
  expect(mock).toHaveBehaved({ user: 'something else' })
  expect(messageOf(() => expect(steppingMock()).not.toHaveBehaved())).toMatchInlineSnapshot(
    `"Expected the client to make a mistake, got none."`,
  )
})

test.each([undefined, null, {}, 'mock'])('a value that is not a mock is refused, with .not too: %j', (value) => {
  expect(() => expect(value).toHaveReceived()).toThrow('expected a mock made with createMock or useMock')
  expect(() => expect(value).not.toHaveReceived()).toThrow('expected a mock made with createMock or useMock')
})

test('a wrong filter is refused, with .not too', () => {
  const mock = createMock()
  // @ts-expect-error misspelt
  expect(() => expect(mock).not.toHaveReceived({ usr: 'x' })).toThrow("A filter has no field 'usr'.")
  expect(() => expect(mock).toHaveReceived({ times: -1 })).toThrow('expected times to be a whole number from 0, got -1')
})

test('the uses of each rule, fault and limit are counted until a reset', async () => {
  const mock = steppingMock({
    keys: { 'sk-*': {}, 'sk-revoked-1': { fault: 401 }, 'sk-tight-1': { limits: { requests: '1 per day' } } },
    replies: [...WEATHER, { when: { user: 'fail' }, fault: 503 }],
    limits: { tokens: '100 per minute' },
    faults: [
      { fault: 500, when: { user: 'crash' } },
      { fault: 'cut', when: { user: 'weather', turn: 9 } },
    ],
  })
  await ask(mock, { user: 'weather' })
  await ask(mock, { user: 'weather', headers: { 'x-mock-fault': 'cut' } })
  for (const user of ['fail', 'fail', 'crash', 'x'.repeat(1000)]) await ask(mock, { user })
  await ask(mock, { key: 'sk-revoked-1' })
  for (let call = 0; call < 3; call++) await ask(mock, { key: 'sk-tight-1' })
  expect(mock.usage.map(({ kind, ruleId, count }) => `${kind} ${ruleId} ${count}`)).toEqual([
    'fault keys["sk****-1"] 1',
    'limit keys["sk****-1"].limits.requests 2',
    'rule replies[0] 2',
    'rule replies[1] 2',
    'limit limits.tokens 1',
    'fault faults[0] 1',
    'fault faults[1] 0',
  ])
  mock.reset()
  expect(mock.usage.every(({ count }) => count === 0)).toBe(true)
})

// useMock

const hello = (content = 'Hello!') => ({ model: 'echo-1', messages: [{ role: 'user' as const, content }] })

describe('useMock', () => {
  const mock = useMock({ description: 'Once.', faults: [{ fault: 500, times: 1 }] }, { onUnhandledRequest: 'error' })
  const keys: string[] = []

  test.each([1, 2, 3])('answers the calls of each test and is reset before it: %i', async () => {
    const client = new OpenAI({ apiKey: mock.key, maxRetries: 1 })
    await client.chat.completions.create(hello())
    expect(mock).toHaveReceived({ times: 2 })
    expect(mock).toHaveReceived({ status: 500, key: mock.key, times: 1 })
    mock.inject('overloaded', { times: 9 })
    keys.push(mock.key)
  })

  test('a test can apply another scenario', () => {
    mock.use('outage')
    expect(mock.scenario.name).toBe('outage')
  })

  test('the next test has the first scenario and its own key, the same in every run', () => {
    expect(mock.scenario.name).toBe('in code')
    expect(new Set(keys).size).toBe(3)
    expect(mock.key).toMatch(/^sk-test-[0-9a-z]+$/)
    expect(mock.key).toMatchInlineSnapshot(`"sk-test-iefnjzssnjuz"`)
  })
})

describe('useMock with tests that run at the same time', () => {
  const mock = useMock('rate-limited', { baseURL: 'https://limited.example.com/v1' })

  describe.concurrent('at the same time', () => {
    test('mock.key is ambiguous', () => {
      expect(() => mock.key).toThrow('Use mock.keyOf(task)')
    })

    for (const number of [5, 6, 7]) {
      test(`each test has its own key, limits and calls: ${number}`, async ({ task }) => {
        const key = mock.keyOf(task)
        const client = new OpenAI({ apiKey: key, baseURL: 'https://limited.example.com/v1', maxRetries: 0 })
        for (let call = 0; call < 3; call++) await client.chat.completions.create(hello(`${number} ${call}`))
        await expect(client.chat.completions.create(hello())).rejects.toThrow('429')
        expect(mock).toHaveReceived({ key, times: 4 })
        expect(mock).toHaveReceived({ key, status: 429, times: 1 })
      })
    }
  })

  afterAll(() => expect(mock).toHaveReceived({ times: 12 }))
})

describe('useMock with listed keys', () => {
  const patterns = useMock(
    { description: 'x', keys: { 'sk-known': {}, 'sk-ci-*': {} } },
    { baseURL: 'https://a.example.com/v1' },
  )
  const listed = useMock('unauthorized', { baseURL: 'https://b.example.com/v1' })

  test('takes a key that the scenario accepts', () => {
    expect(patterns.key).toMatch(/^sk-ci-[0-9a-z]+$/)
    expect(listed.key).toBe('sk-mock-valid')
  })
})
