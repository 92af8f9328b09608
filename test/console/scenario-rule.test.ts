/** A call as a rule: the checker takes it, it matches the call, and answers as the call was answered. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRule, formatYamlText } from '../../src/console/scenario/rule-text.ts'
import { selectPart } from '../../src/console/scenario/scenario-rule.ts'
import { joinBody, readAnswer } from '../../src/core/journal/read-answer.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import { readYaml } from '../../src/core/scenario/yaml/read-yaml.ts'
import { asking, openedCall, type PageCall } from '../support/console.ts'

type Source = Partial<ScenarioSource>

/** The rule of a call, checked as a scenario of its own. */
function ruleFor(scenario: Source, ...calls: readonly PageCall[]): { text: string; source: ScenarioSource } {
  const text = formatRule(openedCall(scenario, ...calls))
  return { text, source: parseScenario(`description: copied\n${text}`, 'copied.yaml') }
}

test('a chat becomes a rule with the same answer', () => {
  const { text } = ruleFor({ replies: [{ say: 'It is sunny.' }] }, asking('What is the weather in Paris?'))
  expect(text).toMatchInlineSnapshot(`
    "replies:
      - when:
          endpoint: chat
          model: echo-1
          user: What is the weather in Paris?
        say: It is sunny.
    "
  `)
})

test('a call with a fault becomes a rule that fails the same attempt', () => {
  const failing = { ...asking('Hello'), headers: { 'x-mock-fault': 'overloaded' } }
  expect(ruleFor({}, failing, failing).text).toMatchInlineSnapshot(`
    "replies:
      - when:
          endpoint: chat
          model: echo-1
          user: Hello
          attempt: 2
        fault: overloaded
    "
  `)
})

test('the options of a fault are copied as a scenario writes them', () => {
  const textFor = (fault: string): string =>
    ruleFor({}, { ...asking('Hello', { stream: true }), headers: { 'x-mock-fault': fault } }).text
  expect(textFor('cut; after=2; end=clean')).toMatch(/ {4}fault: cut\n {4}after: 2\n {4}end: clean\n$/)
  expect(textFor('rate-limit; retry-after=1s')).toMatch(/ {4}fault: rate-limit\n$/)
  expect(textFor('429; retry-after=1500ms')).toMatch(/ {4}fault: rate-limit\n {4}retryAfter: "1500ms"\n$/)
  expect(textFor('418; retryAfter=3')).toMatch(/ {4}fault: 418\n {4}retryAfter: "3000ms"\n$/)
})

test.each([
  [{ limits: { requests: '1 per minute' } }, 'rate-limit'],
  [{ limits: { tokens: '30 per minute' } }, 'rate-limit-tokens'],
] as const)('a 429 of %j becomes the fault with its wait', (scenario, fault) => {
  const text = 'word '.repeat(20)
  const { source } = ruleFor(scenario, asking(`${text} a`), asking(`${text} b`), asking(`${text} c`))
  const retryAfter = expect.stringMatching(/^\d+(?:ms|s)$/)
  expect(source.replies![0]).toMatchObject({ when: { attempt: 1 }, fault, retryAfter })
})

test('a 429 of a used-up budget becomes the fault quota', () => {
  const { source } = ruleFor({ budget: { tokens: 1 } }, asking('a'), asking('b'))
  expect(source.replies![0]).toMatchObject({ fault: 'quota' })
})

const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }]
const weather = asking('weather', { tools })
const say = (text: string): Source => ({ replies: [{ say: text }] })
const sources: readonly [string, Source, ...PageCall[]][] = [
  ['an echo', {}, asking('Hello there!')],
  ['a stream', {}, asking('Hello there!', { stream: true })],
  [
    'content in parts',
    {},
    asking([
      { type: 'text', text: 'one' },
      { type: 'image_url', image_url: { url: 'x' } },
    ]),
  ],
  ['an empty text', {}, asking('')],
  ['a text that looks like a pattern', {}, asking('/(a+)+$/i')],
  ['a text of many lines', {}, asking('one: two\n  - three\n# four\n')],
  ['a text that is a word of YAML', say('null'), asking('yes')],
  ['braces in the answer', {}, asking('a { { b }}')],
  ['a text that breaks off', { replies: [{ say: 'and so', finish: 'length' }] }, asking('Hello')],
  ['a refusal', { replies: [{ refuse: 'No: "never".' }] }, asking('Hello')],
  ['a call', { replies: [{ call: { name: 'get_weather', arguments: { city: 'Paris: {1}' } } }] }, weather],
  ['two calls', { replies: [{ call: [{ name: 'get_weather', arguments: {} }, { name: 'get_weather' }] }] }, weather],
  ['arguments that are no JSON', { replies: [{ call: { name: 'get_weather', arguments: 'Paris: {' } }] }, weather],
  ['a status', {}, { ...asking('Hello'), headers: { 'x-mock-fault': '418' } }],
  ['a limit', { limits: { requests: '1 per hour' } }, asking('a'), asking('b')],
  ['a bad request', {}, asking('a', { temperature: 3 })],
  ['a body that is no JSON', {}, { body: '{"model' }],
  ['no model', {}, { body: { messages: [] } }],
  ['embeddings that fail', { faults: [{ fault: 429 }] }, { path: '/v1/embeddings', body: { model: 'm', input: 'a' } }],
]

test.each(sources)('%s: the rule matches the call and gives the same answer', (_, scenario, ...calls) => {
  const before = openedCall(scenario, ...calls)
  const { source } = ruleFor(scenario, ...calls)
  const after = openedCall(source, { ...calls.at(-1)!, headers: {} })
  expect(after.reason.name).toContain('replies[0]')
  expect(after.status).toBe(before.status)
  if (before.status === 200) expect(readAnswer(joinBody(after)!)).toEqual(readAnswer(joinBody(before)!))
})

test("a tool result is matched, so an agent's loop continues as it did", () => {
  const body = {
    model: 'echo-1',
    messages: [
      { role: 'user', content: 'weather' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"degrees": 24}' },
    ],
  }
  const { source } = ruleFor({ replies: [{ say: '24 degrees.' }] }, { body })
  expect(source.replies![0]!.when).toMatchObject({ user: 'weather', toolResult: '{"degrees": 24}' })
})

test('double braces, which mark placeholders in a scenario, are split, and a comment notes it', () => {
  const { text, source } = ruleFor({}, asking('a {{user}} b'))
  expect(text).toContain('# The answer had double braces')
  expect(source.replies![0]!.say).toBe('a { {user} } b')
})

test('embeddings are computed: their rule can only make them fail', () => {
  const { source } = ruleFor({}, { path: '/v1/embeddings', body: { model: 'hash-1', input: 'a' } })
  expect(source.replies).toEqual([{ when: { endpoint: 'embeddings', model: 'hash-1' }, fault: 'server-error' }])
})

test('a key in the text is not part of the condition', () => {
  const key = 'sk-test-abcdefghijkl'
  const { text, source } = ruleFor({}, { ...asking(`What of ${key} do you know?`), key })
  expect(text).not.toContain(key)
  expect(openedCall(source, { ...asking(`What of ${key} do you know?`), key }).reason.name).toBe('replies[0]')
})

test.each([
  [{ path: '/v1/models', method: 'GET' }, 'A rule can match calls to chat, responses and embeddings only.'],
  [{ path: '/v1/foo' }, 'A rule can match calls to chat, responses and embeddings only.'],
  [{ method: 'GET' }, 'A rule can match calls to chat, responses and embeddings only.'],
  [{ method: 'PUT' }, 'This call was refused before any rule was checked.'],
  [{ key: '' }, 'This call was refused before any rule was checked.'],
])('%j cannot become a rule', (call, reason) => {
  expect(() => formatRule(openedCall({}, call))).toThrow(reason)
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('/', 'a', '*', ' ', 'Σ', 'ς', 'İ', '{', '}', '\n', '#', ':', '"', '\ud800') }),
)

test('for any request, the rule matches it and gives the same answer', () => {
  fc.assert(
    fc.property(anyText, fc.string({ unit: 'binary', minLength: 1, maxLength: 250 }), (content, model) => {
      const call = { body: { model, messages: [{ role: 'user', content }] } }
      const { source } = ruleFor({ replies: [{ say: 'Fine.' }] }, call)
      const after = openedCall(source, call)
      expect(after.reason).toEqual({ by: 'reply', name: 'replies[0]' })
      expect(readAnswer(joinBody(after)!)).toEqual({ text: 'Fine.', finish: 'stop' })
    }),
  )
})

test('the part of a text used in a condition occurs in that text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(text.toLowerCase()).toContain(selectPart(text).toLowerCase())
    }),
  )
})

test('YAML reads any text as it was before', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { value, problems } = readYaml(`say: ${formatYamlText(text)}\n`, 100_000)
      expect({ value, problems }).toEqual({ value: { say: text }, problems: [] })
    }),
  )
})

test('a response becomes a rule for its endpoint that gives the same answer', () => {
  const call = openedCall({}, { path: '/v1/responses', body: { model: 'echo-1', input: 'Hello there' } })
  expect(formatRule(call)).toBe(
    'replies:\n  - when:\n      endpoint: responses\n      model: echo-1\n      user: Hello there\n    say: Hello there\n',
  )
})
