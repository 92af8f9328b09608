/** Answers to a request with a JSON Schema. */
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { mockWith } from '../../../../support/core.ts'

const EVENT = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    date: { type: 'string', format: 'date' },
    size: { enum: ['small', 'large'] },
    people: { type: 'array', items: { $ref: '#/$defs/person' } },
  },
  required: ['name', 'date', 'size', 'people'],
  additionalProperties: false,
  $defs: {
    person: {
      type: 'object',
      properties: { name: { type: 'string' }, friend: { anyOf: [{ $ref: '#/$defs/person' }, { type: 'null' }] } },
      required: ['name', 'friend'],
      additionalProperties: false,
    },
  },
}
const IMPOSSIBLE = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 2, maximum: 1 } },
  required: ['n'],
}
const ajv = new Ajv({ strict: false, validateFormats: false })

const format = (schema: object, more: object = {}) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'event', schema, ...more } },
})
const ask = (content: string, more: object) => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
const textOf = (content: string, more: object, mock = mockWith()): string =>
  mock.json(ask(content, more)).choices[0].message.content

test('a schema is answered with a valid value, the same one every time', () => {
  const text = textOf('A party?', format(EVENT, { strict: true }))
  expect(ajv.validate(EVENT, JSON.parse(text)), text).toBe(true)
  expect(textOf('A party?', format(EVENT, { strict: true }))).toBe(text)
  expect(text).toMatchInlineSnapshot(
    `"{"name":"Ada Moreau","date":"2025-05-01","size":"small","people":[{"name":"Hana Dubois","friend":{"name":"Farid Evans","friend":null}},{"name":"Hana Moreau","friend":{"name":"Grace Kim","friend":null}}]}"`,
  )
})

test('the plan says that the schema decided', () => {
  expect(mockWith().plan(ask('A party?', format(EVENT))).reason).toEqual({ by: 'schema', name: 'event' })
})

test('a user message that is a valid answer is echoed, so that a test can choose the answer', () => {
  const wish = '{"name":"Tea","date":"2026-01-02","size":"small","people":[]}'
  expect(textOf(wish, format(EVENT))).toBe(wish)
  expect(textOf(wish.replace('small', 'tiny'), format(EVENT))).not.toContain('tiny')
})

test('a scenario answers an object as JSON, with its placeholders filled in', () => {
  const mock = mockWith({
    replies: [
      { when: { user: '/^(?<name>\\w+)/' }, say: { name: '{{name}}', size: 'small', tags: ['{{turn}}', 2, null] } },
    ],
  })
  expect(textOf('Picnic please', {}, mock)).toBe('{"name":"Picnic","size":"small","tags":["1",2,null]}')
})

test('an answer of a scenario that is invalid against the schema is sent with a note', () => {
  const mock = mockWith({ replies: [{ say: ['no JSON', { name: 'Tea' }] }] })
  const notes = [1, 2].map(() => mock.plan(ask('A party?', format(EVENT))).notes)
  expect(notes).toEqual([
    ['the answer of replies[0] is not valid against the schema of the request: it is not JSON'],
    [expect.stringMatching(/is not valid against the schema of the request: .*(required|date)/)],
  ])
})

test('an answer of a scenario for a schema beyond the work limit is sent with the note that it was not checked', () => {
  const schema = { type: 'object', allOf: Array.from({ length: 90_000 }, () => ({})) }
  expect(mockWith({ replies: [{ say: { name: 'Tea' } }] }).plan(ask('A party?', format(schema))).notes).toEqual([
    expect.stringMatching(
      /^the answer of replies\[0\] was not checked against the schema of the request: more than 80000 /,
    ),
  ])
})

test('JSON mode without a schema echoes an object and wraps any other text', () => {
  const json = { response_format: { type: 'json_object' } }
  expect(textOf('Some json, please', json)).toBe('{"message":"Some json, please"}')
  expect(textOf('{"json": true}', json)).toBe('{"json": true}')
})

test('keywords that are not simulated are named in a note', () => {
  const schema = { ...EVENT, dependentRequired: { name: ['date'] } }
  const note = 'the answer may violate these keywords of its schema: dependentRequired'
  const tools = [{ type: 'function', function: { name: 'plan', parameters: schema } }]
  expect(mockWith().plan(ask('A party?', format(schema))).notes).toEqual([note])
  expect(mockWith().plan(ask('A party?', { tools, tool_choice: 'required' })).notes).toEqual([note])
  expect(mockWith().plan(ask('A party?', format(EVENT))).notes).toEqual([])
})

test('keywords that are not simulated are named for an echo and for a rule too', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], minProperties: 2 }
  const note = 'the answer may violate these keywords of its schema: minProperties'
  expect(mockWith().plan(ask('{"name": "Ada"}', format(schema))).notes).toEqual([note])
  const says = mockWith({ replies: [{ when: { user: 'party' }, say: { name: 'Ada' } }] })
  expect(says.plan(ask('A party?', format(schema))).notes).toEqual([note])
  const tools = [{ type: 'function', function: { name: 'plan', parameters: schema } }]
  const calls = mockWith({
    replies: [{ when: { user: 'party' }, call: { name: 'plan', arguments: { name: 'Ada' } } }],
  })
  expect(calls.plan(ask('A party?', { tools })).notes).toEqual([note])
})

test('a schema that no value can match is a 400 that names the place', () => {
  const { error } = mockWith().json(ask('A party?', format(IMPOSSIBLE)))
  expect(error).toMatchObject({ param: 'response_format', code: 'mock_unsatisfiable_schema' })
  expect(error.message).toMatch(/^Invalid schema for response_format 'event': no value fulfils it: .*#\/properties\/n/)
})

test('a schema for which no valid value is found is answered with the best one and a note', () => {
  const name = { type: 'string', format: 'date', pattern: 'never' }
  const schema = { type: 'object', properties: { name, size: { enum: ['small'] } }, required: ['name', 'size'] }
  const note =
    'the answer may violate its schema: no text found of the format date, that matches never (at #/properties/name)'
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  const tools = [{ type: 'function', function: { name: 'plan', parameters: schema } }]
  for (const more of [format(schema), { tools, tool_choice: 'required' }]) {
    expect(mockWith().plan(ask('A party?', more)).notes).toEqual([note])
  }
  expect(JSON.parse(textOf('A party?', format(schema)))).toEqual({ name: day, size: 'small' })
})

test('a refusal by a fault has no note about the value that it replaces', () => {
  const mock = mockWith({ faults: [{ fault: 'refusal' }] })
  const { notes } = mock.plan(ask('A party?', format({ ...EVENT, dependentRequired: { name: ['date'] } })))
  expect(notes).toEqual([])
})

test('a strict schema outside the documented subset is a 400 with the message of the service', () => {
  const { error } = mockWith().json(ask('A party?', format({ type: 'object', properties: {} }, { strict: true })))
  expect(error).toEqual({
    message:
      "Invalid schema for response_format 'event': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    type: 'invalid_request_error',
    param: 'response_format',
    code: null,
  })
})

test('max_tokens cuts JSON like any text', () => {
  const choice = mockWith().json(ask('A party?', { ...format(EVENT), max_tokens: 5 })).choices[0]
  expect(choice.finish_reason).toBe('length')
  expect(() => JSON.parse(choice.message.content)).toThrow()
})

test('a schema without `strict` may use all of JSON Schema', () => {
  const pair = {
    type: 'array',
    prefixItems: [{ const: 'a' }, { type: 'integer', multipleOf: 7 }],
    minItems: 2,
    items: false,
  }
  const schema = { type: 'object', properties: { pair }, required: ['pair'] }
  const [first, second] = JSON.parse(textOf('A pair?', format(schema))).pair
  expect([first, second % 7]).toEqual(['a', 0])
})
