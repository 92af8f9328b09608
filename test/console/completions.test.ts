/** Completions of the scenario editor at a position, marked `¦` in the text, and its explanations of keys. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completionsAt, describeAt, type ScenarioSchema } from '../../src/console/scenario/completions.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../scenario.schema.json', import.meta.url), 'utf8'),
) as ScenarioSchema & {
  properties: Record<string, ScenarioSchema>
}

function offered(marked: string): string[] {
  const position = marked.indexOf('¦')
  const text = marked.replace('¦', '')
  const found = completionsAt(text, position, schema)
  const prefix = text.slice(found?.from, position)
  return (found?.options ?? []).map(({ label }) => label).filter((label) => label.startsWith(prefix))
}

const CONDITIONS = ['endpoint', 'stream', 'attempt', 'model', 'user']

test('the top of a scenario has all its fields, without those that are written already', () => {
  expect(offered('¦')).toEqual(Object.keys(schema.properties))
  expect(offered('seed: 7\n¦\nlimits:\n  requests: 3 per minute\n')).not.toContain('seed')
  expect(offered('seed: 7\n¦\nlimits:\n  requests: 3 per minute\n')).not.toContain('limits')
  expect(offered('seed: 7\n¦\nlimits:\n  requests: 3 per minute\n')).toContain('replies')
})

test.each([
  ['limits:\n  ¦', ['requests', 'tokens', 'concurrent', 'charge', 'shared']],
  ['limits:\n  requests: 3 per minute\n  ¦', ['tokens', 'concurrent', 'charge', 'shared']],
  ['limits:\n  ¦\n  tokens: 5 per day', ['requests', 'concurrent', 'charge', 'shared']],
  ['limits: { ¦', ['requests', 'tokens', 'concurrent', 'charge', 'shared']],
  ['limits: { requests: 3 per minute, ¦ }', ['tokens', 'concurrent', 'charge', 'shared']],
  ['limits: { ¦, tokens: 5 per day }', ['requests', 'concurrent', 'charge', 'shared']],
  ['limits: { requests: 3 per minute, con¦ }', ['concurrent']],
  ['keys:\n  sk-small:\n    limits:\n      con¦', ['concurrent']],
  ['keys:\n  "sk small":\n    limits:\n      con¦', ['concurrent']],
  ['models:\n  "echo-*": { limits: { con¦', ['concurrent']],
  ['# a comment: {\nlimits:\n\n  # another\n  con¦', ['concurrent']],
])('in %j the keys %j are offered', (text, keys) => {
  expect(offered(text)).toEqual(keys)
})

test.each([
  'replies:\n  - when:\n      ¦',
  'replies:\n- when:\n    ¦',
  'replies:\n  - when: { ¦ }\n    say: Hi!',
  'replies:\n  - say: Hi!\n    when:\n      ¦\n  - say: Two',
  'replies:\n  - say: One\n  - when: {¦',
  'faults:\n  - fault: cut\n    when:\n      ¦',
  'faults: [{ fault: cut, when: { ¦',
  'states:\n  up:\n    faults:\n      - fault: cut\n        when:\n          ¦',
])('in %j conditions are offered', (text) => {
  expect(offered(text)).toEqual(expect.arrayContaining(CONDITIONS))
  expect(offered(text)).not.toContain('say')
})

test.each([
  'replies:\n  - ¦',
  'replies:\n  - when: { user: hi }\n    ¦',
  'replies:\n  -\n    ¦',
  'replies:\n- when:\n    user: "a: #b"\n  ¦',
  'replies: [{ ¦',
])('in %j the fields of a rule are offered', (text) => {
  expect(offered(text)).toEqual(expect.arrayContaining(['say', 'fault', 'call']))
  expect(offered(text)).not.toContain('endpoint')
})

test.each([
  ['validation: ¦', ['strict', 'lenient']],
  ['validation: le¦', ['lenient']],
  ['validation: "le¦', ['lenient']],
  ['replies:\n  - when:\n      stream: ¦', ['true', 'false']],
  ['faults:\n  - fault: server-e¦', ['server-error']],
  ['faults:\n  - { fault: cut, end: ¦ }', ['reset', 'fin', 'stall', 'clean']],
  ['replies:\n  - when: { endpoint: e¦', ['embeddings']],
  ['states:\n  up:\n    next: ¦\n  down:\n    lasts: 1m\n', ['up', 'down']],
  ['states:\n  # first\n  up: {}\n\n  down: {}\nfaults:\n  - fault: cut\n    when: { state: d¦ }', ['down']],
  [
    'models:\n  "gpt-*":\n    reasoning: true\n  echo-1: {}\nreplies:\n  - when:\n      model: [echo-1, ¦',
    ['gpt-*', 'echo-1'],
  ],
  ['replies:\n  - when:\n      key: "sk-¦\nkeys:\n  sk-small:\n    skip: 5\n  sk-large: {}', ['sk-small', 'sk-large']],
])('in %j the values %j are offered', (text, values) => {
  expect(offered(text)).toEqual(values)
})

test.each([
  '# lim¦',
  'seed: 7 # lim¦',
  'replies:\n  - say: |\n      some text\n      ¦',
  'replies:\n  - say: >-\n      ¦',
  'description: ¦',
  'nonsense:\n  ¦',
])('in %j nothing is offered', (text) => {
  expect(offered(text)).toEqual([])
})

test('options of other faults than the one beside them are less likely', () => {
  const text = 'faults:\n  - fault: cut\n    '
  const options = completionsAt(text, text.length, schema)!.options
  const likely = options.filter(({ boost }) => boost === 0).map(({ label }) => label)
  expect(likely).toEqual(expect.arrayContaining(['after', 'bytes', 'inside', 'before', 'end', 'chance', 'when']))
  expect(likely).not.toContain('retryAfter')
})

test('a key is inserted with its colon, unless it has one', () => {
  const apply = (text: string, position: number) => completionsAt(text, position, schema)!.options[0]!.apply
  expect(apply('limits:\n  ', 10)).toBe('requests: ')
  expect(apply('limits:\n  requ: 3 per minute', 14)).toBe('requests')
})

test('a key is explained under the pointer, a value is not', () => {
  const text = 'limits:\n  requests: 3 per minute\nreplies:\n  - { say: requests }\n'
  const found = describeAt(text, text.indexOf('uests'), schema)!
  expect(text.slice(found.from, found.to)).toBe('requests')
  expect(found.description).toContain('requests per key')
  expect(describeAt(text, text.indexOf('say') + 1, schema)?.key).toBe('say')
  expect(describeAt(text, text.indexOf('requests }') + 2, schema)).toBeUndefined()
  expect(describeAt(text, text.indexOf('minute'), schema)).toBeUndefined()
})

test('any position of any text gets an answer', () => {
  const text = readFileSync(new URL('../../scenarios/incident.yaml', import.meta.url), 'utf8').slice(-700)
  for (let position = 0; position <= text.length; position++) {
    expect(() => completionsAt(text.slice(0, position), position, schema)).not.toThrow()
    expect(() => completionsAt(text, position, schema)).not.toThrow()
  }
  for (const odd of ['- - - ', '{[{[', '"', '":', '}', ']]]', '- {a: [', '\t', '&a *b: ', '- ? x\n  : ', '\n\n  \n']) {
    for (let position = 0; position <= odd.length; position++) completionsAt(odd, position, schema)
  }
})
