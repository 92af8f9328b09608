/** Any satisfiable schema: ajv accepts what is made of it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateValue } from '../../../../src/core/lib/json-schema/generate/generate-value.ts'
import { validate } from '../../../../src/core/lib/json-schema/validate.ts'
import { Random } from '../../../../src/core/lib/random/random.ts'

// Compiling a schema is what takes ajv its time.
const RUNS = 300
const TIMEOUT_MS = 60_000
const FORMATS = ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'uri']
const PATTERNS = ['^[a-z]+$', '^\\d{3}-[A-Z]{2}$', 'x', '^(a|bc)*$', '[^\\s]{2,}']
// ajv takes neither an empty name nor __proto__ for a property that can be missing.
const NAMES = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__')
// ajv compares objects by calling what they have under these names.
const json = (maxDepth: number) =>
  fc
    .jsonValue({ maxDepth })
    .filter((value) => !/"(?:toString|valueOf|constructor|__proto__)":/.test(JSON.stringify(value)))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const without = (schema: object): object =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))

// With own properties only: else ajv takes the inherited toString for a property of every object.
const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true })
ajvFormats.default(ajv as never)

/** Two bounds in their order, each of which may be absent. */
const bounds = (low: string, high: string, number: fc.Arbitrary<number>) =>
  fc
    .tuple(optional(number), optional(fc.nat(20)))
    .map(([least, more]) => ({ [low]: least, [high]: more === undefined ? undefined : (least ?? 0) + more }))

const scalar = fc.oneof(
  fc.constant({ type: 'null' }),
  fc.constant({ type: 'boolean' }),
  bounds('minLength', 'maxLength', fc.nat(40)).map((lengths) => ({ type: 'string', ...lengths })),
  fc.constantFrom(...FORMATS).map((format) => ({ type: 'string', format })),
  fc.constantFrom(...PATTERNS).map((pattern) => ({ type: 'string', pattern })),
  bounds('minimum', 'maximum', fc.integer({ min: -1e6, max: 1e6 })).map((range) => ({ type: 'integer', ...range })),
  bounds('minimum', 'maximum', fc.double({ min: -1000, max: 1000, noNaN: true })).map((range) => ({
    type: 'number',
    ...range,
  })),
  fc.constantFrom(2, 0.5, 0.25, 7, 100).map((multipleOf) => ({ type: 'number', multipleOf })),
  fc.uniqueArray(json(1), { minLength: 1, maxLength: 5 }).map((values) => ({ enum: values })),
  json(2).map((value) => ({ const: value })),
)

const schemas = fc.letrec<{ schema: object; array: object; tuple: object; object: object; fork: object; all: object }>(
  (tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      scalar,
      tie('array'),
      tie('tuple'),
      tie('object'),
      tie('fork'),
      tie('all'),
    ),
    array: fc
      .tuple(tie('schema'), bounds('minItems', 'maxItems', fc.nat(4)))
      .map(([items, lengths]) => ({ type: 'array', items, ...lengths })),
    tuple: fc
      .tuple(fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([prefixItems, isOpen]) => ({ type: 'array', prefixItems, ...(isOpen ? {} : { items: false }) })),
    object: fc
      .tuple(fc.dictionary(NAMES, tie('schema'), { maxKeys: 4 }), fc.func(fc.boolean()), fc.boolean())
      .map(([properties, isRequired, isOpen]) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).filter((name) => isRequired(name)),
        ...(isOpen ? {} : { additionalProperties: false }),
      })),
    fork: fc
      .tuple(fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), tie('schema'))
      .map(([anyOf, other]) => ({ anyOf: [...anyOf, other] })),
    // The second part only repeats what the first allows, so that there is a value.
    all: tie('schema').map((schema) => ({ allOf: [schema, { anyOf: [schema, { type: 'null' }] }] })),
  }),
)

test('ajv accepts every generated value', { timeout: TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(schemas.schema, fc.string(), (loose, seed) => {
      const schema = JSON.parse(JSON.stringify(without(loose)))
      const made = generateValue(schema, new Random(seed))
      if ('problem' in made) throw new Error(`${made.problem} (${made.path})`)
      const isValid = ajv.compile(schema)
      expect(isValid(JSON.parse(JSON.stringify(made.value))), JSON.stringify(isValid.errors)).toBe(true)
      expect(validate(schema, made.value).problem).toBeUndefined()
    }),
    { numRuns: RUNS },
  )
})

test('the validator and ajv agree on values that were not made for the schema', { timeout: TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(schemas.schema, json(3), (loose, other) => {
      const schema = JSON.parse(JSON.stringify(without(loose)))
      // Of very large and very small numbers ajv can't tell the multiples.
      const value = JSON.parse(JSON.stringify(other), (_, part) =>
        typeof part === 'number' ? Math.round((part % 1e6) * 1e6) / 1e6 : part,
      )
      expect(validate(schema, value).problem === undefined).toBe(ajv.compile(schema)(value))
    }),
    { numRuns: RUNS },
  )
})

test('any JSON object at all is a schema or a problem, never an exception', { timeout: TIMEOUT_MS }, () => {
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'items',
    'anyOf',
    'not',
    'enum',
    '$ref',
    'required',
    'pattern',
    'minimum',
  )
  const wild = fc.dictionary(keyword, fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(wild, (schema) => {
      expect(Object.keys(generateValue(schema, new Random('1')))[0]).toMatch(/^(?:value|problem)$/)
      validate(schema, {})
    }),
    { numRuns: 1000 },
  )
})
