/** Satisfiable schemas, keyword by keyword, each under a name that says what is odd about it. */
import { scalarSchemas } from './corpus-scalars.ts'

const text = { type: 'string' }
const integer = (more: object) => ({ type: 'integer', ...more })
const list = (more: object) => ({ type: 'array', ...more })
const choose = (...names: string[]) => names.map((name) => ({ required: [name] }))

export const keywordSchemas: Readonly<Record<string, unknown>> = {
  ...scalarSchemas,

  'items: texts': list({ items: text }),
  'items: bounds': list({ items: { type: 'integer' }, minItems: 5, maxItems: 5 }),
  'items: none allowed': list({ maxItems: 0, items: text }),
  'items: false': list({ items: false }),
  'items: can never be': list({ items: { type: 'string', minLength: 5, maxLength: 2 } }),
  'items: 200': list({ items: { type: 'boolean' }, minItems: 200 }),
  'uniqueItems: booleans': list({ items: { type: 'boolean' }, minItems: 2, uniqueItems: true }),
  'uniqueItems: all of an enum': list({
    items: { enum: ['a', 'b', 'c', 'd', 'e', 'f'] },
    minItems: 6,
    uniqueItems: true,
  }),
  'uniqueItems: a small range': list({ items: integer({ minimum: 1, maximum: 10 }), minItems: 10, uniqueItems: true }),
  'uniqueItems: objects': list({
    items: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'], additionalProperties: false },
    minItems: 2,
    uniqueItems: true,
  }),
  'uniqueItems: 50 tags': {
    type: 'object',
    properties: { tags: list({ items: text, minItems: 50, uniqueItems: true }) },
    required: ['tags'],
  },
  'prefixItems: closed': list({ prefixItems: [text, { type: 'number' }], items: false, minItems: 2 }),
  'prefixItems: open': list({ prefixItems: [{ const: 'a' }, { const: 2 }], items: { type: 'boolean' }, minItems: 4 }),
  'prefixItems: shorter by maxItems': list({ prefixItems: [text, text, text], maxItems: 1 }),
  'prefixItems: the second can never be': list({ prefixItems: [text, false] }),

  'properties: optional ones': { type: 'object', properties: { city: text, country: text, zip: text } },
  'properties: one can never be': { type: 'object', properties: { a: text, b: false } },
  'properties: names of Object.prototype': JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":{"type":"boolean"},"hasOwnProperty":{"type":"null"}},"required":["__proto__","constructor","toString","hasOwnProperty"]}',
  ),
  'properties: an empty name': { type: 'object', properties: { '': { type: 'integer' } }, required: [''] },
  'properties: names that look like paths': {
    type: 'object',
    properties: { 'a/b': text, 'c~d': text, $ref: text },
    required: ['a/b', 'c~d', '$ref'],
  },
  'required: not among the properties': { type: 'object', required: ['city', 'count'] },
  'additionalProperties: a map of numbers': { type: 'object', additionalProperties: { type: 'number' } },
  'additionalProperties: apply to a required one': {
    type: 'object',
    required: ['x'],
    additionalProperties: { const: 1 },
  },
  patternProperties: {
    type: 'object',
    patternProperties: { '^x_': { type: 'integer' } },
    additionalProperties: false,
  },
  'patternProperties: on a named property': {
    type: 'object',
    properties: { x_one: { minimum: 5 } },
    patternProperties: { '^x_': { type: 'integer' } },
    required: ['x_one'],
  },
  'propertyNames: a pattern': {
    type: 'object',
    propertyNames: { pattern: '^[a-z]{2}$' },
    additionalProperties: text,
  },
  'propertyNames: an enum': {
    type: 'object',
    propertyNames: { enum: ['en', 'fr', 'de'] },
    additionalProperties: text,
    required: ['fr'],
  },
  'propertyNames: excludes an optional property': {
    type: 'object',
    properties: { a: text, LONG: text },
    propertyNames: { maxLength: 1 },
  },

  'allOf: bounds from both': { allOf: [{ type: 'integer', minimum: 10 }, { maximum: 12 }] },
  'allOf: properties from both': {
    allOf: [
      { type: 'object', properties: { a: text }, required: ['a'] },
      { properties: { b: { type: 'integer' } }, required: ['b'] },
    ],
  },
  'allOf: the same property twice': {
    allOf: [
      { type: 'object', properties: { a: { minimum: 3 } }, required: ['a'] },
      { properties: { a: { type: 'integer', maximum: 4 } } },
    ],
  },
  'allOf: types that overlap': { allOf: [{ type: ['string', 'number'] }, { type: ['number', 'null'] }] },
  'anyOf: text or number': { anyOf: [text, { type: 'number' }] },
  'anyOf: only the last is possible': {
    type: 'object',
    anyOf: [false, { type: 'string' }, { required: ['a'], properties: { a: false } }, { required: ['b'] }],
  },
  'anyOf: with a sibling that decides': {
    type: 'integer',
    minimum: 100,
    anyOf: [{ maximum: 5 }, { maximum: 50 }, { maximum: 105 }],
  },
  'anyOf: within allOf': { allOf: [{ anyOf: [{ const: 1 }, { const: 2 }] }, { anyOf: [{ const: 2 }, { const: 3 }] }] },
  'oneOf: tagged objects': {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
        required: ['kind', 'lives'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'dog' }, tricks: list({ items: text }) },
        required: ['kind', 'tricks'],
      },
    ],
  },
  'oneOf: exactly one of three properties': {
    type: 'object',
    properties: { a: text, b: text, c: text },
    additionalProperties: false,
    oneOf: choose('a', 'b', 'c'),
  },
  'oneOf: numbers that overlap': { type: 'integer', oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }] },
  'not: a type': { not: { type: 'string' } },
  'not: a value': { type: 'boolean', not: { const: true } },
  'not: most of an enum': { enum: ['a', 'b', 'c', 'd'], not: { enum: ['a', 'b', 'c'] } },
  'not: an integer': { type: 'number', not: { type: 'integer' } },
  'not: a required property': { type: 'object', properties: { a: text, b: text }, not: { required: ['a'] } },
  'not: not': { not: { not: { type: 'integer', minimum: 40 } } },
  'not: a property with a value': {
    type: 'object',
    properties: { mode: { enum: ['on', 'off'] } },
    required: ['mode'],
    not: { properties: { mode: { const: 'off' } } },
  },
  'not: an array of numbers only': {
    type: 'array',
    items: { type: ['number', 'string'] },
    not: { items: { type: 'number' } },
  },
  'default: used': { type: 'object', properties: { unit: { type: 'string', default: 'metric' } }, required: ['unit'] },
  'default: not valid, so not used': {
    type: 'object',
    properties: { count: { type: 'integer', default: 'many' } },
    required: ['count'],
  },
  'examples: used': {
    type: 'object',
    properties: { station: { type: 'string', examples: ['Gare du Nord'] } },
    required: ['station'],
  },
}
