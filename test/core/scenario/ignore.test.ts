/** `ignore`: which parts of a request may differ from the recorded one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/lib/text/json.ts'
import { prepareSource } from '../../../src/core/scenario/check/prepare-source.ts'
import { compileIgnore } from '../../../src/core/scenario/compile/ignore.ts'
import type { ScenarioInput } from '../../../src/index.ts'
import { mockWith } from '../../support/core.ts'
import { findProblems } from '../../support/find-problems.ts'

const without = (ignore: readonly string[], body: JsonObject): JsonObject => compileIgnore(ignore)(body)

const BODY = {
  model: 'm',
  user: 'u-1',
  metadata: { trace_id: 't-1', team: 'a' },
  messages: [
    { role: 'system', content: 'Today is 2026-11-21.' },
    { role: 'user', name: 'jo', content: [{ type: 'text', text: 'Hi on 2026-11-22' }] },
  ],
}

test.each<[what: string, ignore: string[], rest: object]>([
  ['a field', ['user', 'metadata'], { model: 'm', messages: BODY.messages }],
  ['a field of a field', ['metadata.trace_id'], { ...BODY, metadata: { team: 'a' } }],
  [
    'a field of all items',
    ['messages[*].name'],
    { ...BODY, messages: [BODY.messages[0], { ...BODY.messages[1], name: undefined }] },
  ],
  ['one item', ['messages[0]'], { ...BODY, messages: [BODY.messages[1]] }],
  ['all items', ['messages[*]'], { ...BODY, messages: [] }],
  ['a field that the request does not have', ['messages[*].a.b', 'tools[3]', 'model.x'], BODY],
  [
    'what a pattern matches, in every text',
    ['/\\d{4}-\\d\\d-\\d\\d/'],
    {
      ...BODY,
      messages: [
        { role: 'system', content: 'Today is [ignored].' },
        { role: 'user', name: 'jo', content: [{ type: 'text', text: 'Hi on [ignored]' }] },
      ],
    },
  ],
])('%s is left out', (_, ignore, rest) => {
  expect(without(ignore, BODY)).toEqual(JSON.parse(JSON.stringify(rest)))
})

test('a long text is searched piece by piece, and no match at a blank is cut in two', () => {
  const long = (date: string) => ({ text: `on ${date} we met. `.repeat(2000) })
  expect(without(['/\\d{4}-\\d\\d-\\d\\d/'], long('2026-11-21'))).toEqual(long('[ignored]'))
})

test('a request that is not a JSON object is compared as it is', () => {
  expect(compileIgnore(['a'])('{"model": ')).toBe('{"model": ')
  expect(compileIgnore(['a'])('{"a": 1, "b": 2}')).toBe('{"b":2}')
})

const RECORDED = {
  model: 'm',
  user: 'u-1',
  metadata: { trace_id: 't-1' },
  messages: [{ role: 'user', content: 'Hi, I am [redacted], on 2026-11-21' }],
}
const cassette = (ignore: ScenarioInput['ignore']) =>
  mockWith(prepareSource({ replies: [{ when: { request: RECORDED }, answer: { body: 'yes' } }], ignore }))
const sent = (user: string | undefined, trace: string, content: string) => ({
  body: {
    model: 'm',
    ...(user !== undefined && { user }),
    metadata: { trace_id: trace },
    messages: [{ role: 'user', content }],
  },
})

test('a call matches its recording whatever the ignored parts are, and nothing else may differ', () => {
  const mock = cassette(['user', 'metadata.trace_id', /\d{4}-\d\d-\d\d/])
  expect(mock.answer(sent('u-9', 't-9', 'Hi, I am Bo, on 2027-01-31')).text).toBe('yes')
  expect(mock.answer(sent(undefined, 't-9', 'Hi, I am Bo, on 1999-01-01')).text).toBe('yes')
  expect(mock.answer(sent('u-1', 't-1', 'Hi, I am Bo, on Monday')).status).toBe(404)
  expect(cassette([]).answer(sent('u-9', 't-1', 'Hi, I am Bo, on 2026-11-21')).status).toBe(404)
})

test('a recording matches with its ignored fields changed, added or removed', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const json = fc.jsonValue({ maxDepth: 2 })
  const body = fc.dictionary(name, fc.oneof(json, fc.dictionary(name, json), fc.array(fc.dictionary(name, json))))
  const path = fc.constantFrom('a', 'b.a', 'c[*].b', 'c[0]', 'c[*]', 'a.c')
  fc.assert(
    fc.property(body, fc.array(path, { minLength: 1, maxLength: 3 }), json, (recorded, ignore, value) => {
      const mock = mockWith({ replies: [{ when: { request: recorded }, answer: { body: 'yes' } }], ignore })
      const changed = structuredClone(recorded) as Record<string, unknown>
      for (const one of ignore) change(changed, one, structuredClone(value))
      expect(mock.answer({ body: changed }).text).toBe('yes')
    }),
    { numRuns: 300 },
  )
})

/** Changes what a path names, where it is. */
function change(body: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', last = ''] = path.split(/\.|(?=\[)/)
  const holder = body[first]
  if (path === first) body[first] = value
  else if (path === 'c[*].b' && Array.isArray(holder))
    for (const item of holder) item && typeof item === 'object' && (item.b = value)
  else if (path === 'c[0]' && Array.isArray(holder) && holder.length > 0) holder[0] = value
  else if (path === 'c[*]' && Array.isArray(holder)) holder.push(value)
  else if (!path.includes('[') && holder && typeof holder === 'object' && !Array.isArray(holder))
    (holder as Record<string, unknown>)[last] = value
}

describe('check finds', () => {
  const problemsOf = (ignore: unknown) => findProblems({ ignore }).map(({ message }) => message)
  const PATH = 'a path such as metadata.trace_id or messages[*].name, or a pattern such as /\\d{4}-\\d\\d/'

  test.each([
    ['messages[].name'],
    ['$.metadata'],
    ['metadata.'],
    ['messages.*.name'.replace('.*', '[ * ]')],
    ['/trace'],
    [''],
  ])('%j, which is neither a path nor a pattern', (text) => {
    expect(problemsOf([text])).toEqual([`expected ${PATH}, got '${text}'.`])
  })

  test('a pattern that does not compile, and what is not a list of texts', () => {
    expect(problemsOf(['/(/'])).toEqual([expect.stringContaining('the pattern /(/ is invalid: ')])
    expect(problemsOf('user')).toEqual(["expected a list of paths and patterns, got 'user'."])
    expect(problemsOf([7])).toEqual([`expected ${PATH}, got 7.`])
  })

  test('a misspelt field', () => {
    expect(findProblems({ ingore: ['user'] })[0]!.message).toContain("Did you mean 'ignore'?")
  })
})
