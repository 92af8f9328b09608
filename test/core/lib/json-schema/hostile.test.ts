// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
/** Hostile schemas: each is answered within its work budget, and none overflows the stack. */
import { expect, test } from 'vitest'
import { generateValue } from '../../../../src/core/lib/json-schema/generate/generate-value.ts'
import { type JsonSchema, SchemaProblem, WorkBudget } from '../../../../src/core/lib/json-schema/json-schema.ts'
import { SchemaIndex } from '../../../../src/core/lib/json-schema/schema-index.ts'
import { checkSchema } from '../../../../src/core/lib/json-schema/strict-mode.ts'
import { validate } from '../../../../src/core/lib/json-schema/validate.ts'
import { Validator } from '../../../../src/core/lib/json-schema/validator.ts'
import { Random } from '../../../../src/core/lib/random/random.ts'

const nested = (depth: number, wrap: (inner: unknown) => unknown, core: unknown = { type: 'string' }): unknown => {
  let schema = core
  for (let i = 0; i < depth; i++) schema = wrap(schema)
  return schema
}

/** `levels` definitions, each of which refers to the next one twice. */
const doubled = (levels: number, body: (next: object) => object) => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries([
    ...Array.from({ length: levels }, (_, i) => [`d${i}`, body({ $ref: `#/$defs/d${i + 1}` })]),
    [`d${levels}`, { type: 'string' }],
  ]),
})

const DEEP: Readonly<Record<string, unknown>> = {
  properties: nested(10_000, (inner) => ({ type: 'object', properties: { a: inner }, required: ['a'] })),
  items: nested(10_000, (inner) => ({ type: 'array', items: inner, minItems: 1 })),
  allOf: nested(10_000, (inner) => ({ allOf: [inner] })),
  anyOf: nested(10_000, (inner) => ({ anyOf: [inner, { type: 'null' }] })),
  oneOf: nested(10_000, (inner) => ({ oneOf: [inner, { type: 'null' }] })),
  not: nested(10_000, (inner) => ({ not: inner })),
  if: nested(10_000, (inner) => ({ if: inner, then: inner })),
  constant: { const: nested(10_000, (inner) => [inner], 1) },
}

/** The problem, the note, or the value without either. */
const outcome = (made: ReturnType<typeof generateValue>): string =>
  'problem' in made ? made.problem : (made.notes[0] ?? JSON.stringify(made.value))

test.each(Object.entries(DEEP))('10,000 levels of %s are answered', (_, schema) => {
  const made = generateValue(schema, new Random('1'))
  expect(outcome(made)).toMatch(/deep|steps of work|enum or const|keywords of its schema: if|"/)
  expect(() => validate(schema, 'text')).not.toThrow()
  expect(() => checkSchema(schema, { isStrict: true })).not.toThrow()
})

test('a schema with 2^40 paths to one subschema costs no more than its size', () => {
  const schema = doubled(40, (next) => ({ allOf: [next, next] }))
  const made = generateValue(schema, new Random('1'), 3000)
  expect(made).toEqual({ value: expect.any(String), notes: [] })
})

test('a validation with 2^40 paths costs at most schemas times values', () => {
  const schema = doubled(40, (next) => ({ anyOf: [next, next], oneOf: [next, false], allOf: [next] })) as JsonSchema
  const work = new WorkBudget(2000)
  expect(new Validator(new SchemaIndex(schema, work), work).check(schema, 'text')).toBeUndefined()
  expect(work.spent).toBeLessThan(2000)
})

test('a schema whose smallest value has 2^30 parts is answered within the work limit, with a note', () => {
  const schema = doubled(30, (next) => ({ type: 'object', properties: { x: next, y: next }, required: ['x', 'y'] }))
  expect(generateValue(schema, new Random('1'))).toEqual({
    value: {},
    notes: [expect.stringMatching(/steps of work|parts/)],
  })
})

test('2^30 optional parts are left out', () => {
  const schema = doubled(30, (next) => ({ type: 'object', properties: { x: next, y: next } }))
  const made = generateValue(schema, new Random('1'))
  expect('value' in made && JSON.stringify(made.value).length).toBeLessThan(20_000)
})

test('3^30 impossible alternatives are answered with the reason', () => {
  const schema = doubled(30, (next) => ({
    anyOf: [next, { type: 'object', properties: { k: next }, required: ['k'] }],
  }))
  Object.assign(schema.$defs, { d30: { type: 'string', minLength: 5, maxLength: 2 } })
  expect(outcome(generateValue(schema, new Random('1')))).toMatch(/minLength 5 is above maxLength 2|steps of work/)
})

const WIDE: Readonly<Record<string, unknown>> = {
  'properties, required': {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, { type: 'string' }])),
    required: Array.from({ length: 5000 }, (_, i) => `p${i}`),
  },
  'values of an enum': { enum: Array.from({ length: 100_000 }, (_, i) => `v${i}`) },
  'unique items': { type: 'array', items: { type: 'integer' }, minItems: 5000, uniqueItems: true },
  alternatives: { anyOf: Array.from({ length: 5000 }, (_, i) => ({ type: 'integer', minimum: i })) },
}

test.each(Object.entries(WIDE))('5000 or more %s are met', (_, schema) => {
  expect(generateValue(schema, new Random('1'))).toEqual({ value: expect.anything(), notes: [] })
})

test.each(['^(((a{1,100}){1,100}){1,100})$', `${'('.repeat(3000)}a${')'.repeat(3000)}`, `${'a?'.repeat(3000)}`])(
  'a large pattern is answered',
  (pattern) => {
    expect(Object.keys(generateValue({ type: 'string', pattern }, new Random('1')))[0]).toMatch(/value|problem/)
  },
)

test('a pattern that makes backtracking engines hang is matched', () => {
  expect(validate({ pattern: '^(a+)+$' }, `${'a'.repeat(5000)}b`).problem).toMatch(/does not match/)
})

test('the work is limited, and the message names the limit', () => {
  const work = new WorkBudget(10)
  work.spend(10)
  expect(() => work.spend(1)).toThrow(SchemaProblem)
  const schema = { type: 'array', items: { type: 'integer' }, minItems: 100 }
  expect(generateValue(schema, new Random('1'), 50)).toEqual({
    value: [],
    notes: [
      'the answer may violate its schema: more than 50 steps of work. Use a smaller or less entangled schema (at #/items)',
    ],
  })
})

const repeated = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

test.each([
  [
    '30 levels that double',
    doubled(30, (next) => ({ type: 'object', properties: { x: next, y: next }, required: ['x', 'y'] })),
  ],
  ['a long allOf', { allOf: repeated(20_000, (minimum) => ({ minimum })) }],
  ['390,000 empty schemas', { allOf: repeated(390_000, () => ({})) }],
  ['a long oneOf', { oneOf: repeated(4000, (index) => ({ properties: { a: { const: index } }, required: ['a'] })) }],
  [
    'different objects',
    {
      type: 'array',
      minItems: 1000,
      uniqueItems: true,
      items: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    },
  ],
  [
    '2,000 parts with a property each',
    {
      allOf: repeated(2000, (index) => ({
        required: [`p${index}`],
        properties: { [`p${index}`]: { type: 'integer' } },
      })),
    },
  ],
  [
    'an optional part with a long allOf',
    { type: 'object', properties: { a: { allOf: repeated(10_000, (minimum) => ({ minimum })) } } },
  ],
])('%s is answered at once', (_, schema) => {
  expect(Object.keys(generateValue(schema, new Random('1')))[0]).toMatch(/value|problem/)
})

test('looking for each of 2,000 properties in 2,000 schemas counts as work', () => {
  const schema = { allOf: repeated(2000, (index) => ({ required: [`p${index}`], properties: { [`p${index}`]: {} } })) }
  expect(generateValue(schema, new Random('1'))).toEqual({
    value: {},
    notes: [expect.stringContaining('steps of work')],
  })
})
