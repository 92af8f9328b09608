/** The scenarios that calls are fuzzed in: the built-in ones, and one that has everything in a small place. */

import { prepareSource } from '../../src/core/scenario/check/prepare-source.ts'
import { compileScenario, type Scenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import { builtInScenarios } from '../../src/generated/built-in.ts'
import type { ScenarioInput } from '../../src/generated/scenario-input.ts'

export const KEYS = [
  'sk-a',
  'sk-test',
  'sk-ci-1',
  'sk-limited',
  'sk-broke',
  'sk-revoked',
  'sk-broken',
  'sk-mock-valid',
  'sk-unknown',
]
export const MODELS = [
  'echo-1',
  'hash-1',
  'gpt-4o',
  'gpt-4',
  'think-1',
  'hash-fixed',
  'small-1',
  'paced-1',
  'gpt-0',
  '',
]

export const busy: ScenarioInput = {
  description: 'Something of everything, so that few calls suffice to meet it.',
  keys: {
    'sk-a': {},
    'sk-test': {},
    'sk-ci-*': { limits: { requests: '2 per second', concurrent: 2 } },
    'sk-limited': { limits: { requests: ['1 per second', '3 per minute'], tokens: '100 per minute' } },
    'sk-broke': { budget: { tokens: 100 } },
    'sk-revoked': { fault: 'invalid-key' },
    'sk-broken': { fault: 'cut', after: 1 },
  },
  models: {
    'echo-1': {},
    'gpt-*': { contextTokens: 200, maxOutputTokens: 50, snapshot: 'gpt-4-0613' },
    'think-1': { reasoning: true, endpoint: 'chat' },
    'hash-1': { dimensions: 64, endpoint: 'embeddings' },
    'hash-fixed': { dimensions: 8, fixedDimensions: true },
    'small-1': { contextTokens: 10, limits: { tokens: '30 per minute' } },
    'paced-1': {
      pace: { firstToken: { median: '300ms', p99: '2s', 'p99.9': '20s', max: '30s' }, load: '20% per call' },
    },
  },
  replies: [
    {
      when: { user: /weather in (?<city>\w+)/i, tool: 'get_weather' },
      call: { name: 'get_weather', arguments: { city: '{{city}}' } },
    },
    { when: { toolResult: 'degrees' }, say: 'It is {{toolResult}}, {{user}}.' },
    { when: { tool: ['f', 'g*'] }, call: [{ name: 'f' }, { name: 'f', arguments: 'no json' }] },
    { when: { user: 'hi', turn: [1, 2] }, say: ['{{model}} {{attempt}}', { said: '{{user}}', list: [1, null] }] },
    { when: { user: 'count' }, say: 'one two three', finish: 'length' },
    { when: { system: 'brief' }, refuse: 'No: {{system}}' },
    { when: { user: 'perhaps', attempt: 2 }, fault: 'stream-error', after: 1 },
  ],
  limits: { requests: '100 per second' },
  pace: {
    firstToken: { min: '1ms', max: '1s' },
    perToken: '20ms',
    perInputToken: { median: '1ms', p99: '5ms' },
    cachedInputToken: '0.1ms',
    queue: { concurrent: 2, waiting: 1 },
  },
  faults: [
    { fault: 'wrong-enum', chance: '10%' },
    { fault: 'truncated-json', when: { stream: true }, every: 3 },
    { fault: 'slow-drip', times: 1, when: { model: 'small-1' } },
    { fault: 503, bursts: { good: '10s', bad: '1s' } },
    { fault: 'bandwidth', rate: 100, between: ['1s and 2s', '4s and 9s'], chance: 0.5 },
    { fault: 'joined-events', from: '5s', until: '1m', attempt: [2, 3] },
  ],
  states: {
    up: { lasts: '3 calls', next: 'slow' },
    slow: { pace: { perToken: '1s' }, lasts: '2s', next: 'down' },
    down: {
      faults: [
        { fault: 'overloaded', chance: 0.5 },
        { fault: 'hang', chance: 0.1 },
      ],
      lasts: '2 calls',
      next: 'up',
    },
  },
}

const compiled = (name: string, source: object): Scenario =>
  compileScenario(prepareSource(source), { name, compilePattern })

export const fuzzedScenarios: Readonly<Record<string, Scenario>> = {
  ...Object.fromEntries(Object.entries(builtInScenarios).map(([name, source]) => [name, compiled(name, source)])),
  busy: compiled('busy', busy),
  'busy and strict': compiled('busy and strict', {
    ...busy,
    validation: 'strict',
    cache: 'breakpoints',
    unmatched: 'refuse',
    states: undefined,
  }),
}
