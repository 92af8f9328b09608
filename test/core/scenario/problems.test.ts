/** The problems of a scenario: path and message of each. */
import { expect, test } from 'vitest'
import { prepareSource } from '../../../src/core/scenario/check/prepare-source.ts'
import { ScenarioError } from '../../../src/core/scenario/check/problem.ts'
import { findProblems } from '../../support/find-problems.ts'

const problems = (settings: object) => findProblems({ description: 'x', ...settings })
const messages = (settings: object) => problems(settings).map(({ message }) => message)
const reply = (rule: unknown) => ({ replies: [rule] })

test('a scenario that can be used has no problems', () => {
  expect(problems({ replies: [{ when: { user: '/hi/i' }, say: 'Hello {{model}}' }] })).toEqual([])
})

test('all problems come at once, those of shape and those of meaning', () => {
  const paths = problems({
    sead: 1,
    limits: { requests: 'many' },
    replies: [{ when: { user: '/(/', turn: 'first' }, fault: 'cutt', oops: 1 }],
  }).map(({ path }) => path.join('.'))
  expect(paths.sort()).toEqual([
    'limits.requests',
    'replies.0.fault',
    'replies.0.oops',
    'replies.0.when.turn',
    'replies.0.when.user',
    'sead',
  ])
})

test('an unknown key is a problem at that key, with the allowed ones and the nearest', () => {
  expect(problems(reply({ sya: 'hi', wen: {} }))).toEqual([
    {
      path: ['replies', 0, 'sya'],
      isKey: true,
      message: "unknown field 'sya'. Did you mean 'say'?",
    },
    {
      path: ['replies', 0, 'wen'],
      isKey: true,
      message: "unknown field 'wen'. Did you mean 'when'?",
    },
  ])
})

test('an option in header notation is recognised', () => {
  expect(messages({ faults: [{ fault: 'rate-limit', 'retry-after': 2 }] })[0]).toMatch(/Did you mean 'retryAfter'\?$/)
})

test('the problem of a condition outside of when suggests when', () => {
  expect(messages(reply({ user: 'hi', say: 'Hello' }))).toEqual(["unknown field 'user'. It belongs under 'when'."])
})

test('the problem of a value that is not text lists the expected values', () => {
  const [message] = messages({ validation: { toString: 1, valueOf: 2 } })
  expect(message).toMatch(/^expected strict or lenient, got .*\.$/)
})

test('the problem of an unknown value lists the expected values and the nearest', () => {
  expect(messages({ validation: 'strikt' })).toEqual([
    "expected strict or lenient, got 'strikt'. Did you mean 'strict'?",
  ])
})

test.each([
  [
    { requests: '3 per minut' },
    "expected a rate such as 60 per minute (second, minute, hour or day), got '3 per minut'. Did you mean '3 per minute'?",
  ],
  [
    { requests: [] },
    'expected a rate such as 60 per minute (second, minute, hour or day), or a list of rates for different windows, got an empty list.',
  ],
  [
    { requests: ['3 per second', 'many'] },
    "expected a rate such as 60 per minute (second, minute, hour or day), got 'many'.",
  ],
  [{ tokens: ['3 per day', '4 per day'] }, 'expected one rate for each window, got a second rate per day.'],
  [{ concurrent: 0 }, 'expected a whole number from 1, got 0.'],
  [{ concurrent: '5 per minute' }, "expected a whole number from 1, got '5 per minute'."],
  [{ request: '3 per day' }, "unknown field 'request'. Did you mean 'requests'?"],
])('invalid limits are refused with what is expected: %o', (limits, message) => {
  for (const source of [{ limits }, { keys: { a: { limits } } }, { models: { b: { limits } } }])
    expect(messages(source)).toEqual([message])
})

test('a missing field is reported with what is expected', () => {
  expect(findProblems({ faults: [{}] })).toMatchObject([{ path: ['faults', 0, 'fault'] }])
})

test.each([
  [null, /^expected a map, .*, got nothing\.$/],
  [[], /^expected a map, .*, got an empty list\.$/],
  ['text', /^expected a map, .*, got 'text'\.$/],
  [() => 1, /^expected a map, .*, got a function\.$/],
])('a source that is not a map is one problem: %s', (source, message) => {
  expect(findProblems(source)).toEqual([{ path: [], message: expect.stringMatching(message) }])
})

test('a value with several allowed forms gets one sentence, not one for each form', () => {
  expect(messages({ faults: [{ fault: 'cut', chance: true }] })).toEqual([
    'expected a chance such as 5%, or a number from 0 to 1, got true.',
  ])
  expect(messages(reply({ say: 42 }))).toEqual([
    'expected a text, an object (sent as JSON), or a list of these, got 42.',
  ])
})

test('in a list, the problem is at the element', () => {
  const [problem, ...others] = problems(reply({ when: { turn: [1, 'a'] }, say: 'x' }))
  expect(problem).toMatchObject({ path: ['replies', 0, 'when', 'turn', 1] })
  expect(others).toEqual([])
})

test('long values are shortened, and shown on one line', () => {
  const [message] = messages({ validation: `a\n${'b'.repeat(1000)}` })
  expect(message).toMatch(/^expected strict or lenient, got 'a b{57}…'\.$/)
})

test.each([
  ['/(?=a)b/', /look-around \(\?=/],
  ['/(?<!a)b/', /look-around \(\?<!/],
  ['/(a)\\1/', /back-reference \\1/],
  ['/(?<n>a)\\k<n>/', /back-reference \\k/],
])('%s cannot be matched in linear time, and the problem has the reason', (user, reason) => {
  const [problem] = problems(reply({ when: { user }, say: 'x' }))
  expect(problem!.path).toEqual(['replies', 0, 'when', 'user'])
  expect(problem!.message).toMatch(reason)
  expect(problem!.message).toContain('linear-time RE2, which has no look-around and no back-references')
})

test('a pattern with an unknown flag or bad syntax is a problem', () => {
  expect(messages(reply({ when: { system: '/a/g' }, say: 'x' }))[0]).toMatch(
    /^the pattern \/a\/g is invalid: expected the flags i, m, s or u, got 'g'\./,
  )
  expect(messages(reply({ when: { toolResult: ['ok', '/a(/'] }, say: 'x' }))[0]).toMatch(
    /^the pattern \/a\(\/ is invalid: missing closing \)/,
  )
})

test('a text that begins but does not end with a slash is no pattern', () => {
  expect(problems(reply({ when: { user: '/start (' }, say: 'x' }))).toEqual([])
})

test('a fault and its options are checked by the catalogue, each at its own path', () => {
  expect(problems({ faults: [{ fault: 'rate-limits' }] })).toEqual([
    { path: ['faults', 0, 'fault'], message: expect.stringMatching(/^unknown fault 'rate-limits'\. Did you mean/) },
  ])
  expect(problems({ faults: [{ fault: 'cut', retryAfter: 1, after: 'soon' }] })).toEqual([
    {
      path: ['faults', 0, 'after'],
      message: expect.stringContaining("option 'after': expected a whole number from 0, got 'soon'"),
    },
    { path: ['faults', 0, 'retryAfter'], isKey: true, message: expect.stringContaining('has no option') },
  ])
})

test('an option without a fault would do nothing, so it is a problem', () => {
  expect(messages({ faults: [{ fault: 'cut', end: 'fine' }] })).toEqual([
    "fault 'cut', option 'end': expected one of reset, fin, stall, clean, got 'fine'.",
  ])
  expect(messages({ faults: [{ fault: 'cut', bytes: 5, inside: 'data' }] })).toEqual([
    "fault 'cut': expected one of bytes, inside, before, got bytes and inside.",
  ])
  expect(problems({ keys: { k: { after: 1 } } })).toEqual([
    { path: ['keys', 'k', 'after'], isKey: true, message: expect.stringContaining('got no fault') },
  ])
})

test('a reply has exactly one answer', () => {
  expect(messages(reply({ when: { user: 'a' } }))).toEqual([
    'expected one of say, call, refuse, answer, fault, got none of them. Add one.',
  ])
  expect(messages(reply({ say: 'a', fault: 'cut' }))).toEqual([
    'expected one of say, call, refuse, answer, fault, got say and fault. Keep one, and remove the others.',
  ])
})

test('a text answer for embeddings is a problem', () => {
  const [problem] = problems(reply({ when: { endpoint: 'embeddings' }, say: 'a' }))
  expect(problem!.path).toEqual(['replies', 0, 'when', 'endpoint'])
})

test('a placeholder must be a value of the call or a named group of the own patterns', () => {
  const when = { user: '/in (?<city>\\w+)/' }
  expect(problems(reply({ when, say: '{{city}} {{ user }} {{turn}}' }))).toEqual([])
  const [problem] = problems(reply({ when, say: ['fine', 'in {{citty}}'] }))
  expect(problem!.path).toEqual(['replies', 0, 'say', 1])
  expect(problem!.message).toMatch(/^expected a placeholder that exists, got \{\{citty\}\}\. Did you mean 'city'\?/)
})

test('an empty name is a problem at the name', () => {
  expect(problems({ models: { '': {} } })).toEqual([
    { path: ['models', ''], isKey: true, message: expect.stringContaining('got an empty name') },
  ])
})

test('a name with a line break is shown escaped', () => {
  const [problem] = problems({ models: { 'gpt\n4': {} } })
  expect(problem!.message).toBe(
    "expected a name of at least one character, without line breaks or other control characters, got 'gpt\\u000a4'.",
  )
})

test.each([
  [{ seed: 1e29 }, 'a whole number from -9007199254740991 to 9007199254740991, or a text, got 1e+29.'],
  [{ expect: { calls: -5 } }, 'a bound such as <= 3, < 100, at least 1 or 5, got -5.'],
  [{ expect: { retries: 1e30 } }, 'a bound such as <= 3, < 100, at least 1 or 5, got 1e+30.'],
])('%j is refused with the expected range', (settings, message) => {
  expect(problems(settings).map((one) => one.message)).toEqual([`expected ${message}`])
})

const LONG = 'x'.repeat(100_000)

test.each<object>([
  { faults: [{ fault: LONG }] },
  { faults: [{ fault: 500, between: `${'0'.repeat(100_000)}9s and 1s` }] },
  { faults: [{ fault: 500, from: `${'0'.repeat(100_000)}9s`, until: '1s' }] },
  { replies: [{ when: { user: `/(${LONG}/` }, say: 'x' }] },
  { replies: [{ when: { state: LONG }, say: 'x' }] },
  { replies: [{ say: `{{${LONG}}}` }] },
  { models: { [`${LONG}\n`]: {} } },
])('messages shorten long texts', (settings) => {
  const [problem] = problems(settings)
  expect(problem!.message.length).toBeLessThan(1000)
})

test('a RegExp in code becomes the text a file would have; flags that no condition needs are dropped', () => {
  const source = prepareSource({
    description: 'x',
    replies: [{ when: { user: [/a\/b/gi, 'c'], system: /^x$/my }, say: 'hi' }],
    faults: [{ fault: 'cut', when: { toolResult: /é/s } }],
  })
  expect(source.replies![0]!.when).toEqual({ user: ['/a\\/b/i', 'c'], system: '/^x$/m' })
  expect(source.faults![0]!.when).toEqual({ toolResult: '/é/s' })
})

test('a RegExp that RE2 does not support, or with the flag v, is a problem', () => {
  const rule = (user: RegExp) => () => prepareSource({ description: 'x', replies: [{ when: { user }, say: 'hi' }] })
  const newest = 'v'
  expect(rule(/(?<=a)b/)).toThrow(/look-around/)
  expect(rule(new RegExp('a', newest))).toThrow(/flags i, m, s or u, got 'v'/)
})

test('a compiled scenario is a copy: later changes of the source have no effect', () => {
  const input = { description: 'x', replies: [{ say: 'before' }] }
  const source = prepareSource(input)
  input.replies[0]!.say = 'after'
  expect(source.replies![0]!.say).toBe('before')
})

test('the error has a line for each problem, with its path as in code', () => {
  const bad = { description: 'x', sead: 1, keys: { 'sk-*': { fault: 'cutt' } }, replies: [{ sya: 'hi' }] }
  expect(() => prepareSource(bad)).toThrow(ScenarioError)
  const { message, problems: all } = new ScenarioError(findProblems(bad))
  const lines = message.split('\n')
  expect(lines[0]).toBe('The scenario has 3 problems:')
  expect(lines[1]).toMatch(/^ {2}keys\['sk-\*'\]\.fault: unknown fault 'cutt'\. Did you mean 'cut'\?/)
  expect(lines[2]).toMatch(/^ {2}replies\[0\]\.sya: unknown field/)
  expect(lines[3]).toMatch(/^ {2}sead: unknown field/)
  expect(all).toHaveLength(3)
})

test('the message counts all problems and lists the first fifty', () => {
  const replies = Array.from({ length: 80 }, () => ({ sya: 'hi' }))
  const { message } = new ScenarioError(problems({ replies }), 'many.yaml')
  expect(message).toMatch(/^Scenario 'many\.yaml' has 80 problems:/)
  expect(message).toMatch(/\n {2}\.\.\. and 30 more$/)
})

const DURATION = 'a duration such as 300ms, 2s or 1m30s (at most a day)'

test.each<[object | string, (string | number)[], string]>([
  [{ min: '2s', max: '1s' }, ['max'], "expected a duration of at least min ('2s'), got '1s'."],
  [{ median: '2s', p99: '1s' }, ['p99'], "expected a duration of at least median ('2s'), got '1s'."],
  [{ median: '0s', p99: '1s' }, ['median'], "expected a duration above 0, got '0s'."],
  [{ min: '1s' }, ['max'], `expected ${DURATION}, got nothing.`],
  [{ min: '1s', max: 5 }, ['max'], `expected ${DURATION}, got 5. Did you mean '5ms'?`],
  [[], [], `expected ${DURATION}, a range such as { min: 200ms, max: 600ms }, or quantiles such as { p10: 80ms`],
  [{ mean: '1s' }, ['mean'], "unknown field 'mean'. Expected min, max, median or quantiles from p0.001 to p99.999."],
  [{ p0: '1s', p99: '2s' }, ['p0'], "unknown field 'p0'."],
  [{ p50: '1s', p100: '2s' }, ['p100'], "unknown field 'p100'."],
  [{}, [], 'expected at least two quantiles, such as { p50: 200ms, p99: 1s }, got none.'],
  [{ p50: '1s' }, ['p50'], 'expected at least two quantiles, such as p50 and p99, got only p50.'],
  [{ median: '1s', p50: '1s', p99: '2s' }, ['p50'], 'expected either p50 or median, got both.'],
  [{ p10: '80ms', p90: '70ms', p99: '4s' }, ['p90'], "expected a duration of at least p10 ('80ms'), got '70ms'."],
  [{ p50: '1s', p99: '4s', max: '3s' }, ['max'], "expected a duration of at least p99 ('4s'), got '3s'."],
  [{ p50: '1s', p99: 4000 }, ['p99'], `expected ${DURATION}, got 4000. Did you mean '4000ms'?`],
  [{ p50: '1s', p99: 1e9 }, ['p99'], `expected ${DURATION}, got 1000000000.`],
  [{ p50: '1s', p99: '2s', drawn: 'twice' }, ['drawn'], "expected once, got 'twice'."],
  [
    { median: '300ms', p99: '5s', tail: 'heavy' },
    ['tail'],
    "unknown field 'tail'. Expected min, max, median or quantiles from p0.001 to p99.999.",
  ],
])('the wait %j is a problem at its path', (firstToken, place, message) => {
  const found = problems({ pace: { firstToken } })
  expect(found.map(({ path }) => path)).toEqual([['pace', 'firstToken', ...place]])
  expect(found[0]?.message).toContain(message)
  if (!message.includes('Did you mean')) expect(found[0]?.message).not.toContain('Did you mean')
})

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic
const cyclicList: unknown[] = []
cyclicList.push(cyclicList)
let deep: object = {}
for (let level = 0; level < 3000; level++) deep = { deep }

test.each([
  ['a map that contains itself', cyclic],
  ['a list that contains itself', cyclicList],
  ['a map with 3,000 levels', deep],
])('%s is a problem wherever it is', (_, value) => {
  const sources = [
    { replies: [{ say: value }] },
    { replies: [{ when: { user: value }, say: 'Hi!' }] },
    { replies: [{ call: { name: 'search', arguments: value } }] },
    { states: { first: value } },
  ]
  for (const source of sources)
    expect(() => prepareSource(source)).toThrow('expected at most 40 levels of lists and maps, got more')
})

test('a map without a prototype is like any other map', () => {
  const bare = Object.assign(Object.create(null), { user: 'hi' })
  expect(prepareSource({ replies: [{ when: bare, say: bare }] }).replies).toEqual([
    { when: { user: 'hi' }, say: { user: 'hi' } },
  ])
  expect(() => prepareSource({ replies: [{ when: { user: bare }, say: 'Hi!' }] })).toThrow('got a map')
})
