/** The warnings of a scenario: an example of each, and of what is not warned about. */
import { expect, test } from 'vitest'
import { findWarnings } from '../../../../src/core/scenario/check/find-warnings.ts'
import { prepareSource } from '../../../../src/core/scenario/check/prepare-source.ts'
import { conditions } from '../../../../src/core/scenario/conditions/condition-table.ts'
import type { ScenarioSource } from '../../../../src/core/scenario/scenario-source.ts'
import { builtInScenarios } from '../../../../src/generated/built-in.ts'
import { findProblems } from '../../../support/find-problems.ts'

type Part = Partial<ScenarioSource>

/** Each warning as `path: message`. */
function warningsOf(part: Part): string[] {
  const source = prepareSource({ description: 'A test.', ...part })
  return findWarnings(source).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each(Object.entries(builtInScenarios))('the built-in scenario %s has no warnings', (_, source) => {
  expect(findWarnings(source)).toEqual([])
})

// Rules that never apply

const TAKEN =
  'replies.1: never applies: replies[0] comes first and matches every call that this rule matches. ' +
  'Move this rule up, or remove it.'

test.each<[string, Part['replies']]>([
  ['without conditions', [{ say: 'Hi' }, { when: { user: 'Hello', turn: 1 }, say: 'Hello' }]],
  [
    'with the same conditions',
    [
      { when: { user: ['a', '/b/i'], turn: 1 }, say: 'A' },
      { when: { turn: 1, user: ['a', '/b/i'] }, say: 'B' },
    ],
  ],
  [
    'for chats',
    [
      { when: { endpoint: 'chat' }, say: 'A' },
      { when: { endpoint: 'chat', user: 'x' }, call: { name: 'f' } },
    ],
  ],
  ['with the same calls', [{ call: { name: 'f' } }, { call: { name: 'f', arguments: {} } }]],
  [
    'with the same calls after a result',
    [
      { when: { toolResult: 'x' }, call: { name: 'f' } },
      { when: { toolResult: 'x' }, call: { name: 'f' } },
    ],
  ],
])('a rule behind one %s never applies', (_, replies) => {
  expect(warningsOf({ replies })).toEqual([TAKEN])
})

test('a rule behind one for chats applies to responses', () => {
  const replies = [{ when: { endpoint: 'chat' as const }, say: 'A' }, { say: 'B' }]
  expect(warningsOf({ replies })).toEqual([])
  const models = { 'gpt-5-pro': { endpoint: 'responses' as const } }
  expect(warningsOf({ models, replies: [{ when: { model: 'gpt-5-pro' }, say: 'A' }] })).toEqual([])
})

test('the rule that takes all calls is named, not one before it that takes some', () => {
  const faults = [{ fault: 'refusal' }, { fault: 500 }, { fault: 503 }]
  expect(warningsOf({ faults })).toEqual([expect.stringContaining('faults.2: never applies: faults[1] comes first')])
})

test.each<[string, Part['replies']]>([
  [
    'other conditions',
    [
      { when: { user: 'hello' }, say: 'A' },
      { when: { user: 'hell' }, say: 'B' },
    ],
  ],
  ['a call that is not offered', [{ call: { name: 'f' } }, { say: 'B' }]],
  ['another call', [{ call: { name: 'f' } }, { call: { name: 'g' } }]],
  ['a call after a result', [{ call: { name: 'f' } }, { when: { toolResult: 'x' }, call: { name: 'f' } }]],
  ['a fault on the other endpoint', [{ when: { endpoint: 'embeddings' }, fault: 500 }, { say: 'B' }]],
  ['a fault on both endpoints', [{ say: 'A' }, { fault: 500 }]],
  ['a recording', [{ answer: { body: 'x' } }, { answer: { body: 'x' } }, { say: 'B' }]],
])('a rule is not reported behind one with %s', (_, replies) => {
  expect(warningsOf({ replies })).toEqual([])
})

test('a rule for a key or model that the scenario does not have never applies', () => {
  const keys = { 'sk-test': {}, 'sk-ci-*': {} }
  const models = { 'echo-1': {}, 'hash-1': { endpoint: 'embeddings' as const } }
  const replies = [
    { when: { key: ['sk-tset', 'sk-ci-1', '*-2'], model: 'echo-*' }, say: 'A' },
    { when: { model: 'hash-1' }, say: 'B' },
    { when: { key: 'pk-*' }, say: 'C' },
  ]
  expect(warningsOf({ keys, models, replies })).toEqual([
    "replies.0.when.key.0: never holds: the scenario has no key 'sk-tset'. Did you mean 'sk-test'?",
    "replies.1.when.model: never holds: the scenario has no chat model 'hash-1'.",
    "replies.2.when.key: never holds: the scenario has no key 'pk-*'.",
  ])
})

// Faults that never apply

test('a fault after one that affects every call never applies, in replies too', () => {
  const faults = [
    { fault: 'overloaded', when: { endpoint: 'chat' as const } },
    { fault: 'refusal', chance: 0.5, when: { endpoint: 'chat' as const } },
  ]
  expect(warningsOf({ faults })).toEqual([expect.stringContaining('faults.1: never applies: faults[0] comes first')])
  expect(warningsOf({ faults: [{ fault: 500 }], replies: [{ fault: 'cut' }] })).toEqual([
    expect.stringContaining('replies.0: never applies: faults[0] comes first'),
  ])
})

test.each<[string, NonNullable<Part['faults']>[number]]>([
  ['a chance', { fault: 500, chance: '99%' }],
  ['a count', { fault: 500, times: 1 }],
  ['each second call', { fault: 500, every: 2 }],
  ['bursts', { fault: 500, bursts: { good: '1s', bad: '1s' } }],
  ['a time', { fault: 500, from: '1s' }],
  ['an attempt', { fault: 500, attempt: 1 }],
  ['one endpoint', { fault: 'shuffled-embeddings' }],
])('a fault with %s leaves calls to the next', (_, first) => {
  expect(warningsOf({ faults: [first, { fault: 503 }] })).toEqual([])
})

test.each<[NonNullable<Part['faults']>[number], string]>([
  [
    { fault: 'wrong-dimension', when: { endpoint: 'chat' } },
    "the fault 'wrong-dimension' is for embeddings only, but its conditions want chat.",
  ],
  [{ fault: 500, chance: 0 }, 'its chance is 0. Raise the chance, or remove the fault.'],
  [{ fault: 500, until: '0s' }, "its 'until' is not after its 'from'."],
])('%j never applies', (fault, reason) => {
  expect(warningsOf({ faults: [fault] })).toEqual([`faults.0: never applies: ${reason}`])
})

// Limits

test('a rate beside a tighter one has no effect', () => {
  expect(warningsOf({ limits: { requests: ['20 per minute', '30 per second'] } })).toEqual([
    'limits.requests.1: makes no difference: 20 per minute refuses every call that this would refuse. Remove this rate.',
  ])
  expect(warningsOf({ limits: { requests: ['3 per second', '60 per minute'] } })).toEqual([])
})

test('a budget of the scenario never counts if every key has its own in this unit', () => {
  const own = { budget: { tokens: 5 } }
  expect(warningsOf({ budget: { tokens: 9, requests: 9 }, keys: { 'sk-a': own, 'sk-*': own } })).toEqual([
    'budget.tokens: never counts a call: every key has its own budget in tokens, which replaces this one.',
  ])
  expect(warningsOf({ budget: { tokens: 9 }, keys: { 'sk-a': own, 'sk-*': {} } })).toEqual([])
})

test('a limit of the scenario never counts if every key or model has its own', () => {
  const own = { limits: { requests: '5 per minute' } }
  const limits = { requests: '3 per minute' }
  expect(warningsOf({ limits, keys: { 'sk-a': own, 'sk-*': own } })).toEqual([
    'limits.requests: never counts a call: every key has its own limit for requests, which replaces this one.',
  ])
  expect(warningsOf({ limits, models: { m: own } })[0]).toContain('every model has its own limit for requests')
  expect(warningsOf({ limits, keys: { 'sk-a': own, 'sk-*': {} }, models: { m: own, n: {} } })).toEqual([])
})

test('an answer longer than its context gets a warning', () => {
  expect(warningsOf({ models: { m: { contextTokens: 6, maxOutputTokens: 7 } } })).toEqual([
    'models.m.maxOutputTokens: expected at most 6, the contextTokens that prompt and answer share, got 7.',
  ])
})

// Names

test('a key or model behind a pattern that takes all its names is never used', () => {
  expect(warningsOf({ keys: { 'sk-*': {}, 'sk-ci-*': {}, 'sk-ci-1': {} }, models: { '*': {}, 'a*': {} } })).toEqual([
    "keys.sk-ci-*: never used: 'sk-*' comes first and matches every name that this entry matches. Move this entry up, or remove it.",
    "models.a*: never used: '*' comes first and matches every name that this entry matches. Move this entry up, or remove it.",
  ])
})

test.each<[string, Part]>([
  ['rules', { replies: Array.from({ length: 12_000 }, (_, n) => ({ when: { user: `${n}!` }, say: 'x' })) }],
  ['texts', { replies: Array.from({ length: 2 }, () => ({ when: { user: Array(60_000).fill('x!') }, say: 'x' })) }],
  [
    'keys',
    { keys: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`*${n}*`, {}])), faults: [{ fault: 500 }] },
  ],
  [
    'names',
    {
      keys: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`k${n}`, {}])),
      replies: Array.from({ length: 5000 }, (_, n) => ({ when: { key: `x${n}` }, say: 'x' })),
    },
  ],
  [
    'stars',
    { keys: { [`${'*a'.repeat(2000)}`]: {} }, faults: [{ fault: 500, when: { key: `${'*b'.repeat(2000)}` } }] },
  ],
])('very many %s are checked in bounded work', { timeout: 30_000 }, (_, part) => {
  expect(findWarnings({ description: 'Large.', ...part })).toBeInstanceOf(Array)
})

test.each(Object.entries({ ...conditions }))(
  'two equal rules with the condition %s get a warning',
  (name, { accepts }) => {
    const wanted = [1, 'chat', true, { model: 'echo-1' }].find((value) => accepts(value) && canBe(name, value))
    const when = { [name]: wanted }
    const states = name === 'state' ? { states: { chat: {} } } : {}
    expect(
      warningsOf({
        ...states,
        replies: [
          { when, say: 'A' },
          { when, say: 'B' },
        ],
      }),
    ).toEqual([expect.stringContaining('replies.1: never applies: replies[0] comes first')])
  },
)

const canBe = (name: string, value: unknown): boolean =>
  findProblems({ description: 'x', states: { chat: {} }, replies: [{ when: { [name]: value }, say: 'x' }] }).length ===
  0

test('a fault that begins after some calls takes no calls from the rules after it', () => {
  const late = { fault: 500, skip: 5 }
  expect(warningsOf({ faults: [late, { fault: 503 }] })).toEqual([])
  expect(warningsOf({ keys: { 'sk-a': late }, faults: [{ fault: 503 }] })).toEqual([])
})
