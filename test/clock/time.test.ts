/** A window, a stream and a quota that take a minute, forty seconds and a day: in no time, with the same bytes. */
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Clock } from '../../src/engine/clock/clock.ts'
import { ManualClock } from '../../src/engine/clock/manual-clock.ts'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { intercept } from '../../src/node.ts'
import { mockWith } from '../support/core.ts'
import { type Answer, send } from '../support/send.ts'
import { IN_PROCESS_URL, inProcess, overHttp, stillMock, type TestMock } from '../support/transports.ts'
import { contractCall } from '../transports/calls.ts'

const WORDS = 800
const content = 'word '.repeat(WORDS).trim()
const ask = (more: object = {}, key = 'sk-test') =>
  contractCall('', { key, body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more } })
const HELLO = contractCall('', { body: { model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }] } })

// The last of 800 tokens comes 39.95 s after the first.
const longStream = { description: 'A stream of 40 seconds.', pace: { firstToken: '50ms', perToken: '50ms' } } as const
const unevenStream = {
  description: 'A stream of uneven waits.',
  pace: { firstToken: '7.3ms', perToken: { median: '2ms', p99: '30ms' } },
} as const
const window = { description: 'A window of a minute.', limits: { requests: '3 per minute' } } as const
const quota = { description: 'A quota of a day.', limits: { requests: '1 per day' } } as const

const mockOf = (scenario: ScenarioInput, clock: Clock): TestMock => stillMock(scenario, 1, { clock })

describe.each([inProcess, overHttp])('with a manual clock, over $name', (transport) => {
  test('a stream of 40 seconds has the same bytes as with the real clock', async () => {
    const still: Answer[] = []
    {
      await using opened = await transport.open(stillMock(longStream, 1))
      still.push(await send(opened.baseUrl, ask({ stream: true })), await send(opened.baseUrl, ask()))
    }
    const clock = new ManualClock()
    await using opened = await transport.open(mockOf(longStream, clock))
    const streamed = send(opened.baseUrl, ask({ stream: true }))
    await clock.waiting()
    await clock.advance('40s')
    const whole = send(opened.baseUrl, ask())
    await clock.waiting()
    await clock.advance('40s')
    expect([await streamed, await whole]).toEqual(still)
    expect(clock.now()).toBe(80_000)
  })

  test('an answer that the fault delay or a rule delays comes at its time, as usual', async () => {
    const usual = await (async () => {
      await using opened = await transport.open(stillMock({ replies: [{ say: 'Hi' }] }, 1))
      return send(opened.baseUrl, HELLO)
    })()
    const clock = new ManualClock()
    const mock = mockOf({ replies: [{ say: 'Hi' }] }, clock)
    await using opened = await transport.open(mock)
    mock.inject('delay', { by: '5s' })
    let isAnswered = false
    const answer = send(opened.baseUrl, HELLO).finally(() => {
      isAnswered = true
    })
    await clock.waiting()
    await clock.advance('4.999s')
    expect(isAnswered).toBe(false)
    await clock.advance('1ms')
    expect(await answer).toEqual(usual)
    expect(mock.journal[0]).toMatchObject({ fault: 'delay', faultOptions: { by: '5000ms' }, durationMs: 5000 })
  })

  test('the window opens again after exactly a minute, not a millisecond before', async () => {
    const clock = new ManualClock()
    await using opened = await transport.open(mockOf(window, clock))
    const status = async () => (await send(opened.baseUrl, HELLO)).status
    for (let call = 0; call < 3; call++) expect(await status()).toBe(200)
    const { status: refused, headers } = await send(opened.baseUrl, HELLO)
    expect(refused).toBe(429)
    expect(headers).toContainEqual(['retry-after-ms', '20000'])
    await clock.advance(19_999)
    expect(await status()).toBe(429)
    await clock.advance(1)
    expect(await status()).toBe(200)
  })

  test('the quota is available again after a day', async () => {
    const clock = new ManualClock()
    await using opened = await transport.open(mockOf(quota, clock))
    const status = async () => (await send(opened.baseUrl, HELLO)).status
    expect(await status()).toBe(200)
    await clock.advance('23h59m59.999s')
    expect(await status()).toBe(429)
    await clock.advance('1ms')
    expect(await status()).toBe(200)
  })

  test('a client may leave during a wait, a cut happens at its time, and a hang stays open', async () => {
    const clock = new ManualClock()
    const mock = mockOf(longStream, clock)
    await using opened = await transport.open(mock)
    const leave = new AbortController()
    const left = send(opened.baseUrl, ask({ stream: true }), leave.signal)
    await clock.waiting()
    leave.abort()
    expect((await left).isBroken).toBe(true)
    await vi.waitFor(() => expect(mock.journal.at(-1)?.outcome).toBe('client-left'), { timeout: 10_000 })

    mock.inject('cut', { after: 3 })
    const cut = send(opened.baseUrl, ask({ stream: true }, 'sk-cut'))
    await clock.waiting()
    await clock.advance('1s')
    const { bytes, isBroken } = await cut
    expect(isBroken).toBe(true)
    expect(bytes.split('\n\n').filter(Boolean)).toHaveLength(3)

    mock.inject('hang')
    const before = mock.journal.length
    const giveUp = new AbortController()
    const hung = send(opened.baseUrl, ask({}, 'sk-hang'), giveUp.signal)
    await vi.waitFor(() => expect(mock.journal).toHaveLength(before + 1), { timeout: 10_000 })
    await clock.advance('1d')
    expect(mock.journal.at(-1)?.outcome).toBe('open')
    giveUp.abort()
    expect((await hung).status).toBe(0)
  })
})

/** A clock that notes what is waited for. */
class NotedClock extends ManualClock {
  readonly due: number[] = []

  override wake(time: number, run: () => void): () => void {
    this.due.push(time)
    return super.wake(time, run)
  }
}

test.each([inProcess, overHttp])('$name waits for the sum of all waits before: no drift adds up', async (transport) => {
  const clock = new NotedClock()
  const mock = stillMock(unevenStream, 1, { clock })
  await using opened = await transport.open(mock)
  const answer = send(opened.baseUrl, ask({ stream: true }))
  await clock.waiting()
  await clock.advance('1h')
  await answer

  const { events } = mockWith({ pace: unevenStream.pace }).plan({ body: ask({ stream: true }).body })
  const sums: number[] = []
  for (const event of events) if (event.type === 'wait') sums.push((sums.at(-1) ?? 0) + event.ms)
  expect(sums).toHaveLength(WORDS)
  expect(clock.due).toEqual(sums)
})

test('a reader sees every event of a stream exactly when it is due', async () => {
  const clock = new NotedClock()
  const mock = stillMock(unevenStream, 1, { clock })
  await using opened = await inProcess.open(mock)
  const { method, path, headers, body } = ask({ stream: true })
  const response = fetch(opened.baseUrl + path, { method, headers, body: body! })
  await clock.waiting()
  const times: number[] = []
  const reading = response.then(async (answer) => {
    for await (const _ of answer.body!) times.push(clock.now())
  })
  await clock.advance('1h')
  await reading
  // What is due at the same time may come in one read: the role with the first token, the finish with the last.
  expect([...new Set(times)]).toEqual(clock.due)
  expect(mock.timing.report()).toMatchObject({ waits: WORDS, errorMs: { max: 0 }, valid: true })
})

test('two mocks can share a clock', async () => {
  const first = createMock('default', { clock: 'manual' })
  const second = createMock('default', { clock: first.clock })
  await second.clock.advance('5s')
  expect(first.clock.now()).toBe(5000)
})

// Vitest's fake timers

describe.each(['before', 'after'])('with fake timers installed %s the mock is created', (order) => {
  beforeEach(() => void (order === 'before' && vi.useFakeTimers()))
  afterEach(() => void vi.useRealTimers())
  const made = (scenario: Parameters<typeof createMock>[0]) => {
    const mock = createMock(scenario, { baseURL: IN_PROCESS_URL, seed: 1 })
    if (order === 'after') vi.useFakeTimers()
    return mock
  }

  test('a stream of 40 seconds has the same bytes as with the real clock', async () => {
    const still = await (async () => {
      await using opened = await inProcess.open(stillMock(longStream, 1))
      return await send(opened.baseUrl, ask({ stream: true }))
    })()
    using _ = intercept(made(longStream))
    const streamed = send(IN_PROCESS_URL, ask({ stream: true }))
    let isOver = false
    void streamed.then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(39_990)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(10)
    expect(await streamed).toEqual(still)
  })

  test('a window of a minute and a quota of a day pass', async () => {
    const status = async () => (await send(IN_PROCESS_URL, HELLO)).status
    const mock = made(window)
    using _ = intercept(mock)
    expect([await status(), await status(), await status(), await status()]).toEqual([200, 200, 200, 429])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await status()).toBe(200)
    mock.use(quota)
    expect([await status(), await status()]).toEqual([200, 429])
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(await status()).toBe(200)
  })

  test('the official client backs off in fake time, and a cut stream breaks', async () => {
    const mock = made('default')
    using _ = intercept(mock)
    mock.inject('rate-limit', { retryAfter: '30s' })
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: IN_PROCESS_URL })
    const answer = client.embeddings.create({ model: 'hash-1', input: 'hi' })
    await vi.advanceTimersByTimeAsync(30_000)
    expect((await answer).object).toBe('list')
    mock.inject('cut')
    expect(await send(IN_PROCESS_URL, ask({ stream: true }))).toMatchObject({ status: 200, isBroken: true })
  })
})

// Speed

test('retry-after, resets and the message are in real time', async () => {
  const mock = createMock(window, { baseURL: IN_PROCESS_URL, speed: 100 })
  using _ = intercept(mock)
  const first = await send(IN_PROCESS_URL, HELLO)
  expect(first.headers).toContainEqual(['x-ratelimit-reset-requests', '200ms'])
  mock.inject('rate-limit', { retryAfter: '60s' })
  const { headers, bytes } = await send(IN_PROCESS_URL, HELLO)
  expect(headers).toContainEqual(['retry-after', '1'])
  expect(headers).toContainEqual(['retry-after-ms', '600'])
  expect(bytes).toContain('Please try again in 600ms.')
})

test('a client that waits for retry-after succeeds at any speed', async () => {
  vi.useFakeTimers()
  try {
    const mock = createMock(window, { baseURL: IN_PROCESS_URL, speed: 60 })
    using _ = intercept(mock)
    for (let call = 0; call < 3; call++) await send(IN_PROCESS_URL, HELLO)
    const refused = await send(IN_PROCESS_URL, HELLO)
    const ms = Number(refused.headers.find(([name]) => name === 'retry-after-ms')?.[1])
    expect(ms).toBe(334)
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect((await send(IN_PROCESS_URL, HELLO)).status).toBe(429)
    await vi.advanceTimersByTimeAsync(1)
    expect((await send(IN_PROCESS_URL, HELLO)).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})
