/** What `strict: true` refuses, in the service's own words. */
import { expect, test } from 'vitest'
import { checkSchema } from '../../../../src/core/lib/json-schema/strict-mode.ts'
import { strictObject, strictSchemas } from './corpus-shapes.ts'

const text = { type: 'string' }
const refusal = (schema: unknown): string | undefined => checkSchema(schema, { isStrict: true })
const refusalIn = (schema: unknown): string | undefined => refusal(strictObject({ x: schema }))

test.each(Object.entries(strictSchemas))('accepted: %s', (_, schema) => {
  expect(checkSchema(schema, { isStrict: true })).toBeUndefined()
})

test('descriptions, titles, defaults and unknown keywords are accepted', () => {
  const documented = { type: 'integer', title: 'X', description: 'An x', default: 5, 'x-order': 1 }
  expect(
    refusal(strictObject({ x: documented }, { $schema: 'https://json-schema.org/draft/2020-12/schema' })),
  ).toBeUndefined()
})

test('the root is an object, and nothing else', () => {
  const message = (type: string): string => `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`
  expect(refusal({ type: 'array', items: text })).toBe(message('array'))
  expect(refusal({ anyOf: [strictObject({})] })).toBe(message('None'))
  expect(refusal({ $ref: '#/$defs/a', $defs: { a: strictObject({}) } })).toBe(message('None'))
  expect(refusal({ type: ['object', 'null'] })).toBe(message("['object', 'null']"))
  expect(refusal(true)).toBe(message('None'))
  expect(refusal(strictObject({}, { anyOf: [strictObject({})] }))).toBe(
    "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
  )
})

test('every object needs additionalProperties: false', () => {
  const tail = "'additionalProperties' is required to be supplied and to be false."
  expect(refusal({ type: 'object', properties: {}, required: [] })).toBe(`In context=(), ${tail}`)
  expect(refusalIn({ type: 'object', properties: {}, additionalProperties: true })).toBe(
    `In context=('properties', 'x'), ${tail}`,
  )
  expect(refusalIn({ type: 'array', items: { type: ['object', 'null'] } })).toBe(
    `In context=('properties', 'x', 'items'), ${tail}`,
  )
})

test('every property is required, and every required one is a property', () => {
  const head = "'required' is required to be supplied and to be an array including every key in properties."
  const closed = { type: 'object', properties: { a: text, b: text }, additionalProperties: false }
  expect(refusal({ ...closed, required: ['a'] })).toBe(`In context=(), ${head} Missing 'b'.`)
  expect(refusal(closed)).toBe(`In context=(), ${head} Missing 'a'.`)
  expect(refusal({ ...closed, required: ['a', 'b', 'c'] })).toBe(
    `In context=(), ${head} Extra required key 'c' supplied.`,
  )
  expect(refusalIn({ anyOf: [text, { ...closed, required: null }] })).toBe(
    `In context=('properties', 'x', 'anyOf', '1'), ${head} Missing 'a'.`,
  )
})

test('definitions are checked too', () => {
  expect(
    refusal(strictObject({ x: { $ref: '#/$defs/d' } }, { $defs: { d: { type: 'object', properties: {} } } })),
  ).toBe("In context=('$defs', 'd'), 'additionalProperties' is required to be supplied and to be false.")
})

test.each(['allOf', 'oneOf', 'not', 'if', 'dependentRequired', 'patternProperties', 'propertyNames', 'uniqueItems'])(
  "'%s' is not permitted",
  (keyword) => {
    expect(refusalIn({ type: 'string', [keyword]: {} })).toBe(
      `In context=('properties', 'x'), '${keyword}' is not permitted.`,
    )
  },
)

test('a type is required, an array needs items, and a format is one of nine', () => {
  expect(refusalIn({ description: 'anything' })).toBe("In context=('properties', 'x'), schema must have a 'type' key.")
  expect(refusalIn(true)).toBe("In context=('properties', 'x'), schema must have a 'type' key.")
  expect(refusalIn({ type: 'array' })).toBe("In context=('properties', 'x'), array schema missing items.")
  expect(refusalIn({ type: 'object', additionalProperties: false })).toBe(
    "In context=('properties', 'x'), object schema missing properties.",
  )
  expect(refusalIn({ type: 'string', format: 'uri' })).toBe(
    "In context=('properties', 'x'), 'uri' is not a valid format.",
  )
})

test('a reference has no other keywords beside it and points to a definition', () => {
  const definitions = { $defs: { d: text } }
  const refuse = (x: object): string | undefined => refusal(strictObject({ x, y: text }, definitions))
  expect(refuse({ $ref: '#/$defs/d', description: 'A d' })).toBe(
    "In context=('properties', 'x'), $ref cannot have keywords {'description'}.",
  )
  expect(refuse({ $ref: '#/properties/y' })).toBe(
    "In context=('properties', 'x'), reference can only point to definitions defined at the top level of the schema.",
  )
  expect(refuse({ $ref: '#/$defs/e' })).toBe(
    "In context=('properties', 'x'), reference to component '#/$defs/e' which was not found in the schema.",
  )
})

test('the totals are limited', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, text]))
  expect(refusal(strictObject(names(5000)))).toBeUndefined()
  expect(refusal(strictObject(names(5001)))).toMatch(
    /^Expected at most 5000 object properties in total .* received 5001\./,
  )
  const values = (count: number) => ({ type: 'string', enum: Array.from({ length: count }, (_, i) => `v${i}`) })
  expect(refusal(strictObject({ a: values(500), b: values(500) }))).toBeUndefined()
  expect(refusal(strictObject({ a: values(500), b: values(501) }))).toBe(
    'Expected at most 1000 enum values in total within a single schema when using structured outputs, but received 1001. ' +
      "Consider reducing the number of enums, or use 'strict: false' to opt out of structured outputs.",
  )
  expect(refusal(strictObject({ ['n'.repeat(120_001)]: text }))).toMatch(/^Expected at most 120000 characters/)
  const long = { type: 'string', enum: Array.from({ length: 251 }, (_, i) => `${i}${'x'.repeat(60)}`) }
  expect(refusalIn(long)).toMatch(/^Expected at most 15000 characters in an enum of more than 250 values/)
})

test('ten levels of objects are accepted, eleven are not', () => {
  const levels = (count: number): unknown =>
    Array.from({ length: count }).reduce<unknown>((inner) => strictObject({ inner }), text)
  expect(refusal(levels(10))).toBeUndefined()
  expect(refusal(levels(11))).toBe('11 levels of nesting exceeds limit of 10.')
})
