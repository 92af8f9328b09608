/** Scenario files: where their problems are, and what cannot be read. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, expect, test } from 'vitest'
import { generatedFiles } from '../../scripts/generate.ts'
import { ScenarioError } from '../../src/core/scenario/check/problem.ts'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import { loadScenario } from '../../src/engine/files/load-scenario.ts'
import { builtInScenarios } from '../../src/generated/built-in.ts'
import { findProblems } from '../support/find-problems.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const builtIns = Object.entries(builtInScenarios)

/** The problems of a text as `line:column path`, and their messages. */
function problemsOf(text: string): { places: string[]; messages: string[] } {
  try {
    parseScenario(text, 'broken.yaml')
  } catch (error) {
    const { problems } = error as ScenarioError
    return {
      places: problems.map(({ line, column, path }) => `${line}:${column} ${path.join('.')}`.trimEnd()),
      messages: problems.map(({ message }) => message),
    }
  }
  return { places: [], messages: [] }
}

const lines = (...text: string[]) => text.join('\n')

// Positions

test('every problem has its line and column, in the order of the file, and "did you mean"', () => {
  const text = lines(
    'description: Broken.',
    'limits: { requests: 3 per minut }',
    'replies:',
    '  - sya: hi',
    '  - when: { user: "/(/" }',
    '    say: hi',
    'validation: strikt',
  )
  expect(() => parseScenario(text, 'broken.yaml')).toThrow(
    expect.objectContaining({
      message: lines(
        "Scenario 'broken.yaml' has 4 problems:",
        "  broken.yaml:2:21  limits.requests: expected a rate such as 60 per minute (second, minute, hour or day), got '3 per minut'. Did you mean '3 per minute'?",
        `  broken.yaml:4:5  replies[0].sya: unknown field 'sya'. Did you mean 'say'?`,
        '  broken.yaml:5:19  replies[1].when.user: the pattern /(/ is invalid: missing closing ): `(`. Correct the pattern, or put a backslash before a special character.',
        "  broken.yaml:7:13  validation: expected strict or lenient, got 'strikt'. Did you mean 'strict'?",
      ),
    }),
  )
})

test('an unknown key points at the key, a value at the value, what is missing at its parent', () => {
  const text = lines('seed: 1.5', 'faults:', '  - chance: 5%', '    wen: { turn: 1 }')
  expect(problemsOf(text).places).toEqual(['1:7 seed', '3:5 faults.0.fault', '4:5 faults.0.wen'])
})

test('an empty value points at its key', () => {
  expect(problemsOf(lines('description: x', 'keys:', '  sk-a:', '  sk-b: {}')).places).toEqual(['3:3 keys.sk-a'])
})

test('positions hold with Windows line ends and a byte order mark', () => {
  expect(problemsOf('\uFEFFdescription: x\r\nreplies:\r\n  - sya: hi\r\n').places).toEqual(['3:5 replies.0.sya'])
})

test('JSON has positions too, and may be indented with tabs', () => {
  expect(problemsOf('{\n\t"description": "x",\n\t"sead": 1\n}').places).toEqual(['3:2 sead'])
  const json = JSON.stringify({ description: 'x', replies: [{ say: 'Grüße 😀\n' }] }, null, '\t')
  expect(parseScenario(json, 'a.json').replies).toEqual([{ say: 'Grüße 😀\n' }])
})

test('a problem inside an alias is reported at the anchor and at its use', () => {
  const text = lines('description: x', 'keys:', '  a: &a { fault: qota }', '  b: *a')
  expect(problemsOf(text).places).toEqual(['3:18 keys.a.fault', '4:6 keys.b.fault'])
})

// Texts that are no scenario

test('the problem of unreadable YAML has a position and a remedy', () => {
  const { places, messages } = problemsOf(lines('description: x', 'replies:', '  - say: Hello: world'))
  expect(places).toEqual(['3:10'])
  expect(messages).toEqual(["This text contains ': '. Put it in quotes."])
})

test.each([
  [
    'description: x\nreplies:\n  - say: "hello\nseed: 1\n',
    '3:10',
    'This text begins with a quote and has no closing quote.',
  ],
  ["description: 'x\n", '1:14', 'This text begins with a quote and has no closing quote.'],
  ['description: x\nmodels: [a, b\nseed: 1\n', '2:9', 'This list begins with [ and has no closing ].'],
  ['description: x\nkeys: { a: { fault: quota }\nseed: 1\n', '2:7', 'This map begins with { and has no closing }.'],
  ['description: x\nkeys: [{ a: 1]\n', '2:8', 'This map begins with { and has no closing }.'],
  ['keys:\n  a: {}\n b: {}\n', '3:1', 'This line is indented differently from the lines above.'],
  ['description: x\n\tseed: 1\n', '2:1', 'This line is indented with a tab. Indent with spaces.'],
  ['description: x\n seed: 1\n', '1:14', 'A key and its colon must be on one line.'],
  ['replies:\n  - say: x\n   when: {}\n', '3:1', 'Check its indentation.'],
  ['description: x\nseed\n', '2:1', 'This line has no colon.'],
  ['description: "x" y\n', '1:18', 'This does not belong here.'],
  ['replies:\n  - when: { user: "/\\d+ [a-z]/" }\n    say: x\n', '2:19', String.raw`single quotes: '/\d+ [a-z]/'`],
  ['replies:\n  - when: { user: /\\d+ [a-z]/ }\n    say: x\n', '2:19', String.raw`single quotes: '/\d+ [a-z]/'`],
  ['replies:\n  - when: { user: /a{2,3}/ }\n    say: x\n', '2:19', "single quotes: '/a{2,3}/'"],
  ['replies:\n  - when: { user: /[/ }\n    say: x\n  - say: y\n', '2:19', "single quotes: '/[/'"],
  ['replies:\n  - when: { user: /[/{}]x/i, model: m }\n    say: x\n', '2:19', "single quotes: '/[/{}]x/i'"],
  ["replies:\n  - when: { user: /it's [a]/ }\n    say: x\n", '2:19', "single quotes: '/it''s [a]/'"],
  ['keys: [a: 1, "b" "c"]\n', '1:18', 'A comma or a colon is missing here.'],
])('the syntax error in %j is one problem where it begins', (text, place, message) => {
  const { places, messages } = problemsOf(text)
  expect(places).toEqual([place])
  expect(messages).toEqual([expect.stringContaining(message)])
})

test('the problem of a template without quotes suggests quotes', () => {
  expect(problemsOf(lines('description: x', 'replies:', '  - say: {{user}}')).messages[0]).toMatch(
    /Text that begins with \{\{ needs quotes/,
  )
})

test('a duplicate key is a problem at the second one, next to the others', () => {
  const text = lines('description: x', 'seed: 1', 'sead: 2', 'seed: 3')
  expect(problemsOf(text).places).toEqual(['3:1 sead', '4:1 seed'])
})

test.each([
  ['', 'got an empty file'],
  ['# only a comment\n', 'got an empty file'],
  ['null', 'got an empty file'],
  ['hello', "got 'hello'"],
  ['- a', 'got a list'],
  ['description: a\n---\ndescription: b', 'expected one document, got 2'],
  ['%YAML 1.1\n---\ndescription: x', 'got a line that begins with %'],
  ['description: x\nseed: !!js/function 1', 'Scenarios have no tags'],
  ['description: x\nkeys: *nowhere', 'got *nowhere'],
  ['description: x\nkeys: &a { b: *a }', 'got *a'],
  ['description: x\nkeys: { a: &a {}, b: { <<: *a } }', 'expected no merge key'],
  ['description: x\nkeys: { __proto__: { fault: quota } }', 'JavaScript reserves this one'],
  ['? [a]\n: 1\ndescription: x', 'expected text as a key, got a list or map'],
  [`description: ${'x'.repeat(1_000_000)}`, 'expected at most 1000000 characters (1 MB)'],
])('%.60j is one clear problem', (text, message) => {
  const { messages } = problemsOf(text)
  expect(messages).toEqual([expect.stringContaining(message)])
})

test('a name such as __proto__ is an ordinary name', () => {
  const { keys } = parseScenario('description: x\nkeys: { constructor: {}, toString: { fault: quota } }', 'a.yaml')
  expect(Object.keys(keys!)).toEqual(['constructor', 'toString'])
})

test('aliases that grow without bound are refused', () => {
  const layers = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [above, name] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh'])
    layers.push(`${name}: &${name} [${Array(9).fill(`*${above}`).join(', ')}]`)
  expect(problemsOf(lines('description: x', ...layers)).messages).toEqual([
    expect.stringContaining('for at most 200 values in all'),
  ])
  expect(problemsOf(`description: x\nkeys: { a: &a {}, b: [${'*a, '.repeat(5000)}] }`).messages[0]).toContain(
    'expected at most 200 aliases (*name), got more. Write the values out.',
  )
})

test.each([
  ['lists in lists', '['.repeat(900_000)],
  ['maps in maps', '{a: '.repeat(50_000)],
  ['list items in list items', '- '.repeat(50_000)],
  ['stray signs', '}'.repeat(900_000)],
  ['documents', '---\n'.repeat(200_000)],
  ['keys', Array.from({ length: 100_000 }, (_, index) => `key${index}: 1`).join('\n')],
  ['problems', `description: x\nreplies:\n${'  - { sya: a }\n'.repeat(15_000)}`],
  ['brackets in a pattern', `description: x\nreplies: [{ say: x, when: { user: "/${'('.repeat(400_000)}/" } }]`],
])('very many %s are refused', (_, text) => {
  expect(() => parseScenario(text, 'large.yaml')).toThrow(ScenarioError)
})

// Built-in scenarios and generated files

test.each(Object.entries(generatedFiles()))('%s is up to date (else run npm run generate)', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8') === text).toBe(true)
})

test('the built-in scenarios are in the order of their names, the default first', () => {
  expect(Object.keys(builtInScenarios)).toEqual([
    'default',
    'agent',
    'bursty',
    'canned',
    'careless',
    'flaky',
    'incident',
    'invalid-request',
    'openai',
    'outage',
    'rate-limited',
    'realistic',
    'slow',
    'unauthorized',
  ])
})

test.each(builtIns)('%s is a scenario without problems, and compiles', (name, source) => {
  expect(findProblems(source)).toEqual([])
  expect(compileScenario(source, { name, compilePattern }).description).toBe(source.description)
})

test.each(readdirSync(join(ROOT, 'scenarios')))('%s opens with commands to try it, and names its schema', (file) => {
  const text = readFileSync(join(ROOT, 'scenarios', file), 'utf8')
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../scenario.schema.json')
  expect(text).toMatch(/^# {3}npx api-mock/m)
  expect(text).toMatch(/^# {3}.*(curl|npx)/m)
})

test('every snapshot of the openai scenario is a model of it', () => {
  const models = builtInScenarios.openai.models!
  const snapshots = Object.values(models).flatMap(({ snapshot }) => snapshot ?? [])
  // The service answers under this name and does not list it.
  expect(snapshots.filter((name) => !Object.hasOwn(models, name))).toEqual(['text-embedding-ada-002-v2'])
})

const recorded = join(ROOT, '../shared/recorded/openai.jsonl')
test.skipIf(!existsSync(recorded))(
  'the openai scenario has every recorded model, with the snapshot that answered (skipped without recordings)',
  () => {
    const models = builtInScenarios.openai.models!
    const wrong = readFileSync(recorded, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: number; request: { model: string }; body: string })
      .filter(({ status }) => status === 200)
      .map(({ request, body }) => [request.model, /"model": ?"([^"]+)"/.exec(body)![1]!] as const)
      .filter(([asked, answered]) => (models[asked]?.snapshot ?? asked) !== answered || !models[asked])
    expect(wrong).toEqual([])
  },
)

// The JSON Schema for editors

const jsonSchema = JSON.parse(readFileSync(join(ROOT, 'scenario.schema.json'), 'utf8')) as object
const isAccepted = new Ajv({ strict: false, allErrors: true }).compile(jsonSchema)

test.each(builtIns)('the JSON Schema accepts %s', (_, source) => {
  expect(isAccepted(source), JSON.stringify(isAccepted.errors)).toBe(true)
})

const world = (settings: object) => ({ description: 'x', ...settings })

test.each([
  world({ keys: { k: { fault: 'rate-limit', retryAfter: '2s' }, 'ci-*': {} } }),
  world({ faults: [{ fault: 503 }, { fault: '418' }, { fault: 'cut', after: 0, chance: 0.5, times: 1 }] }),
  world({
    faults: [
      { fault: 429, retryAfter: 2 },
      { fault: '429', retryAfter: '1.5' },
    ],
  }),
  world({ replies: [{ when: { user: ['a', '/b/i'], turn: [1, 2] }, say: ['a', 'b'] }, { fault: 'hang' }] }),
  world({ seed: 'seven', limits: {}, pace: { perToken: '1m30s' }, models: {} }),
  world({ faults: [{ fault: 500, attempt: [1, 2], every: 2, between: ['0s and 10s', '1m and 2m'] }] }),
  world({ faults: [{ fault: 500, from: '1s', until: '1d', bursts: { good: '30s', bad: '5s' } }] }),
  world({ states: { up: { lasts: '20 calls', next: 'down' }, down: { faults: [{ fault: 503 }], pace: {} } } }),
  world({ pace: { firstToken: { min: '0ms', max: '1s' }, perToken: { median: '20ms', p99: '20ms' } } }),
  world({
    pace: { perInputToken: { p10: '1ms', median: '2ms', 'p99.9': '1s', drawn: 'once' }, load: '12.5% per call' },
  }),
  world({ cache: 'prefixes', models: { a: { cache: 'breakpoints', pace: { cachedInputToken: '0.02ms' } } } }),
  world({ models: { a: { pace: { queue: { concurrent: 1, waiting: 0 } } } } }),
])('the JSON Schema and the check accept %j', (source) => {
  expect(findProblems(source)).toEqual([])
  expect(isAccepted(source), JSON.stringify(isAccepted.errors)).toBe(true)
})

test.each([
  [],
  world({ sead: 1 }),
  world({ description: '' }),
  world({ replies: [{ sya: 'hi' }] }),
  world({ replies: [{ when: {} }] }),
  world({ replies: [{ say: 'a', fault: 'cut' }] }),
  world({ replies: [{ say: [] }] }),
  world({ replies: [{ when: { endpoint: 'chats' }, say: 'a' }] }),
  world({ replies: [{ when: { turn: 0 }, say: 'a' }] }),
  world({ faults: [{ fault: 'cutt' }] }),
  world({ faults: [{ fault: 200 }] }),
  world({ faults: [{ fault: 'cut', retryAfter: 1 }] }),
  world({ faults: [{ fault: 'cut', after: 'soon' }] }),
  world({ faults: [{ chance: '5%' }] }),
  world({ faults: [{ fault: 'cut', chance: '500%' }] }),
  world({ keys: { k: { after: 1 } } }),
  world({ keys: { k: null } }),
  world({ models: { '': {} } }),
  world({ models: { a: { dimensions: 9000 } } }),
  world({ limits: { requests: '0 per minute' } }),
  world({ pace: { firstToken: '5' } }),
  world({ pace: { firstToken: { min: '1s' } } }),
  world({ pace: { firstToken: { median: '1s', p99: '2s', tail: 'heavy' } } }),
  world({ pace: { firstToken: { p50: '1s' } } }),
  world({ pace: { load: '20%' } }),
  world({ pace: { queue: { concurrent: 0, waiting: 1 } } }),
  world({ pace: { queue: { concurrent: 1 } } }),
  world({ validation: 'strikt' }),
  world({ faults: [{ fault: 500, every: 0 }] }),
  world({ faults: [{ fault: 500, between: '10s..20s' }] }),
  world({ faults: [{ fault: 500, bursts: { good: '30s' } }] }),
  world({ replies: [{ fault: 500, every: 2 }] }),
  world({ states: {} }),
  world({ states: { '1': {} } }),
  world({ states: { up: { lasts: '20', next: 'up' } } }),
])('the JSON Schema and the check refuse %j', (source) => {
  expect(findProblems(source)).not.toEqual([])
  expect(isAccepted(source)).toBe(false)
})

// Loading

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a scenario is loaded by its name, or as a file by its path', async () => {
  expect(await loadScenario('flaky')).toEqual({ name: 'flaky', source: builtInScenarios.flaky, warnings: [] })
  const file = join(folder, 'mine.yml')
  writeFileSync(file, 'description: Mine.')
  expect(await loadScenario(file)).toEqual({ name: file, source: { description: 'Mine.' }, warnings: [] })
})

test('the error of an unknown name suggests the nearest name and the list', async () => {
  await expect(loadScenario('flakey')).rejects.toThrow(
    "Unknown scenario 'flakey'. Did you mean 'flaky'? See all: api-mock list. ",
  )
  await expect(loadScenario('toString')).rejects.toThrow("Unknown scenario 'toString'.")
})

test('the error of an unreadable file has the reason and a remedy', async () => {
  await expect(loadScenario(join(folder, 'none.yaml'))).rejects.toThrow(/there is no such file .* Check the path/)
  await expect(loadScenario(folder)).rejects.toThrow('it is a folder')
  const binary = join(folder, 'binary.yaml')
  writeFileSync(binary, Buffer.from([0x64, 0xff, 0xfe]))
  await expect(loadScenario(binary)).rejects.toThrow('not UTF-8')
  const large = join(folder, 'large.json')
  writeFileSync(large, 'x'.repeat(10_000_001))
  await expect(loadScenario(large)).rejects.toThrow('expected at most 10000000 bytes (10 MB), got 10000001.')
})

test('a file with problems has them with its path, line and column', async () => {
  const file = join(folder, 'broken.yaml')
  writeFileSync(file, 'description: x\nsead: 1\n')
  await expect(loadScenario(file)).rejects.toThrow(`${file}:2:1  sead: unknown field 'sead'`)
})

test('a pattern is compiled everywhere, also in the faults of a state', async () => {
  const fault = { fault: 503, when: { user: '/boom/' } }
  for (const more of [{ replies: [fault] }, { faults: [fault] }, { states: { down: { faults: [fault] } } }]) {
    expect(compileScenario({ description: 'x', ...more }, { name: 'test', compilePattern }).source).toMatchObject(more)
  }
})
