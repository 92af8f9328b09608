/** The pace: when an answer begins and when its tokens come, as plans; nothing here waits. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Plan, waitsOf } from '../../../../src/core/protocol/plan/plan.ts'
import { lineOf } from '../../../../src/core/scenario/check/problem.ts'
import type { ScenarioSource } from '../../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, HELLO, mockWith, read, tokenizer } from '../../../support/core.ts'
import { findProblems } from '../../../support/find-problems.ts'

const paced = (pace: NonNullable<ScenarioSource['pace']>, more: Partial<ScenarioSource> = {}) =>
  mockWith({ pace, ...more })
const STREAM = { body: { ...HELLO, stream: true } }
const EMBEDDING = { path: '/v1/embeddings', body: { model: 'hash-1', input: ['one two three', 'four'] } }
const TOKENS = tokenizer('o200k_base').count('Hello there!')

/** When each piece is sent, in milliseconds from the start. */
function timesOf({ events }: Plan): number[] {
  let now = 0
  const times: number[] = []
  for (const event of events) {
    if (event.type === 'wait') now += event.ms
    if (event.type === 'send') times.push(now)
  }
  return times
}

test('without a pace nothing waits', () => {
  expect(waitsOf(mockWith().plan())).toBe(0)
})

test('the first token of a stream takes firstToken, each further one perToken', () => {
  const mock = paced({ firstToken: '2s', perToken: '50ms' })
  // The role, "Hello", " there", "!", the finish, [DONE].
  expect(timesOf(mock.plan(STREAM))).toEqual([2000, 2000, 2050, 2100, 2100, 2100])
})

test('a whole answer arrives when the last token of its stream would', () => {
  const mock = paced({ firstToken: '2s', perToken: '50ms' })
  expect(TOKENS).toBe(3)
  expect(timesOf(mock.plan())).toEqual([2100])
})

test('an embedding takes firstToken plus perInputToken for each input token', () => {
  const mock = paced({ firstToken: '30ms', perToken: '1s', perInputToken: '2ms' })
  const { usage } = JSON.parse(mockWith().answer(EMBEDDING).text)
  expect(timesOf(mock.plan(EMBEDDING))).toEqual([30 + 2 * usage.prompt_tokens])
})

test('cached tokens take cachedInputToken instead of perInputToken', () => {
  const messages = [{ role: 'user', content: 'word '.repeat(1100) }]
  const call = { body: { model: 'echo-1', messages, max_tokens: 1 } }
  const pace = { firstToken: '200ms', perInputToken: '2ms', cachedInputToken: '0.25ms' } as const
  const waitsWith = (scenario: Partial<ScenarioSource>): number[] => {
    const mock = mockWith(scenario)
    return [mock.plan(call), mock.plan(call)].map(waitsOf)
  }
  const { prompt_tokens: prompt } = mockWith().json(call).usage
  const all = 200 + 2 * prompt
  const read = 200 + 2 * (prompt - 1024)
  expect(waitsWith({ pace, cache: 'prefixes' })).toEqual([all, read + 0.25 * 1024])
  expect(waitsWith({ pace: { ...pace, cachedInputToken: undefined }, cache: 'prefixes' })).toEqual([all, read])
  expect(waitsWith({ pace })).toEqual([all, all])
})

test('openai-processing-ms is the planned wait before the head', () => {
  const mock = paced({ firstToken: { median: '300ms', p99: '900ms' }, perToken: '10ms' })
  for (const call of [STREAM, {}, EMBEDDING]) {
    const plan = mock.plan(call)
    const [first] = plan.events
    expect(first?.type).toBe('wait')
    const ms = first?.type === 'wait' ? first.ms : 0
    expect(read(plan).headers['openai-processing-ms']).toBe(String(Math.round(ms)))
  }
})

test('refusals and the list of models do not wait', () => {
  const mock = paced({ firstToken: '1h' }, { models: { 'echo-1': { contextTokens: 1 } } })
  const refused = [
    mock.plan({ key: '' }),
    mock.plan({ body: '{' }),
    mock.plan({ headers: { 'x-mock-fault': '500' } }),
    mock.plan(),
    mock.plan({ path: '/v1/models', method: 'GET', body: '' }),
  ]
  expect(refused.map((plan) => read(plan).status)).toEqual([401, 400, 500, 400, 200])
  for (const plan of refused) expect(waitsOf(plan)).toBe(0)
  expect(Number(read(refused[2]!).headers['openai-processing-ms'])).toBeLessThan(100)
})

test.each<[string, NonNullable<ScenarioSource['pace']>, number[]]>([
  ['fixed', { firstToken: '300ms' }, []],
  ['uniform', { firstToken: { min: '200ms', max: '600ms' } }, []],
  ['median and p99', { firstToken: { median: '300ms', p99: '900ms' } }, []],
  ['quantiles', { firstToken: { p10: '80ms', p50: '200ms', 'p99.9': '4s' } }, []],
])('%s waits are seeded: every attempt has its own, and a second run has the same', (name, pace) => {
  const waits = () => {
    const mock = paced(pace)
    return Array.from({ length: 5 }, () => waitsOf(mock.plan()))
  }
  expect(waits()).toEqual(waits())
  expect(new Set(waits()).size).toBe(name === 'fixed' ? 1 : 5)
})

test('drawn waits are pinned', () => {
  const spread = { median: '40ms', p99: '120ms' } as const
  expect(
    timesOf(paced({ firstToken: { min: '1s', max: '2s' }, perToken: spread }).plan(STREAM)),
  ).toMatchInlineSnapshot(`
    [
      1431.067,
      1431.067,
      1459.912,
      1491.419,
      1491.419,
      1491.419,
    ]
  `)
})

test('perToken that is drawn once is the same for all tokens of a call, and another one for the next call', () => {
  const mock = paced({ perToken: { p50: '40ms', p99: '120ms', drawn: 'once' } })
  const speeds = [0, 1, 2].map(() => {
    const times = timesOf(mock.plan(STREAM))
    expect(times[3]! - times[2]!).toBeCloseTo(times[2]! - times[1]!, 6)
    return times[2]! - times[1]!
  })
  expect(new Set(speeds).size).toBe(3)
})

test('other calls in between do not change the waits', () => {
  const pace = { firstToken: { median: '300ms', p99: '900ms' }, perToken: { min: '1ms', max: '9ms' } }
  const busy = paced(pace)
  for (let other = 0; other < 20; other++) busy.plan({ key: `sk-${other}` })
  expect(busy.plan(STREAM)).toEqual(paced(pace).plan(STREAM))
})

// By model

test("a model has its own pace, and the scenario's pace if it has none", () => {
  const mock = paced(
    { firstToken: '100ms', perToken: '10ms' },
    { models: { 'echo-1': {}, 'slow-*': { pace: { firstToken: '9s' } } } },
  )
  expect(timesOf(mock.plan(STREAM)).at(-1)).toBe(120)
  expect(timesOf(mock.plan({ body: { ...STREAM.body, model: 'slow-2' } })).at(-1)).toBe(9020)
})

test('a model can have a pace in a scenario without one', () => {
  const mock = mockWith({ models: { 'echo-1': {}, 'slow-1': { pace: { firstToken: '9s' } } } })
  expect(waitsOf(mock.plan())).toBe(0)
  expect(waitsOf(mock.plan({ body: { ...HELLO, model: 'slow-1' } }))).toBe(9000)
})

// By reply rule

const RESPONSE = { path: '/v1/responses', body: { model: 'echo-1', input: 'Hello there!', stream: true } }

test('a rule has its own pace, in chats and responses, streamed or not', () => {
  const replies = [{ when: { user: 'there' }, say: 'one two three', pace: { firstToken: '2s', perToken: '50ms' } }]
  const mock = mockWith({ replies })
  for (const call of [STREAM, {}, RESPONSE, { ...RESPONSE, body: { ...RESPONSE.body, stream: false } }])
    expect(waitsOf(mock.plan(call))).toBe(2100)
  expect(waitsOf(mock.plan({ body: { model: 'echo-1', messages: [{ role: 'user', content: 'other' }] } }))).toBe(0)
})

test('delay is the firstToken of a pace, for a text, a refusal and a tool call', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }]
  for (const answer of [{ say: 'Hi' }, { refuse: 'No.' }, { call: { name: 'f' } }]) {
    const [short, long] = [{ delay: '2s' }, { pace: { firstToken: '2s' } }].map((pace) =>
      mockWith({ replies: [{ ...answer, ...pace }] as never }).plan({ body: { ...HELLO, tools } }),
    )
    expect(short!.reason).toEqual({ by: 'reply', name: 'replies[0]' })
    expect(short).toEqual(long)
    expect(waitsOf(short!)).toBe(2000)
  }
})

test('fields that the pace of a rule leaves out are those of the state, else of the model, else of the scenario', () => {
  const replies = [{ say: 'one two', delay: '2s' }] as const
  const pace = { firstToken: '1s', perToken: '10ms' } as const
  const models = { 'echo-1': { pace: { perToken: '20ms' } } } as const
  const states = { degraded: { pace: { perToken: '40ms' } } } as const
  const totals = [{ pace }, { pace, models }, { pace, models, states }].map((more) =>
    waitsOf(mockWith({ replies: [...replies], ...more }).plan()),
  )
  expect(totals).toEqual([2010, 2020, 2040])
})

test('a rule can have a queue of its own', () => {
  const queue = { concurrent: 1, waiting: 0 }
  const mock = mockWith({ replies: [{ when: { user: 'there' }, say: 'Hi', pace: { firstToken: '1s', queue } }] })
  const other = { body: { model: 'echo-1', messages: [{ role: 'user', content: 'other' }] } }
  expect([{}, {}, other, { now: 1000 }].map((call) => read(mock.plan(call)).status)).toEqual([200, 503, 200, 200])
})

test('for any pace and call, a pace in the rule gives the waits of the same pace in the scenario', () => {
  const ms = fc.integer({ min: 0, max: 5000 }).map((ms) => `${ms}ms` as const)
  const pace = fc.record({ firstToken: ms, perToken: ms, perInputToken: ms }, { requiredKeys: [] })
  fc.assert(
    fc.property(pace, fc.constantFrom(STREAM, {}, RESPONSE), (pace, call) => {
      const ofRule = mockWith({ replies: [{ say: 'one two three', pace }] }).plan(call)
      const ofScenario = paced(pace, { replies: [{ say: 'one two three' }] }).plan(call)
      expect(ofRule).toEqual(ofScenario)
    }),
  )
})

test.each<[NonNullable<ScenarioSource['replies']>[number], string]>([
  [
    { fault: 500, delay: '2s' },
    "replies[0].delay: expected 'delay' beside say, call, refuse, reply, got it beside fault.",
  ],
  [
    { answer: { body: '{}' }, pace: {} },
    "replies[0].pace: expected 'pace' beside say, call, refuse, reply, got it beside answer.",
  ],
  [
    { say: 'Hi', delay: '2s', pace: {} },
    "replies[0].delay: expected either 'pace' or 'delay', got both. Write delay as firstToken of pace.",
  ],
])('%j is a problem', (rule, problem) => {
  expect(findProblems({ replies: [rule] }).map((one) => lineOf(one))).toEqual([problem])
})

// Load

test('each other call in flight makes all waits longer by the load', () => {
  const mock = paced({ firstToken: '1s', perToken: '100ms', load: '20% per call' })
  const totals = [0, 1, 2].map((now) => waitsOf(mock.plan({ now })))
  expect(totals).toEqual([1200, 1440, 1680])
})

test('ended calls add no load', () => {
  const mock = paced({ firstToken: '1s', load: '50% per call' })
  const at = (now: number) => waitsOf(mock.plan({ now }))
  expect([at(0), at(999), at(1000), at(5000)]).toEqual([1000, 1500, 1500, 1000])
})

test('all keys share one load; a model with its own load counts separately', () => {
  const mock = paced(
    { firstToken: '1s', load: '100% per call' },
    { models: { 'echo-1': {}, 'echo-2': {}, 'own-1': { pace: { load: '10% per call' } } } },
  )
  const ms = (model: string, key: string) => waitsOf(mock.plan({ key, body: { ...HELLO, model } }))
  expect(ms('echo-1', 'sk-a')).toBe(1000)
  expect(ms('own-1', 'sk-b')).toBe(1000)
  expect(ms('echo-2', 'sk-c')).toBe(2000)
  expect(ms('own-1', 'sk-d')).toBe(1100)
})

// Queue

test('a call waits in the queue, and a call that finds the queue full is a 503', () => {
  const mock = paced({ firstToken: '1s', queue: { concurrent: 1, waiting: 2 } })
  const plans = [0, 0, 100, 200].map((now) => mock.plan({ now }))
  expect(plans.map((plan) => read(plan).status)).toEqual([200, 200, 200, 503])
  expect(plans.map(waitsOf)).toEqual([1000, 2000, 2900, 0])
  expect(plans[3]!.reason).toEqual({ by: 'queue', name: 'overloaded' })
  expect(JSON.parse(read(plans[3]!).text).error.message).toContain('currently overloaded')
  expect(read(mock.plan({ now: 1000 })).status).toBe(200)
})

test('a refused call takes no slot in the queue and no step of a sequence', () => {
  const mock = paced(
    { firstToken: '1s', queue: { concurrent: 1, waiting: 0 } },
    { replies: [{ say: ['first', 'second'] }] },
  )
  const said = (now: number) => mock.json({ now }).choices?.[0].message.content
  expect([said(0), said(1), said(2), said(1000)]).toEqual(['first', undefined, undefined, 'second'])
})

test('with a queue, only calls being served add load', () => {
  const mock = paced({ firstToken: '1s', load: '100% per call', queue: { concurrent: 2, waiting: 100 } })
  expect([0, 0, 0].map((now) => waitsOf(mock.plan({ now })))).toEqual([1000, 2000, 3000])
})

test('after a reset no call is in flight', () => {
  const mock = paced({ firstToken: '1s', queue: { concurrent: 1, waiting: 0 } })
  mock.plan()
  mock.apply({ type: 'reset', now: 0 })
  expect(read(mock.plan()).status).toBe(200)
})

/** The same queue, by the book: a clerk at each of so many counters, and a line in order of arrival. */
function lineUp(
  arrivals: readonly number[],
  serviceMs: number,
  concurrent: number,
  waiting: number,
): (number | null)[] {
  const freeAt: number[] = Array(concurrent).fill(0)
  const ends: number[] = []
  return arrivals.map((now) => {
    if (ends.filter((end) => end > now).length >= concurrent + waiting) return null
    const clerk = freeAt.indexOf(Math.min(...freeAt))
    const end = Math.max(now, freeAt[clerk]!) + serviceMs
    freeAt[clerk] = end
    ends.push(end)
    return end - now
  })
}

test('any arrivals are served like one line at several counters', () => {
  const size = fc.integer({ min: 1, max: 5 })
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 })
  fc.assert(
    fc.property(size, fc.nat(6), fc.integer({ min: 1, max: 1500 }), gaps, (concurrent, waiting, serviceMs, gaps) => {
      const arrivals: number[] = []
      for (const gap of gaps) arrivals.push((arrivals.at(-1) ?? 0) + gap)
      const mock = paced({ firstToken: `${serviceMs}ms`, queue: { concurrent, waiting } })
      const waits = arrivals.map((now): number | null => {
        const plan = mock.plan({ now } satisfies CallOverrides)
        return read(plan).status === 503 ? null : waitsOf(plan)
      })
      expect(waits).toEqual(lineUp(arrivals, serviceMs, concurrent, waiting))
    }),
    { numRuns: 60 },
  )
})

test('the choices of a stream are written at the same time: three take no longer than one', () => {
  const pace = { firstToken: '1s', perToken: '100ms' }
  const messages = [{ role: 'user', content: 'one two three four' }]
  const waits = [1, 3].flatMap((n) =>
    [false, true].map((stream) => waitsOf(mockWith({ pace }).plan({ body: { model: 'echo-1', messages, n, stream } }))),
  )
  expect(waits).toEqual([1300, 1300, 1300, 1300])
})

test('with perInputToken, the first token waits for the prompt', () => {
  const mock = mockWith({ pace: { firstToken: '1s', perInputToken: '10ms' } })
  // One message of a word: 3 + 3 + 1 for the role + 1.
  expect(waitsOf(mock.plan({ body: { model: 'echo-1', messages: [{ role: 'user', content: 'go' }] } }))).toBe(1080)
})
