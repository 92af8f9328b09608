/**
 * Attack: a pattern and a text that make a backtracking engine try for years: in a scenario, in a filter of the journal, in
 * a JSON Schema; or a text that one of our own patterns is slow on.
 * Defence: patterns from outside are matched by RE2 in linear time, and bounded in size; schemas have a budget of steps;
 * our own patterns look at each character a bounded number of times. A RegExp that a test hands to a matcher is the test's
 * own, and runs as it is.
 *
 * No time is measured: what is wrong here does not end before the test does.
 */
import { expect, test } from 'vitest'
import { readUpstream } from '../../src/cli/args/command-options.ts'
import { compileFinder } from '../../src/core/scenario/compile/pattern.ts'
import { extractVectors } from '../../src/record/extract-vectors.ts'
import { Redactor } from '../../src/record/redact/redact.ts'
import { findProblems } from '../support/find-problems.ts'
import { errorIn, fetchFrom, HELLO, type HttpAnswer, type Served, serve, stillAnswers } from '../support/http.ts'

const put = (server: Served, body: unknown): Promise<HttpAnswer> =>
  fetchFrom(server, { path: '/_mock/scenario', method: 'PUT', body })

const EVIL = ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^([a-z]+)*$', '(.*a){20}$', '(x+x+)+y', '^(\\w+\\s?)*$']
const saying = (content: string) => ({ body: { ...HELLO, messages: [{ role: 'user', content }] } })

test.each(EVIL)('a rule with /%s/ is matched in linear time', async (pattern) => {
  const server = await serve({ description: 'x', replies: [{ when: { user: `/${pattern}/` }, say: 'matched' }] })
  const { status } = await fetchFrom(server, saying(`${'a'.repeat(50_000)}!`))
  expect(status).toBe(200)
})

test.each(EVIL)('a filter of the journal with /%s/ is matched in linear time', async (pattern) => {
  const server = await serve()
  await fetchFrom(server, saying(`${'a'.repeat(5000)}!`))
  for (const field of ['user', 'system', 'text']) {
    const query = new URLSearchParams({ [field]: `/${pattern}/` })
    expect((await fetchFrom(server, { path: `/_mock/journal?${query}` })).status).toBe(200)
  }
})

test.each(['/a{1000}{1000}/', '/((a{100}){100}){100}/', '/(?=a)/', '/(a)\\1/'])(
  'a pattern that RE2 can not match in linear time, or that is too large, is refused: %s',
  async (pattern) => {
    const server = await serve()
    const scenario = `description: x\nreplies: [{ when: { user: '${pattern}' }, say: x }]`
    expect((await put(server, scenario)).status).toBe(400)
    const answer = await fetchFrom(server, { path: `/_mock/journal?${new URLSearchParams({ user: pattern })}` })
    expect([answer.status, errorIn(answer).type]).toEqual([400, 'invalid_request_error'])
  },
)

test.each(['*', 'a*', '*a'])('a name with many stars (%s) is matched in linear time', async (piece) => {
  const server = await serve()
  const name = piece.repeat(4000)
  expect((await put(server, { description: 'x', models: { [`${name}b`]: {} } })).status).toBe(200)
  expect((await fetchFrom(server, { body: { ...HELLO, model: 'a'.repeat(1000) } })).status).toBe(404)
  expect((await fetchFrom(server, { path: `/_mock/journal?model=${name}b` })).status).toBe(200)
})

test.each([...EVIL, '^(a{1000}){1000}$', '(a*)*b'])(
  'a schema with the pattern %s is answered or refused',
  async (pattern) => {
    const server = await serve()
    const schemas = [
      { type: 'string', pattern, minLength: 60 },
      { type: 'string', not: { pattern }, minLength: 60 },
      {
        type: 'object',
        patternProperties: { [pattern]: { type: 'string' } },
        minProperties: 5,
        additionalProperties: false,
      },
    ]
    for (const schema of schemas) {
      const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } }
      expect([200, 400]).toContain((await fetchFrom(server, { body: { ...HELLO, response_format } })).status)
    }
    await stillAnswers(server)
  },
)

const looksFor = (text: string) => expect(new Redactor().redactJson(text).length).toBeGreaterThan(0)
const times = (piece: string, bytes: number): string => piece.repeat(bytes / piece.length)

test.each(['a', 'sk-', 'a@', 'a@a.', 'Bearer ', 'bearer aaaaaaaa ', '-----BEGIN PRIVATE KEY-----x', '\\', '"', '"\\"'])(
  'a megabyte of %j from an upstream is searched for secrets in linear time',
  (piece) => looksFor(times(piece, 1_000_000)),
)

// Some seconds at most; a pattern that restarts at each piece takes most of a minute.
test.each(['eyJ-', 'eyJ12345678.', 'eyJ12345678.eyJ-'])(
  'and so are 8 MB of %j, which all but is a JSON web token',
  { timeout: 20_000 },
  (piece) => looksFor(times(piece, 8_000_000)),
)

test.each(EVIL)('a --redact pattern runs in linear time too: /%s/', (pattern) => {
  expect(() => compileFinder(pattern, '')('a'.repeat(20_000))).not.toThrow()
})

const LONG = 1_000_000
const LONG_TEXTS = {
  blanks: `{{${' '.repeat(LONG)}`,
  braces: '{'.repeat(LONG),
  digits: '1'.repeat(LONG),
  durations: '1s'.repeat(5 * LONG),
  milli: `1milli${'i'.repeat(LONG)}!`,
  slashes: `/${'/a'.repeat(LONG)}!`,
  base64: 'aaaa'.repeat(3 * LONG),
}

test.each(Object.keys(LONG_TEXTS) as (keyof typeof LONG_TEXTS)[])(
  'a scenario with a long text of %s in each field is checked in linear time',
  (name) => {
    const text = LONG_TEXTS[name]
    const answer = { body: '{{vector}}', vectors: [{ floats: text }] }
    const reply = { when: { user: text }, say: text }
    const problems = findProblems({
      replies: [reply, { answer }],
      limits: { requests: text },
      pace: { firstToken: text },
    })
    expect(problems.map(({ path }) => path[0])).toContain('limits')
    expect(problems.some(({ path }) => path.includes('floats'))).toBe(!/^[a-z0-9]+$/.test(text))
  },
)

test.each<[name: string, text: string]>([
  ['blanks', `${' '.repeat(500_000)}x`],
  ['addresses without a host', 'a://:'.repeat(100_000)],
  ['parameters', `?${'pass'.repeat(125_000)}`],
])('and so is a text of 500,000 characters of %s where something else is expected', (_, text) => {
  const problems = findProblems({
    replies: [{ say: [text, 5] }, text],
    limits: { requests: text },
    keys: { [text]: text },
    ignore: [text],
  })
  expect(problems.map(({ path }) => path[0])).toEqual(expect.arrayContaining(['replies', 'limits', 'keys']))
  for (const { message } of problems) expect(message.length).toBeLessThan(1000)
})

test('a recorded list of numbers with many blanks is read in linear time', () => {
  const blanks = ' '.repeat(LONG)
  for (const body of [`{"embedding": [1${blanks}`, `{"embedding": [1${blanks}2${blanks}]}`])
    expect(extractVectors(body)).toEqual({ body })
})

test('a long address of an upstream is read in linear time', () => {
  expect(readUpstream(`https://api.example.com/v1${'/'.repeat(LONG)}`).pathname).toBe('/v1')
  expect(() => readUpstream('a'.repeat(LONG))).toThrow('expected a URL')
})
