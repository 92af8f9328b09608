/** Limits that a store counts for several processes: how an engine asks it, and what it does with the answer. */
import { afterEach, expect, test, vi } from 'vitest'
import { CallContext } from '../../src/core/decide/call/call-context.ts'
import { Memos } from '../../src/core/lib/cache/memos.ts'
import { statusOf } from '../../src/core/protocol/plan/plan.ts'
import { prepareSource } from '../../src/core/scenario/check/prepare-source.ts'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { MockSettings } from '../../src/engine/engine.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { Exchange } from '../../src/engine/exchange.ts'
import { hunt } from '../../src/hunt.ts'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { type CallOverrides, call, HELLO } from '../support/call.ts'
import { read } from '../support/core.ts'
import { findProblems } from '../support/find-problems.ts'
import { tokensCall } from '../support/limits.ts'
import { FakeStore } from './fake-store.ts'

const URL_OF_STORE = 'redis://127.0.0.1:6379'
type Limits = NonNullable<ScenarioInput['limits']>

const compile = (source: ScenarioInput, name = 'test') =>
  compileScenario(prepareSource({ description: 'shared', ...source }), { name, compilePattern })

/** Processes that count their limits in one store. */
function processes(
  limits: Limits,
  count = 1,
  settings: MockSettings = {},
  scenario = compile({ limits: { shared: URL_OF_STORE, ...limits } }),
) {
  const store = new FakeStore()
  const engines = Array.from({ length: count }, () => new Engine(scenario, settings, () => store))
  const send = (overrides: CallOverrides = {}, engine = engines[0]!): Promise<Exchange> =>
    new Promise((begun, failed) => engine.receive(call({ now: store.now, ...overrides }), begun, failed))
  /** A whole call: begun and ended. */
  const ask = async (overrides: CallOverrides = {}, engine = engines[0]!) => {
    const exchange = await send(overrides, engine)
    exchange.end('complete')
    return read(exchange.plan)
  }
  return { store, engines, engine: engines[0]!, send, ask }
}

const turns = async (count = 5): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((next) => setImmediate(next))
}

afterEach(() => {
  vi.useRealTimers()
})

test('two processes admit together what one limit allows, and both name the whole usage', async () => {
  const { engines, ask } = processes({ requests: '3 per minute' }, 2)
  const answers = []
  for (let count = 0; count < 4; count++) answers.push(await ask({}, engines[count % 2]))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(answers.map(({ headers }) => headers['x-ratelimit-remaining-requests'])).toEqual(['2', '1', '0', '0'])
  expect(answers[3]!.text).toContain('Limit 3, Used 3, Requested 1. Please try again in 20s.')
  expect(answers[3]!.headers['retry-after-ms']).toBe('20000')
  expect(engines[1]!.view.limitUsage[0]!.limits).toMatchObject([{ kind: 'requests', limit: 3, used: 3 }])
})

test('a client that waits retry-after-ms gets through at another process, and one millisecond earlier it does not', async () => {
  const { store, engines, ask } = processes({ requests: '3 per minute' }, 2)
  for (let count = 0; count < 3; count++) await ask()
  store.now = 19_999
  expect(await ask({}, engines[1])).toMatchObject({ status: 429, headers: { 'retry-after-ms': '1' } })
  store.now = 20_000
  expect(await ask({}, engines[1])).toMatchObject({ status: 200 })
})

test('tokens that a call reserved and did not use are back for all processes', async () => {
  const { store, engines, ask, send } = processes({ charge: 'answer', tokens: '100 per day' }, 2)
  const exchange = await send({
    body: { model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 90 },
  })
  expect(await ask(tokensCall(20), engines[1])).toMatchObject({ status: 429 })
  exchange.end('complete')
  expect(await ask(tokensCall(20), engines[1])).toMatchObject({ status: 200 })
  expect(store.events.filter((event) => event.startsWith('settle'))).toEqual(['settle r1', 'settle r2'])
})

test('calls in flight in other processes count, and the wait for them is a second', async () => {
  const { store, ask } = processes({ concurrent: 5 })
  store.elsewhere = 4
  expect(await ask()).toMatchObject({ status: 200 })
  store.elsewhere = 5
  const refused = await ask()
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after-ms': '1000' } })
  expect(refused.text).toContain('Limit 5, Used 5, Requested 1.')
})

test('the store is asked at once for calls of a key, and they are decided in the order in which they arrived', async () => {
  const { store, send } = processes({ requests: '1 per day' })
  store.isHolding = true
  const decided: string[] = []
  const follow = async (name: string, overrides: CallOverrides): Promise<void> => {
    const { entry } = await send(overrides)
    decided.push(`${name} ${entry.status}`)
  }
  const all = [
    follow('other', { key: 'sk-other' }),
    follow('large', { body: { model: 'echo-1', messages: [{ role: 'user', content: 'some words '.repeat(20_000) }] } }),
    follow('small', {}),
    follow('no body', { body: '' }),
  ]
  await vi.waitFor(() => expect(store.events).toHaveLength(3))
  store.answer()
  await turns()
  expect(decided).toEqual(['other 200'])
  store.answer()
  await vi.waitFor(() => expect(decided).toHaveLength(2))
  store.answer()
  await Promise.all(all)
  expect(decided).toEqual(['other 200', 'large 200', 'small 429', 'no body 400'])
})

test('a call waits for those before it where their answers count: with a budget, and where it may go on from a response', async () => {
  const { store, send } = processes({ requests: '9 per day' })
  const withBudget = compile({ keys: { 'sk-test': { budget: { requests: 1 } } }, limits: { shared: URL_OF_STORE } })
  const { send: sendPaid } = processes({}, 1, {}, withBudget)
  const paid = await Promise.all([sendPaid(), sendPaid()])
  expect(paid.map(({ entry }) => entry.status)).toEqual([200, 429])
  store.isHolding = true
  const response = { path: '/v1/responses', body: { model: 'echo-1', input: 'Hello' } }
  const sent = [send(response), send(response)]
  await turns()
  expect(store.events).toHaveLength(1)
  store.answer()
  await vi.waitFor(() => expect(store.events.filter((event) => event.startsWith('reserve'))).toHaveLength(2))
  store.answer()
  await Promise.all(sent)
})

test('fifty calls of a key at once get the answers that limits in the process give them', async () => {
  const limits: Limits = { requests: '40 per day', tokens: '600 per day' }
  const { send, store } = processes(limits)
  const alone = new Engine(compile({ limits }))
  store.isHolding = true
  const calls = Array.from({ length: 50 }, (_, index): CallOverrides => {
    const content = 'word '.repeat((index * 7) % 13)
    return { body: { model: 'echo-1', messages: [{ role: 'user', content }] } }
  })
  const sent = calls.map((overrides) => send(overrides))
  await vi.waitFor(() => expect(store.events).toHaveLength(50))
  for (const _ of calls) store.answer()
  const plans = (await Promise.all(sent)).map(({ plan }) => plan)
  expect(plans).toEqual(calls.map((overrides) => alone.begin(call({ now: store.now, ...overrides })).plan))
  expect(new Set(plans.map(statusOf))).toEqual(new Set([200, 429]))
})

test('a fault that is injected once applies to one of two calls, of which the first waits for the store', async () => {
  const { store, engine, send } = processes({ requests: '9 per day' })
  store.isHolding = true
  engine.view.inject('crlf')
  const streamed = { body: { ...HELLO, stream: true } }
  const first = send(streamed)
  const second = send({ ...streamed, key: 'sk-other' })
  await vi.waitFor(() => expect(store.events).toHaveLength(2))
  expect(engine.view.injected).toEqual([])
  store.answer()
  store.answer()
  const reasons = (await Promise.all([first, second])).map(({ plan }) => plan.reason.by)
  expect(reasons).toEqual(['fault', 'echo'])
})

test('a call that waits for the store has taken its attempt and its turn of the states', async () => {
  const store = new FakeStore()
  const scenario = compile({
    limits: { shared: URL_OF_STORE, requests: '9 per day' },
    states: { up: { lasts: '1 calls', next: 'down' }, down: { faults: [{ fault: 503 }] } },
  })
  const engine = new Engine(scenario, {}, () => store)
  const send = (overrides: CallOverrides = {}): Promise<Exchange> =>
    new Promise((begun, failed) => engine.receive(call(overrides), begun, failed))
  store.isHolding = true
  const first = send()
  await vi.waitFor(() => expect(store.events).toHaveLength(1))
  expect((await send({ key: 'sk-other' })).entry.status).toBe(503)
  store.answer()
  expect((await first).entry).toMatchObject({ status: 200, attempt: 1 })
})

test('a call that fails after the store was asked gives its reservation back', async () => {
  const { store, ask, send } = processes({ requests: '1 per day' })
  store.isHolding = true
  const pending = send()
  await turns()
  vi.spyOn(CallContext.prototype, 'readSession').mockImplementationOnce(() => {
    throw new Error('a bug')
  })
  store.answer()
  await expect(pending).rejects.toThrow('a bug')
  expect(store.events).toEqual(['reserve sk-test', 'release r1'])
  store.isHolding = false
  expect(await ask()).toMatchObject({ status: 200 })
})

test('a call whose client leaves while the store is asked is recorded, and settled once', async () => {
  const { store, engine, send } = processes({ concurrent: 1, tokens: '100 per day' })
  store.isHolding = true
  const pending = send()
  await turns()
  store.answer()
  const exchange = await pending
  exchange.end('client-left')
  exchange.end('complete')
  expect(engine.view.calls.map(({ outcome }) => outcome)).toEqual(['client-left'])
  expect(store.events).toEqual(['reserve sk-test', 'settle r1'])
})

test('a call asks again when the mock was reset while the store was asked', async () => {
  const { store, engine, ask, send } = processes({ requests: '1 per day' })
  await ask()
  store.isHolding = true
  const pending = send()
  await turns()
  engine.reset()
  store.answer()
  await turns()
  store.answer()
  expect((await pending).entry.status).toBe(200)
  expect(store.events).toEqual([
    'reserve sk-test',
    'settle r1',
    'reserve sk-test',
    expect.stringMatching(/^reset /),
    'release r2',
    'reserve sk-test',
  ])
})

test('a heavy call is decided without its memos when another scenario was applied while the store was asked', async () => {
  const { store, engine, send } = processes({ requests: '3 per minute' })
  const memos = new Memos()
  engine.rehearsals = { run: async () => memos, close: async () => {} }
  store.isHolding = true
  const content = 'some words '.repeat(6000)
  const begun = send({ transport: 'http', body: { ...HELLO, messages: [{ role: 'user', content }] } })
  await turns()
  vi.spyOn(memos, 'of').mockImplementation(() => {
    throw new Error('a memo of the scenario before')
  })
  engine.use(compile({ limits: { shared: URL_OF_STORE, requests: '3 per minute' }, seed: 'other' }))
  store.isHolding = false
  store.answer()
  expect(read((await begun).plan).status).toBe(200)
})

test('while the store does not answer, a call is a 503 that says why and what to do', async () => {
  const { store, ask } = processes({ requests: '1 per day' })
  store.problem = 'redis://store:6379 does not answer (ECONNREFUSED)'
  const { status, text } = await ask()
  expect(status).toBe(503)
  expect(JSON.parse(text).error).toEqual({
    message:
      "The limits of this call can't be checked: redis://store:6379 does not answer (ECONNREFUSED). Start the store, or set limits.shared.unavailable to 'allow' to answer without limits.",
    type: 'server_error',
    param: null,
    code: 'mock_limits_unavailable',
  })
  store.problem = undefined
  expect(await ask()).toMatchObject({ status: 200 })
})

test('with unavailable: allow, calls are answered without limits, and the journal says so', async () => {
  const shared = { url: URL_OF_STORE, unavailable: 'allow' } as const
  const { store, engine, ask } = processes({ shared, requests: '1 per day', concurrent: 1 })
  store.problem = 'redis://store:6379 does not answer (timeout)'
  for (let count = 0; count < 3; count++) expect(await ask()).toMatchObject({ status: 200 })
  expect(engine.view.calls[2]!.toJSON().notes).toEqual([
    'limits were not checked: redis://store:6379 does not answer (timeout)',
  ])
  store.problem = undefined
  const { status } = await ask()
  expect(status).toBe(200)
  expect(await ask()).toMatchObject({ status: 429 })
})

test('to explain a call asks no store: it reads the levels that were last loaded', async () => {
  const { store, engine, ask } = processes({ requests: '1 per day' })
  await ask()
  expect(await engine.explain({ body: HELLO })).toMatchObject({ status: 429, limit: 'requests' })
  expect(store.events).toEqual(['reserve sk-test', 'settle r1'])
})

test('with faked timers no store is asked', async () => {
  vi.useFakeTimers()
  const { store, ask } = processes({ requests: '1 per day' })
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
  expect(store.events).toEqual([])
})

test('calls without limits ask no store', async () => {
  const { store, ask } = processes({ requests: '1 per day' })
  expect(await ask({ path: '/v1/models', method: 'GET' })).toMatchObject({ status: 200 })
  expect(await ask({ key: '' })).toMatchObject({ status: 401 })
  expect(store.events).toEqual([])
})

test('the limits of keys and models have counters of their own in the store', async () => {
  const scenario = compile({
    limits: { shared: URL_OF_STORE, requests: ['3 per second', '60 per minute'] },
    models: { 'large-*': { limits: { tokens: '10 per day' } }, '*': {} },
    keys: { 'sk-tight': { limits: { concurrent: 2 } }, '*': {} },
  })
  const limitsOf = (key: string, model: string): string[] => {
    const { requests, tokens, concurrent } = scenario.limitsOf!(scenario.keyRule(key), scenario.model(model))
    return [...requests, ...tokens, ...concurrent].map(({ id }) => id)
  }
  const ofScenario = ['scenario|requests|3/second', 'scenario|requests|60/minute']
  expect(limitsOf('sk-any', 'small')).toEqual(ofScenario)
  expect(limitsOf('sk-tight', 'large-1')).toEqual([...ofScenario, 'model:large-*|tokens|10/day', 'key|concurrent|2'])
})

test('the same scenario has the same counters, whatever its name; another scenario has others', async () => {
  const { store, engine } = processes({ requests: '1 per day' })
  const limits = { shared: URL_OF_STORE, requests: '1 per day' } as const
  engine.use(compile({ limits }, './scenarios/one.yaml'))
  engine.use(compile({ limits }, 'over the control plane'))
  engine.use(compile({ limits, seed: 2 }, './scenarios/one.yaml'))
  const [first, second, third] = store.events
  expect(first).toMatch(/^reset \w+$/)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('calls that run when another scenario is applied are settled in the store that counted them', async () => {
  const stores = [new FakeStore(), new FakeStore()]
  const limits = (shared: string) => ({ limits: { shared, concurrent: 2 } })
  const engine = new Engine(compile(limits(URL_OF_STORE)), {}, (url) => stores[url === URL_OF_STORE ? 0 : 1]!)
  const begun = new Promise<Exchange>((done, failed) => engine.receive(call(), done, failed))
  const exchange = await begun
  engine.use(compile(limits('redis://127.0.0.1:6380')))
  engine.use(compile({}))
  exchange.end('complete')
  expect(stores[0]!.events.slice(1)).toEqual(['retire', 'settle r1'])
  expect(stores[1]!.events).toContain('retire')
})

test('a server connects to the store when it starts to listen', async () => {
  const { store, engine } = processes({ requests: '1 per day' })
  engine.storedLimits.connect()
  await engine.storedLimits.close()
  expect(store.events).toEqual(['connect', 'close'])
})

test.each<readonly [string, MockSettings]>([
  ['a speed', { speed: 10 }],
  ['a clock', { clock: createMock('default', { clock: 'manual' }).clock }],
])('a mock with %s refuses shared limits, because the store counts in real time', (_, settings) => {
  expect(() => processes({ requests: '1 per day' }, 1, settings)).toThrow('limits.shared needs real time')
  const engine = new Engine(compile({}), settings)
  expect(() => engine.use(compile({ limits: { shared: URL_OF_STORE } }))).toThrow('limits.shared needs real time')
  expect(engine.scenario.sharedLimits).toBeUndefined()
})

test('a hunt refuses shared limits', async () => {
  const hunted = hunt({ limits: { shared: URL_OF_STORE, requests: '1 per day' } }, async () => {})
  await expect(hunted).rejects.toMatchObject({
    code: 'unsupported-scenario',
    message: expect.stringContaining('Remove limits.shared.'),
  })
})

test.each([
  [
    { limits: { shared: 'http://user:secret@host' } },
    'limits.shared: expected the address of a Redis or Valkey server',
  ],
  [{ limits: { shared: 'redis://host:99999' } }, "got 'redis://host:99999'."],
  [{ limits: { shared: 'redis://user:a secret@host' } }, "got 'redis://user:****@host'."],
  [{ limits: { shared: 'redis://host?password=secret' } }, "got 'redis://host?password=****'."],
  [{ limits: { shared: { url: 'redis://host', unavailable: 'deny' } } }, "expected refuse or allow, got 'deny'."],
  [{ keys: { a: { limits: { shared: 'redis://host' } } } }, "unknown field 'shared'."],
  [
    { limits: { shared: 'redis://host' }, models: { m: { limits: { tokens: ['1 per hour', '104249992 per day'] } } } },
    "models.m.limits.tokens[1]: expected at most 104249991 per day beside limits.shared, got '104249992 per day'.",
  ],
])('%j is a problem', (source, expected) => {
  let message = ''
  try {
    prepareSource({ description: 'x', ...source })
  } catch (error) {
    message = (error as Error).message
  }
  expect(message).toContain(expected)
  expect(message).toContain('has 1 problem')
  expect(message).not.toContain('secret')
})

test('addresses with a user, a password, a database or TLS are accepted', () => {
  const addresses = ['redis://host', 'rediss://user:p%40ss@redis.example.com:6380/2', 'redis://:pass@[::1]:6379']
  for (const shared of addresses) expect(findProblems({ description: 'x', limits: { shared } })).toEqual([])
})
