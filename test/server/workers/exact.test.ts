/** Limits, attempts, faults and the journal count calls across workers as one process would. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createMock, type ScenarioInput } from '../../../src/index.ts'
import { listen, type MockServer } from '../../../src/node.ts'
import { fetchFrom, GENEROUS_MS, requestText, Wire, type WireAnswer } from '../../support/http.ts'
import { WORKERS } from '../../support/workers.ts'

const CONNECTIONS = 8
const mock = createMock('default', { seed: 7 })
let server: MockServer

beforeAll(async () => {
  server = await listen(mock, { port: 0, workers: WORKERS })
})
afterAll(() => server.close(0))
beforeEach(() => {
  mock.use('default')
  mock.clearJournal()
})

/** Connections go to the workers in turn, so that each has its half of these. */
const connect = (count = CONNECTIONS): Promise<Wire[]> =>
  Promise.all(Array.from({ length: count }, () => Wire.open(server)))

async function ask(wire: Wire, request = requestText()): Promise<WireAnswer> {
  await wire.send(request)
  return (await wire.answer())!
}

/** So many calls on each connection, on all of them at once. */
async function storm(wires: readonly Wire[], rounds: number, request?: string): Promise<WireAnswer[]> {
  const answers: WireAnswer[] = []
  for (let round = 0; round < rounds; round++) {
    answers.push(...(await Promise.all(wires.map((wire) => ask(wire, request)))))
  }
  return answers
}

const count = (answers: readonly WireAnswer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

const world = (rest: Partial<ScenarioInput>): void => void mock.use({ description: 'a world', ...rest })
const streamed = requestText({
  body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'a few words to say' }], stream: true }),
})
/** The journal over HTTP: by then workers have told all that clients know. */
const journal = async () =>
  (await fetchFrom({ origin: `http://127.0.0.1:${server.port}` }, { path: '/_mock/journal' })).json.entries

test('a limit of 20 calls admits exactly 20', async () => {
  world({ limits: { requests: '20 per day' } })
  const answers = await storm(await connect(), 5)
  expect([count(answers, 200), count(answers, 429)]).toEqual([20, 20])
})

test('each key has its own limit', async () => {
  world({ limits: { requests: '3 per day' } })
  const wires = await connect()
  const answers = await Promise.all(
    wires.map((wire, index) => ask(wire, requestText().replace('sk-test', index % 4 === 0 ? 'sk-one' : 'sk-other'))),
  )
  expect([count(answers, 200), count(answers, 429)]).toEqual([5, 3])
})

test('attempts are counted across workers: only the first attempt fails', async () => {
  world({ faults: [{ fault: 'server-error', attempt: 1 }] })
  const answers = await storm(await connect(), 2)
  expect([count(answers, 500), count(answers, 200)]).toEqual([1, 15])
  const attempts = (await journal()).map(({ attempt }: { attempt: number }) => attempt)
  expect(attempts).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
})

test('a fault injected for three calls affects exactly three', async () => {
  mock.inject('overloaded', { times: 3 })
  const answers = await storm(await connect(), 2)
  expect([count(answers, 503), count(answers, 200)]).toEqual([3, 13])
})

test('a sequence gives each reply once, then repeats the last', async () => {
  const say = ['one', 'two', 'three', 'four', 'five']
  world({ replies: [{ say }] })
  const answers = await storm(await connect(), 1)
  const said = answers.map(({ json }) => json.choices[0].message.content)
  expect(said.sort()).toEqual([...say, 'five', 'five', 'five'].sort())
})

test('a concurrency limit of three counts all workers, and a disconnect frees a slot', async () => {
  world({ limits: { concurrent: 3 }, pace: { firstToken: '1h' } })
  const wires = await connect()
  const statuses: number[] = []
  for (const wire of wires) ask(wire).then((answer) => answer && statuses.push(answer.status))
  await vi.waitFor(() => expect(statuses).toEqual([429, 429, 429, 429, 429]), { timeout: GENEROUS_MS })
  expect(mock.journal.filter(({ outcome }) => outcome === 'open')).toHaveLength(3)
  for (const wire of wires) wire.socket.destroy()
  await vi.waitFor(() => expect(mock.limitUsage).toMatchObject([{ limits: [{ used: 0 }] }]), {
    timeout: GENEROUS_MS,
  })
})

test('an answered call has freed its slot before the next call reaches another worker', async () => {
  world({ limits: { concurrent: 1, tokens: '1000000 per day' }, pace: { firstToken: '1ms', perToken: '1ms' } })
  const wires = await connect()
  for (let round = 0; round < 25; round++) {
    for (const wire of wires) {
      const { status, text } = await ask(wire, round % 2 === 0 ? streamed : requestText())
      expect(status, text).toBe(200)
    }
  }
})

test('tokens refunded by one worker are available to another', async () => {
  world({ limits: { tokens: '10000 per day' }, pace: { firstToken: '1ms' } })
  const wires = await connect()
  let expected: number | undefined
  for (const wire of [...wires, ...wires, ...wires]) {
    const { headers } = await ask(wire)
    const remaining = Number(headers['x-ratelimit-remaining-tokens'])
    // 10 of the prompt and 3 of the answer are used; what a call reserves is in its own answer only.
    if (expected !== undefined) expect(remaining).toBe(expected)
    expected = remaining - 13
  }
})

test('the journal has every call and the end of every answer that a client received', async () => {
  world({ pace: { perToken: '1ms' } })
  await storm(await connect(), 3, streamed)
  const entries = await journal()
  expect(entries.map(({ number }: { number: number }) => number)).toHaveLength(24)
  expect(new Set(entries.map(({ outcome }: { outcome: string }) => outcome))).toEqual(new Set(['complete']))
  const [{ timeline, durationMs, bytes }] = entries
  expect(timeline.every(({ atMs }: { atMs?: number }) => atMs !== undefined && atMs <= durationMs)).toBe(true)
  expect(bytes).toBeGreaterThan(100)
})

test('the timing report includes the waits and the event-loop lag of workers', async () => {
  mock.reset()
  world({ pace: { firstToken: '5ms' } })
  await storm(await connect(), 2)
  await journal()
  expect(mock.timing.report()).toMatchObject({ waits: 16, eventLoopLagMs: { max: expect.any(Number) } })
})

test('a wait starts when the worker receives the call, not when it receives the plan', async () => {
  world({ pace: { firstToken: '30ms' } })
  await ask((await connect(1))[0]!)
  const [{ timeline, durationMs }] = await journal()
  expect(timeline[0]).toMatchObject({ type: 'wait', ms: 30 })
  expect(durationMs).toBeGreaterThanOrEqual(30)
})
