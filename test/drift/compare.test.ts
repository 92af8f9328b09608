/** The comparison behind `npm run drift`, without the registry. */
import { expect, test } from 'vitest'
import { compareShapes } from '../../scripts/drift/compare.ts'
import { type JsonSchema, shapeOfFields, shapeOfSchema, shapeOfValues } from '../../scripts/drift/shape.ts'
import {
  arrayOf,
  dictionary,
  either,
  integer,
  object,
  oneOf,
  text,
  variant,
} from '../../src/core/protocol/request/field-checks.ts'

const TIERS = oneOf('auto', 'flex')
const PART = variant('type', { text: { text: text() }, image: { url: text() } })

const properties = (fields: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties: fields })

const differences = (published: JsonSchema, ours: Parameters<typeof shapeOfFields>[0]): string[] =>
  compareShapes(shapeOfSchema(published), shapeOfFields(ours)).map(
    ({ path, onlyIn, what }) => `${onlyIn} ${path}: ${what}`,
  )

test.each<[fact: string, published: JsonSchema, ours: Parameters<typeof shapeOfFields>[0], expected: string[]]>([
  ['the same fields', properties({ n: { anyOf: [{ type: 'number' }, { type: 'null' }] } }), { n: integer() }, []],
  [
    'a new field',
    properties({ n: { type: 'number' }, seed: { type: 'number' } }),
    { n: integer() },
    ['published seed: field'],
  ],
  [
    'a field that is gone',
    properties({ n: { type: 'number' } }),
    { n: integer(), seed: integer() },
    ['mock seed: field'],
  ],
  [
    'another kind',
    properties({ n: { type: 'string' } }),
    { n: integer() },
    ['published n: kind string', 'mock n: kind number'],
  ],
  [
    'other texts',
    properties({ tier: { type: 'string', enum: ['auto', 'scale'] } }),
    { tier: TIERS },
    ['published tier: "scale"', 'mock tier: "flex"'],
  ],
  [
    'texts of which any is possible',
    properties({ tier: { anyOf: [{ type: 'string' }, { const: 'a' }] } }),
    { tier: text() },
    [],
  ],
  [
    'a field of an object in an array',
    properties({
      parts: { type: 'array', items: { anyOf: [properties({ type: { type: 'string', const: 'text' } })] } },
    }),
    { parts: either(text(), arrayOf(PART, 'objects')) },
    ['mock parts: kind string', 'mock parts[].type: "image"', 'mock parts[].text: field', 'mock parts[].url: field'],
  ],
  [
    'the values of an object with any keys',
    properties({ metadata: { type: 'object', additionalProperties: { type: 'number' } } }),
    { metadata: dictionary(text(), { maxKeys: 1, maxKeyLength: 1 }) },
    ['published metadata[]: kind number', 'mock metadata[]: kind string'],
  ],
  ['an object of any shape', properties({ schema: { type: 'object' } }), { schema: object({ a: text() }) }, []],
])('%s', (_, published, ours, expected) => {
  expect(differences(published, ours)).toEqual(expected)
})

test('answers show fields that the types do not have', () => {
  const published = shapeOfSchema(
    properties({ id: { type: 'string' }, data: { type: 'array', items: properties({}) } }),
  )
  const answers = shapeOfValues([
    { id: 'a', data: [{ index: 0 }] },
    { id: 'b', extra: null },
  ])
  expect(compareShapes(published, answers)).toEqual([{ path: 'extra', onlyIn: 'mock', what: 'field' }])
})
