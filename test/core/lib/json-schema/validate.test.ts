/** The validator: verdicts, messages and annotations. */
import { expect, test } from 'vitest'
import { validate } from '../../../../src/core/lib/json-schema/validate.ts'

test('a valid value has no error', () => {
  expect(validate({ type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }).problem).toBeUndefined()
  expect(validate(true, 'anything').problem).toBeUndefined()
})

test.each<[string, unknown, unknown]>([
  ['$ is not of type integer or null', { type: ['integer', 'null'] }, 1.5],
  ['$ is not one of the values of its enum', { enum: ['a'] }, 'b'],
  ['$ is not the value of its const', { const: { a: 1 } }, { a: 2 }],
  ['$ is below 1', { type: 'integer', minimum: 1 }, 0],
  ['$ is not above 1', { exclusiveMinimum: 1 }, 1],
  ['$ is not a multiple of 0.1', { multipleOf: 0.1 }, 0.25],
  ['$ is shorter than 2', { minLength: 2 }, '😀'],
  ['$ does not match the pattern ^a', { pattern: '^a' }, 'b'],
  ['$ is not of the format date', { format: 'date' }, '2026-02-29'],
  ["$ lacks the required property 'a'", { required: ['a'] }, {}],
  ['$.a.b is not of type string', { properties: { a: { properties: { b: { type: 'string' } } } } }, { a: { b: 1 } }],
  ['$[1] is not of type string', { items: { type: 'string' } }, ['a', 1]],
  ['$.b is not allowed', { properties: { a: true }, additionalProperties: false }, { a: 1, b: 2 }],
  ['the name of $.ab is longer than 1', { propertyNames: { maxLength: 1 } }, { ab: 1 }],
  [
    '$ has equal items',
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ],
  ['$ matches none of anyOf ($ is not of type string)', { anyOf: [{ type: 'string' }, false] }, 1],
  ['$ matches more than one of oneOf', { oneOf: [true, {}] }, 1],
  ["$ matches what 'not' excludes", { not: { type: 'null' } }, null],
  ["the schema can't be used: reference '#/x' points to nothing in this schema (at #)", { $ref: '#/x' }, 1],
  [
    "the schema can't be used: 'type' must be one of null, boolean, number, integer, string, array, object, or a list of them, got \"text\" (at #/items)",
    { items: { type: 'text' } },
    [],
  ],
  ["the schema can't be used: a schema must be an object, true or false, got 5 (at #)", 5, 1],
])('%s', (error, schema, value) => {
  expect(validate(schema, value).problem).toBe(error)
})

test('a multiple is one in decimals', () => {
  expect(validate({ multipleOf: 0.1 }, 0.3).problem).toBeUndefined()
  expect(validate({ multipleOf: 0.01 }, 19.99).problem).toBeUndefined()
  expect(validate({ multipleOf: 1e-8 }, 12_391_239_123).problem).toBeUndefined()
})

test('an unknown format and an unknown keyword are ignored', () => {
  expect(validate({ format: 'colour', 'x-unit': 'mm' }, 'blue').problem).toBeUndefined()
})

test('a recursive schema is followed as deep as the value', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
  expect(validate(schema, { next: { next: {} } }).problem).toBeUndefined()
  expect(validate(schema, { next: { nxet: {} } }).problem).toBe('$.next.nxet is not allowed')
})
