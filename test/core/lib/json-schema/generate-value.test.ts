/** Values made from schemas: valid in the eyes of ajv, seeded, readable, and safe to print. */
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { generateValue } from '../../../../src/core/lib/json-schema/generate/generate-value.ts'
import { validate } from '../../../../src/core/lib/json-schema/validate.ts'
import { Random } from '../../../../src/core/lib/random/random.ts'
import { keywordSchemas } from './corpus-keywords.ts'
import { draft7Schemas, looseSchemas, strictObject, strictSchemas } from './corpus-shapes.ts'
import { uncertain, unsatisfiable } from './corpus-unsatisfiable.ts'

const SEEDS = Array.from({ length: 12 }, (_, index) => `seed ${index}`)

const OPTIONS = { strict: false, logger: false, ownProperties: true } as const
const modern = ajvFormats.default(new Ajv2020(OPTIONS) as never) as unknown as Ajv2020
const older = ajvFormats.default(new Ajv(OPTIONS))

function sampleOf(schema: unknown, seed: string): unknown {
  const made = generateValue(schema, new Random(seed))
  if ('problem' in made) throw new Error(`${made.problem} (${made.path})`)
  return JSON.parse(JSON.stringify(made.value))
}

function expectValid(schema: unknown, isValid: ValidateFunction): void {
  for (const seed of SEEDS) {
    const value = sampleOf(schema, seed)
    expect(isValid(value), `${JSON.stringify(value)}: ${JSON.stringify(isValid.errors)}`).toBe(true)
    expect(validate(schema, value).problem).toBeUndefined()
  }
}

test.each(Object.entries({ ...keywordSchemas, ...strictSchemas, ...looseSchemas }))('valid: %s', (_, schema) => {
  expectValid(schema, modern.compile(schema as object))
})

test.each(Object.entries(draft7Schemas))('valid in draft 7: %s', (_, schema) => {
  expectValid(schema, older.compile(schema as object))
})

test.each(unsatisfiable)('a problem with its reason: %s', (name, schema, problem, path) => {
  for (const seed of SEEDS.slice(0, 3)) {
    const made = generateValue(schema, new Random(seed))
    if (!uncertain.has(name)) expect(made).toEqual({ problem: expect.stringMatching(problem), path })
    else {
      const note = new RegExp(`^the answer may violate its schema: .*${problem.source}.* \\(at ${path}\\)$`)
      expect(made).toEqual({ value: expect.anything(), notes: [expect.stringMatching(note)] })
    }
  }
})

test.each([
  ['not beside a pattern', { pattern: '^[a-z]+$', not: { pattern: '[aeiou]' } }],
  ['not beside letters', { not: { pattern: '[a-z]' } }],
  ['not with a length', { not: { anyOf: [{ minLength: 9 }, { maxLength: 7 }] } }],
  ['one of two lengths', { oneOf: [{ minLength: 40 }, { minLength: 10 }] }],
  ['an email of a domain', { format: 'email', pattern: '@acme\\.com$' }],
  ['an ipv4 of a network', { format: 'ipv4', pattern: '^10\\.' }],
  ['a date of a year', { format: 'date', pattern: '^1999-' }],
  ['a time with an offset', { format: 'time', pattern: '\\+\\d\\d:00$' }],
  ['a host of a domain', { format: 'hostname', pattern: '\\.acme\\.com$', maxLength: 13 }],
  ['an email of a domain, within lengths', { format: 'email', pattern: '^[^@]+@acme\\.(com|org)$', maxLength: 100 }],
  ['an email of example.com', { format: 'email', pattern: '^[a-z]+@example\\.com$' }],
  ['a pattern without some values', { pattern: '^[A-E]$', not: { enum: ['A', 'B', 'C', 'D'] } }],
  ['a pattern without another', { pattern: '^v\\d$', not: { pattern: '[0-8]' } }],
  ['two patterns', { allOf: [{ pattern: '^\\D*$' }, { pattern: '^(?:--\\.- G|other\\d+)$' }] }],
])('a text that the usual ones do not fit: %s', (_, rules) =>
  expectValid({ type: 'string', ...rules }, modern.compile(rules)),
)

const three = { type: 'array', minItems: 3, uniqueItems: true }
const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false })

test.each([
  ['objects without a property', { ...three, items: { type: 'object' } }],
  [
    'objects with a constant',
    { ...three, items: { type: 'object', properties: { a: { const: 1 } }, required: ['a'] } },
  ],
  ['objects with optional constants', { ...three, items: closed({ a: { const: 1 }, b: { const: 2 } }) }],
  ['objects in lists', { ...three, items: { type: 'array', items: closed({ a: { const: 1 } }), minItems: 1 } }],
  ['all of three values', { ...three, items: { enum: ['a', 'b', null] } }],
  ['all of two flags', { ...three, minItems: 2, items: { type: 'boolean' } }],
  [
    'objects of two flags',
    { ...three, minItems: 4, items: strictObject({ a: { type: 'boolean' }, b: { type: 'boolean' } }) },
  ],
  ['all of three numbers', { ...three, items: { type: 'integer', minimum: 1, maximum: 3 } }],
  ['all of 60 numbers', { ...three, minItems: 60, items: { type: 'integer', minimum: 1, maximum: 60 } }],
])('items that differ: %s', (_, schema) => expectValid(schema, modern.compile(schema)))

test.each([
  { type: 'integer', minimum: 1, maximum: 10, not: { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] } },
  { type: 'number', minimum: 0, maximum: 1, not: { const: 0 } },
  { type: 'integer', minimum: -2, maximum: 2, not: { minimum: -1 } },
])('a number that not leaves: %o', (schema) => expectValid(schema, modern.compile(schema)))

test.each(['^(a|b)\\1$', 'a(?<!b)c', 'a{1,2000}'])(
  'a pattern that is not supported is named in a note: %s',
  (pattern) => {
    const note = ['the answer may violate these keywords of its schema: pattern']
    expect(generateValue({ type: 'string', pattern }, new Random('1'))).toEqual({
      value: expect.any(String),
      notes: note,
    })
    const named = { type: 'object', patternProperties: { [pattern]: { type: 'integer' } }, required: ['a'] }
    expect(generateValue(named, new Random('1'))).toMatchObject({
      notes: [note[0]?.replace('pattern', 'patternProperties')],
    })
  },
)

test('the only alternative that has a value is found at any depth', () => {
  const no = (length: number) => ({ minLength: length, maxLength: length - 1 })
  const deep = { anyOf: [no(1), no(2), no(3), { anyOf: [no(4), no(5), { const: 'here' }] }] }
  const schema = { type: 'string', anyOf: [no(6), deep, no(7), no(8)] }
  for (const seed of SEEDS) expect(sampleOf(schema, seed)).toBe('here')
})

test('a value that is not valid keeps all that is', () => {
  const schema = {
    type: 'object',
    properties: { n: { const: 5 }, s: { type: 'string', not: {}, maxLength: 3 } },
    required: ['n'],
  }
  const impossible = {
    ...schema,
    required: ['n', 's'],
    properties: { ...schema.properties, s: { type: 'string', not: { type: 'string' } } },
  }
  expect(generateValue(schema, new Random('1'))).toEqual({ value: { n: 5 }, notes: [] })
  expect(generateValue(impossible, new Random('1'))).toEqual({
    value: { n: 5, s: expect.any(String) },
    notes: [
      "the answer may violate its schema: no valid value found: $ matches what 'not' excludes (at #/properties/s)",
    ],
  })
})

test('a value with many parts keeps those that are valid', () => {
  const flags = { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'boolean' } }
  const names = Array.from({ length: 100 }, (_, index) => `p${index}`)
  const properties = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? flags : { const: index }]))
  const made = generateValue({ type: 'object', properties, required: names }, new Random('1'))
  expect(made).toMatchObject({ value: { p0: expect.any(Array), p98: expect.any(Array), p99: 99 } })
})

test('keywords of a schema that the value has nothing to do with are not named', () => {
  const unused = { type: 'array', contains: { const: 1 } }
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', minItems: 1, contains: {}, minProperties: 1, if: {} }, b: unused },
    required: ['a'],
    not: { required: ['b'] },
    $defs: { unused },
  }
  expect(generateValue(schema, new Random('1'))).toMatchObject({ value: { a: expect.any(String) }, notes: [] })
})

test('a value that is not a schema is a problem', () => {
  for (const schema of [undefined, null, 5, 'text', []]) {
    const got = Array.isArray(schema) ? 'a list' : JSON.stringify(schema)
    expect(generateValue(schema, new Random('1'))).toEqual({
      problem: `a schema must be an object, true or false, got ${got}`,
      path: '#',
    })
  }
})

test('the same seed generates the same value', () => {
  for (const schema of Object.values({ ...keywordSchemas, ...strictSchemas, ...looseSchemas })) {
    expect(sampleOf(schema, 'again')).toEqual(sampleOf(schema, 'again'))
  }
})

test('seeded values are pinned: a change of them is a breaking change', () => {
  const pinned = ['a calendar event', 'a linked list', 'a query function', 'bounds of every kind'].map((name) =>
    JSON.stringify(sampleOf(strictSchemas[name], 'pinned')),
  )
  expect(pinned).toMatchInlineSnapshot(`
    [
      "{"name":"Grace Ito","date":"2024-02-09","participants":["a small participant","a quiet participant","a simple participant"]}",
      "{"linked_list":{"value":59.7,"next":{"value":12.7,"next":null}}}",
      "{"table_name":"orders","columns":["id","ordered_at","status"],"conditions":[{"column":"a simple column","operator":"<","value":64.6}],"order_by":"desc"}",
      "{"username":"@sT3NYhK","email":"notebook@example.com","score":0.9,"sides":[81,49,24],"tag":"v1"}",
    ]
  `)
})

test('different seeds generate different values', () => {
  const schema = strictSchemas['a calendar event']
  expect(new Set(SEEDS.map((seed) => JSON.stringify(sampleOf(schema, seed)))).size).toBe(SEEDS.length)
})

test('an order of properties is the order of the schema', () => {
  const schema = strictObject({ zebra: { type: 'null' }, apple: { type: 'null' }, mango: { type: 'null' } })
  expect(JSON.stringify(sampleOf(schema, '1'))).toBe('{"zebra":null,"apple":null,"mango":null}')
})

test('the name of a property decides what its value looks like', () => {
  const names = ['email', 'website', 'birthday', 'createdAt', 'user_id', 'age', 'latitude', 'price']
  const types = { age: 'integer', latitude: 'number', price: 'number' } as Record<string, string>
  const schema = strictObject(Object.fromEntries(names.map((name) => [name, { type: types[name] ?? 'string' }])))
  for (const seed of SEEDS) {
    expect(sampleOf(schema, seed)).toEqual({
      email: expect.stringMatching(/^\w+@example\.com$/),
      website: expect.stringMatching(/^https:\/\/example\.com\/\w+$/),
      birthday: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/),
      user_id: expect.stringMatching(/^user_\w{8}$/),
      age: expect.toSatisfy((age: number) => age >= 18 && age <= 80),
      latitude: expect.toSatisfy((latitude: number) => Math.abs(latitude) <= 90),
      price: expect.toSatisfy((price: number) => price > 0 && Number(price.toFixed(2)) === price),
    })
  }
})

test('lists are short, null is rare, and recursion ends soon', () => {
  const words = SEEDS.map((seed) => sampleOf({ type: 'array', items: { type: 'string' } }, seed) as string[])
  expect(words.every(({ length }) => length >= 1 && length <= 3)).toBe(true)
  const nullable = SEEDS.map((seed) => sampleOf({ type: ['string', 'null'] }, seed))
  expect(nullable.filter((value) => value === null).length).toBeLessThan(SEEDS.length / 2)
  for (const name of ['a user interface, recursive by its root', 'a linked list', 'a binary tree']) {
    for (const seed of SEEDS) expect(JSON.stringify(sampleOf(strictSchemas[name], seed)).length).toBeLessThan(4000)
  }
})

test('an object has a share of its optional properties', () => {
  const schema = { type: 'object', properties: { a: {}, b: {}, c: {}, d: {} }, required: ['a'] }
  expect(new Set(SEEDS.map((seed) => Object.keys(sampleOf(schema, seed) as object).length)).size).toBeGreaterThan(1)
})

test('a property called __proto__ is printed, and the prototype stays what it was', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"const":{"polluted":1}}},"required":["__proto__"]}',
  )
  const made = generateValue(schema, new Random('1'))
  expect(JSON.stringify(made)).toBe('{"value":{"__proto__":{"polluted":1}},"notes":[]}')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('keywords that are not simulated are named in a note', () => {
  const items = { type: 'array', items: { type: 'integer' }, contains: { const: 1 }, minContains: 2 }
  const schema = { type: 'object', properties: { items }, dependentRequired: { a: ['b'] } }
  expect(generateValue(schema, new Random('1'))).toMatchObject({
    notes: ['the answer may violate these keywords of its schema: contains, dependentRequired, minContains'],
  })
})

test.each([{ if: { required: ['a'] }, else: false }, { minProperties: 2 }, { maxProperties: 0 }])(
  'a keyword of rare schemas is named in a note and not followed: %o',
  (rare) => {
    const schema = { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'], ...rare }
    expect(generateValue(schema, new Random('1'))).toEqual({
      value: { a: expect.any(Boolean) },
      notes: [`the answer may violate these keywords of its schema: ${Object.keys(rare)[0]}`],
    })
    expect(validate(schema, { a: true }).problem).toBeUndefined()
  },
)

test('the schema is left as it was', () => {
  for (const schema of Object.values({ ...keywordSchemas, ...looseSchemas })) {
    const before = JSON.stringify(schema)
    generateValue(schema, new Random('1'))
    expect(JSON.stringify(schema)).toBe(before)
  }
})
