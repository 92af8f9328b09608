/** The near miss: which rule a chat nearly matched, and what differed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBodyDifferences } from '../../../src/core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, mockWith } from '../../support/core.ts'
import { ask, steppingMock } from '../../support/stepping.ts'

type Rules = NonNullable<ScenarioSource['replies']>
const say = 'Fine.'
const user = (content: string, more: object = {}): CallOverrides => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
const WEATHER = { type: 'function', function: { name: 'get_weather' } }

test.each<[what: string, replies: Rules, call: CallOverrides, text: string]>([
  [
    'a pattern',
    [{ when: { user: '/weather/' }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected user /weather/, got 'Hello'",
  ],
  [
    'a text',
    [{ when: { user: 'weather' }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected user 'weather', got 'Hello'",
  ],
  [
    'one of several',
    [{ when: { user: ['rain', 'snow', '/sun/i'] }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected user 'rain', 'snow' or /sun/i, got 'Hello'",
  ],
  ['a number', [{ when: { attempt: 2 }, say }], user('Hello'), 'replies[0] nearly matched: expected attempt 2, got 1'],
  [
    'a model',
    [{ when: { model: '*-mini' }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected model '*-mini', got 'echo-1'",
  ],
  [
    'no system text',
    [{ when: { system: 'pirate' }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected system 'pirate', got ''",
  ],
  [
    'no tool result',
    [{ when: { toolResult: 'x' }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected toolResult 'x', got none",
  ],
  [
    'no tool',
    [{ when: { tool: 'get_weather' }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected tool 'get_weather', got none",
  ],
  [
    'a tool that is called and not offered',
    [{ when: { user: 'weather' }, call: { name: 'get_weather' } }],
    user('weather', { tools: [{ type: 'function', function: { name: 'other' } }] }),
    "replies[0] nearly matched: expected tool 'get_weather', which the rule calls, got 'other'",
  ],
  [
    'a call right after a result',
    [{ when: { user: 'weather' }, call: { name: 'get_weather' } }],
    {
      body: {
        model: 'echo-1',
        tools: [WEATHER],
        messages: [
          { role: 'user', content: 'weather' },
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: '21' },
        ],
      },
    },
    'replies[0] matched, but a rule without `toolResult` makes no calls after a tool result',
  ],
  [
    'a condition whose value is an object',
    [{ when: { request: { model: 'echo-1' } }, say }],
    user('Hello'),
    'replies[0] nearly matched: expected request.messages none, got [{"role":"user","content":"Hello"}]',
  ],
  [
    'two conditions',
    [{ when: { user: 'weather', turn: 2 }, say }],
    user('Hello'),
    "replies[0] nearly matched: expected user 'weather', got 'Hello'; expected turn 2, got 1",
  ],
  [
    'the key, shortened on both sides',
    [{ when: { key: 'sk-proj-abcdefghijklmnop' }, say }],
    { ...user('Hello'), key: 'sk-proj-qrstuvwxyz123456' },
    "replies[0] nearly matched: expected key 'sk-proj-****mnop', got 'sk-proj-****3456'",
  ],
  [
    'a long text on several lines, in short and on one',
    [{ when: { user: 'weather' }, say }],
    user(`One\ntwo ${'x'.repeat(100)}`),
    `replies[0] nearly matched: expected user 'weather', got 'One two ${'x'.repeat(51)}…'`,
  ],
  [
    'the rule with the fewest failures',
    [
      { when: { user: 'weather', system: 'pirate' }, say },
      { when: { user: 'rain' }, say },
    ],
    user('Hello'),
    "replies[1] nearly matched: expected user 'rain', got 'Hello'",
  ],
  [
    'the rule of which something holds, before one of which nothing does',
    [
      { when: { toolResult: '21' }, say },
      {
        when: { user: '/weather in .*/', tool: 'get_weathr', turn: 3 },
        call: { name: 'get_weathr' },
      },
    ],
    user('weather in Oslo', { tools: [WEATHER] }),
    "replies[1] nearly matched: expected tool 'get_weathr', got 'get_weather'; expected turn 3, got 1",
  ],
  [
    'a tool that a condition names and the rule calls, once',
    [
      { when: { toolResult: '21' }, say },
      { when: { user: '/weather in .*/', tool: 'get_weathr' }, call: { name: 'get_weathr' } },
    ],
    user('weather in Oslo', { tools: [WEATHER] }),
    "replies[1] nearly matched: expected tool 'get_weathr', got 'get_weather'",
  ],
  [
    'another tool than that of the condition too',
    [{ when: { tool: 'get_*r' }, call: { name: 'send_mail' } }],
    user('weather in Oslo', { tools: [{ type: 'function', function: { name: 'other' } }] }),
    "replies[0] nearly matched: expected tool 'get_*r', got 'other'; expected tool 'send_mail', which the rule calls, got 'other'",
  ],
  [
    'of these, the rule with the most that holds',
    [
      { when: { user: 'rain' }, say },
      { when: { user: 'snow', model: 'echo-1' }, say },
    ],
    user('Hello'),
    "replies[1] nearly matched: expected user 'snow', got 'Hello'",
  ],
  [
    'of these, the rule whose text is most like it',
    [
      { when: { user: 'tell me a joke' }, say },
      { when: { user: '/weather in (?<city>\\w+)/' }, say },
      { when: { user: 'hi' }, say },
    ],
    user('What is the wether in Oslo?'),
    "replies[1] nearly matched: expected user /weather in (?<city>\\w+)/, got 'What is the wether in Oslo?'",
  ],
  [
    'no rule of the other endpoint',
    [
      { when: { endpoint: 'embeddings' }, fault: 500 },
      { when: { user: 'rain', turn: 9 }, say },
    ],
    user('Hello'),
    "replies[1] nearly matched: expected user 'rain', got 'Hello'; expected turn 9, got 1",
  ],
])('%s', (_, replies, call, text) => {
  const { rules } = mockWith({ replies }).context(call)
  expect(rules.search.found).toBeUndefined()
  expect(rules.nearMiss?.text).toBe(text)
})

test('for any rules, no other rule has more conditions that hold, or as many and fewer that fail', () => {
  const conditions = {
    user: fc.constantFrom('weather', 'rain'),
    system: fc.constantFrom('', 'pirate').map((text) => `/^${text}$/`),
    model: fc.constantFrom('echo-1', '*-mini'),
    turn: fc.integer({ min: 1, max: 2 }),
    stream: fc.boolean(),
  }
  const when = fc.record(conditions, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(when, { minLength: 1, maxLength: 6 }), (all) => {
      const { rules, scenario } = mockWith({ replies: all.map((when) => ({ when, say })) }).context(user('weather'))
      fc.pre(rules.search.found === undefined)
      const scoreOf = ({ conditionCount, findMisses }: (typeof scenario.replies)[number]): number => {
        const failed = findMisses(rules.facts).length
        return (conditionCount - failed) * 100 - failed
      }
      const scores = scenario.replies.map(scoreOf)
      const index = scenario.replies.findIndex(({ ruleId }) => ruleId === rules.nearMiss!.rule)
      expect(scores[index]).toBe(Math.max(...scores))
    }),
  )
})

test('without a rule for chats there is no nearest rule', () => {
  const replies: Rules = [{ when: { endpoint: 'embeddings' }, fault: 500 }]
  expect(mockWith({ replies }).context().rules.nearMiss).toBeUndefined()
})

test('with unmatched: refuse, a chat without a rule gets a 404 that names the nearest rule', () => {
  const mock = mockWith({ unmatched: 'refuse', replies: [{ when: { user: 'weather' }, say }] })
  expect(mock.answer(user('Hello')).status).toBe(404)
  expect(mock.json(user('Hello'))).toMatchInlineSnapshot(`
    {
      "error": {
        "code": "mock_no_match",
        "message": "No reply rule of the scenario matches this chat, and 'unmatched: refuse' is set. replies[0] nearly matched: expected user 'weather', got 'Hello'. Change the call, or add a rule.",
        "param": null,
        "type": "invalid_request_error",
      },
    }
  `)
  expect(mock.answer(user('The weather?')).status).toBe(200)
})

test('unmatched: refuse applies only to valid chats', () => {
  const mock = mockWith({ unmatched: 'refuse', replies: [{ when: { user: 'weather' }, say }] })
  const status = (call: CallOverrides): number => mock.answer(call).status
  expect(status({ path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello' } })).toBe(200)
  expect(status({ path: '/v1/models', method: 'GET', body: '' })).toBe(200)
  expect(status({ ...user('Hello'), key: '' })).toBe(401)
  expect(status(user('Hello', { temperature: 3 }))).toBe(400)
  expect(status({ ...user('Hello'), headers: { 'x-mock-fault': '503' } })).toBe(503)
})

test('unmatched: refuse also refuses what a schema or a forced tool would answer', () => {
  const mock = mockWith({ unmatched: 'refuse', replies: [{ when: { user: 'weather' }, say }] })
  const forced = { tools: [WEATHER], tool_choice: 'required' }
  expect(mock.answer(user('Hello', forced)).status).toBe(404)
})

test('the journal has the nearest rule of a chat without a match, and of no other call', async () => {
  for (const unmatched of ['echo', 'refuse'] as const) {
    const mock = steppingMock({ unmatched, replies: [{ when: { user: 'weather' }, say }] })
    await ask(mock, { user: 'Hello' })
    await ask(mock, { user: 'weather' })
    await ask(mock, { user: 'Hello', headers: { 'x-mock-fault': '503' } })
    await ask(mock, { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello' } })
    expect(mock.journal.map(({ unmatched, rule, nearMiss }) => [unmatched, rule ?? nearMiss?.rule])).toEqual([
      [true, 'replies[0]'],
      [false, 'replies[0]'],
      [false, undefined],
      [false, undefined],
    ])
    expect(mock.journal[0]!.nearMiss).toEqual({
      rule: 'replies[0]',
      differences: [{ field: 'user', found: "'Hello'", needed: "'weather'" }],
      text: "replies[0] nearly matched: expected user 'weather', got 'Hello'",
    })
  }
})

test('unmatched: echo is what happens by default', () => {
  const replies: Rules = [{ when: { user: 'weather' }, say }]
  const [echo, preset] = [mockWith({ unmatched: 'echo', replies }), mockWith({ replies })]
  expect(echo.answer(user('Hello')).text).toBe(preset.answer(user('Hello')).text)
})

test('after 20 differences, nothing more of two lists is read', () => {
  const long = Array.from({ length: 10_000 }, (_, number) => number)
  const others = long.map((number) => -1 - number)
  for (const [recorded, sent] of [
    [[1, 2], long],
    [long, [1, 2]],
    [long, others],
  ] as const) {
    let read = 0
    const counted = new Proxy(sent, {
      getOwnPropertyDescriptor: (list, name) => {
        read++
        return Reflect.getOwnPropertyDescriptor(list, name)
      },
    })
    const differences = findBodyDifferences({ input: recorded, model: 'a' }, { input: counted, model: 'b' }, Object.is)
    expect(differences).toHaveLength(20)
    expect(read).toBe(20)
  }
})
