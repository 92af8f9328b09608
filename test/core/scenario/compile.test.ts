/** Compiled scenarios: which conditions match, and which key, model and limits apply. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_TURN } from '../../../src/core/protocol/turn/turn.ts'
import { prepareSource } from '../../../src/core/scenario/check/prepare-source.ts'
import { compileScenario } from '../../../src/core/scenario/compile/compile.ts'
import { matchesGlob } from '../../../src/core/scenario/compile/glob.ts'
import { compilePattern } from '../../../src/core/scenario/compile/pattern.ts'
import type { Facts } from '../../../src/core/scenario/conditions/facts.ts'
import type { ScenarioInput } from '../../../src/generated/scenario-input.ts'

type When = NonNullable<NonNullable<ScenarioInput['replies']>[number]['when']>

const compile = (settings: Omit<ScenarioInput, 'description'>, seed?: string | number) =>
  compileScenario(prepareSource({ description: 'x', ...settings }), { name: 'test', seed, compilePattern })

const call: Facts = {
  endpoint: 'chat',
  key: 'sk-test',
  model: 'echo-1',
  attempt: 1,
  state: undefined,
  stream: false,
  turn: NO_TURN,
  userMessageCount: 1,
  earlier: () => ({ users: ['I am in Oslo', 'I am in Rome'], toolResults: ['3 degrees'] }),
  user: 'What is the weather in Oslo?',
  system: 'You are a pirate.',
  toolResult: undefined,
  last: 'What is the weather in Oslo?',
  tools: ['get_weather', 'get_time'],
  body: { model: 'echo-1', n: 1 },
  comparedBody: { model: 'echo-1', n: 1 },
  bodyText: '{"n":1,"model":"echo-1"}',
}
const matching = (when: When, facts: Partial<Facts> = {}) =>
  compile({ replies: [{ when, say: 'yes' }] }).replies[0]!.match({ ...call, ...facts })

test('a rule without conditions matches every call', () => {
  expect(compile({ replies: [{ say: 'yes' }] }).replies[0]!.match(call)).toEqual({})
})

test.each<[string, When, Partial<Facts>]>([
  ['text of the user, in any case, anywhere', { user: 'THE WEATHER' }, { user: 'Good morning' }],
  ['one of several texts', { user: ['news', 'weather'] }, { user: 'sports' }],
  ['a pattern', { user: /in \p{Lu}/u }, { user: 'in oslo' }],
  ['a pattern in any case', { user: /OSLO/i }, { user: 'Rome' }],
  ['the system text', { system: 'pirate' }, { system: '' }],
  ['the model', { model: 'echo-1' }, { model: 'echo-12' }],
  ['a family of models', { model: 'echo-*' }, { model: 'hash-1' }],
  ['one of several models', { model: ['hash-*', 'echo-1'] }, { model: 'gpt-4o' }],
  ['the key', { key: 'sk-*' }, { key: 'pk-test' }],
  ['an offered tool', { tool: 'get_time' }, { tools: ['get_weather'] }],
  ['a family of tools', { tool: 'get_*' }, { tools: ['set_time'] }],
  ['the endpoint', { endpoint: 'chat' }, { endpoint: 'embeddings' }],
  ['the attempt', { attempt: 1 }, { attempt: 2 }],
  ['one of several attempts', { attempt: [1, 3] }, { attempt: 2 }],
  ['the turn', { turn: 1 }, { userMessageCount: 0 }],
  ['one of several turns', { turn: [1, 2] }, { userMessageCount: 3 }],
])('a rule matches by %s, and not otherwise', (_, when, other) => {
  expect(matching(when)).toBeDefined()
  expect(matching(when, other)).toBeUndefined()
})

test('a toolResult condition matches only if the last message is a tool result', () => {
  expect(matching({ toolResult: 'degrees' })).toBeUndefined()
  expect(matching({ toolResult: 'degrees' }, { toolResult: '7 degrees' })).toBeDefined()
})

test('conditions on earlier turns match any of their texts, and the latest match gives the groups', () => {
  expect(matching({ earlierUser: /^I am in (?<home>\w+)$/, user: /in (?<city>\w+)/ })).toEqual({
    home: 'Oslo',
    city: 'Oslo',
  })
  expect(matching({ earlierUser: /am in (?<home>R\w+)/, earlierToolResult: /(?<degrees>\d+) degrees/ })).toEqual({
    home: 'Rome',
    degrees: '3',
  })
  expect(matching({ earlierUser: ['Paris', 'ROME'] })).toBeDefined()
  expect(matching({ earlierUser: 'Paris' })).toBeUndefined()
  expect(matching({ earlierToolResult: /.*/ }, { earlier: () => ({ users: [], toolResults: [] }) })).toBeUndefined()
})

test('a group of the last message wins over one of the same name in an earlier message', () => {
  expect(matching({ user: /in (?<city>\w+)/, earlierUser: /in (?<city>R\w+)/ })).toEqual({ city: 'Oslo' })
})

test('all conditions of a rule must hold', () => {
  expect(matching({ user: 'weather', model: 'echo-*', turn: 1 })).toBeDefined()
  expect(matching({ user: 'weather', model: 'echo-*', turn: 2 })).toBeUndefined()
})

test('named groups of all patterns of a rule are captured; an unused one is empty', () => {
  const when = { user: /in (?<city>\w+)(?<rest>, .*)?/, system: /a (?<role>\w+)/ }
  expect(matching(when)).toEqual({ city: 'Oslo', rest: '', role: 'pirate' })
})

test('a text and a sequence of texts are both a list', () => {
  const { replies } = compile({ replies: [{ say: 'one' }, { say: ['one', 'two'] }] })
  expect(replies.map(({ say }) => say)).toEqual([['one'], ['one', 'two']])
})

test('rules know their id', () => {
  const { replies, faults } = compile({ replies: [{ say: 'a' }, { fault: 'cut' }], faults: [{ fault: 'hang' }] })
  expect(replies.map(({ ruleId }) => ruleId)).toEqual(['replies[0]', 'replies[1]'])
  expect(faults[0]!.ruleId).toBe('faults[0]')
})

test('a fault has its given options, and defaults for the others', () => {
  const { faults } = compile({ faults: [{ fault: 429, retryAfter: '2s', times: 2, chance: '5%' }, { fault: 'cut' }] })
  expect(faults[0]).toMatchObject({ fault: { fault: { name: 'rate-limit' }, options: { retryAfter: 2000 } } })
  const always = [{ fromMs: 0, untilMs: Number.POSITIVE_INFINITY }]
  expect(faults[0]!.schedule).toEqual({ times: 2, chance: 0.05, spans: always })
  expect(faults[1]).toMatchObject({ fault: { options: { end: 'reset' } }, schedule: undefined })
})

test('any key and any model are accepted where none is listed', () => {
  const { keyRule, model, modelNames } = compile({})
  expect(keyRule('anything')).toEqual({})
  expect(model('anything')).toEqual({})
  expect(modelNames).toBeUndefined()
})

test('only listed keys are accepted; an exact name goes before a pattern, the first pattern before the others', () => {
  const { keyRule } = compile({
    keys: {
      'sk-*': { fault: 'rate-limit' },
      'sk-revoked': { fault: 'invalid-key' },
      '*': { fault: 'quota' },
    },
  })
  expect(keyRule('sk-revoked')!.fault!.fault.name).toBe('invalid-key')
  expect(keyRule('sk-other')!.fault!.fault.name).toBe('rate-limit')
  expect(keyRule('other')!.fault!.fault.name).toBe('quota')
  expect(compile({ keys: { a: {} } }).keyRule('b')).toBeUndefined()
})

test('the limits of a key and of a model replace those of the scenario, kind by kind', () => {
  const { limitsOf, keyRule, model } = compile({
    limits: { requests: '3 per minute', tokens: ['9 per second', '99 per day'] },
    keys: { 'sk-tight': { limits: { requests: '1 per day' } }, '*': {} },
    models: { large: { limits: { requests: '2 per hour', concurrent: 4 } }, '*': {} },
  })
  const perMinute = { id: 'scenario|requests|3/minute', amount: 3, window: 'minute', windowMs: 60_000 }
  const perDay = { id: 'key|requests|1/day', amount: 1, window: 'day', windowMs: 86_400_000 }
  const perHour = { id: 'model:large|requests|2/hour', amount: 2, window: 'hour', windowMs: 3_600_000 }
  const of = (key: string, name: string) => limitsOf!(keyRule(key), model(name))
  expect(of('sk-any', 'small')).toEqual({
    requests: [perMinute],
    tokens: [
      { id: 'scenario|tokens|9/second', amount: 9, window: 'second', windowMs: 1000 },
      { id: 'scenario|tokens|99/day', amount: 99, window: 'day', windowMs: 86_400_000 },
    ],
    concurrent: [],
  })
  expect(of('sk-tight', 'small').requests).toEqual([perDay])
  expect(of('sk-any', 'large')).toMatchObject({ requests: [perHour], concurrent: [{ most: 4 }] })
  expect(of('sk-tight', 'large')).toMatchObject({
    requests: [perDay, perHour],
    tokens: [{ amount: 9 }, { amount: 99 }],
  })
  expect(of('sk-any', 'small').requests[0]).toBe(of('sk-other', 'tiny').requests[0])
})

test('a scenario without limits has none to check', () => {
  expect(compile({ keys: { a: {} }, models: { b: {} } }).limitsOf).toBeUndefined()
})

test('models are listed by name; a family of models is accepted but has no name to list', () => {
  const { model, modelNames } = compile({ models: { 'hash-1': { dimensions: 768 }, 'echo-*': {} } })
  expect(modelNames).toEqual(['hash-1'])
  expect(model('hash-1')).toEqual({ dimensions: 768, listed: 'hash-1' })
  expect(model('echo-7')).toEqual({ listed: 'echo-*' })
  expect(model('toString')).toBeUndefined()
})

test('the example key is the first that works', () => {
  expect(compile({}).exampleKey).toBe('sk-test')
  expect(compile({ keys: { revoked: { fault: 401 }, 'ci-*': {}, plain: {} } }).exampleKey).toBe('plain')
  expect(compile({ keys: { revoked: { fault: 401 }, 'ci-*': {} } }).exampleKey).toBe('ci-local')
})

test('the seed is 1, or that of the source, or that of the start', () => {
  expect([compile({}).seed, compile({ seed: 7 }).seed, compile({ seed: 7 }, 'eight').seed]).toEqual(['1', '7', 'eight'])
})

test('a pace is in milliseconds', () => {
  expect(compile({ pace: { firstToken: '1.5s' } }).pace).toEqual({
    paceId: 'pace',
    firstToken: { shape: 'fixed', ms: 1500 },
  })
})

test('a star matches any characters, like a backtracking reference', () => {
  const reference = (glob: string, name: string): boolean => {
    if (glob === '') return name === ''
    if (glob[0] !== '*') return name !== '' && glob[0] === name[0] && reference(glob.slice(1), name.slice(1))
    return reference(glob.slice(1), name) || (name !== '' && reference(glob, name.slice(1)))
  }
  const letters = (alphabet: string[]) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 8 })
  fc.assert(
    fc.property(letters(['a', 'b', '*']), letters(['a', 'b']), (glob, name) => {
      expect(matchesGlob(glob, name)).toBe(reference(glob, name))
    }),
    { numRuns: 2000 },
  )
})

test('many stars against a long name, which would hang a backtracking matcher, are matched', () => {
  expect(matchesGlob(`${'*a'.repeat(5000)}b`, 'a'.repeat(50_000))).toBe(false)
})
