/** Random schemas that have a value: each is derived from a random value, so that at least this value is valid. */
import fc from 'fast-check'

type Schema = { readonly [keyword: string]: unknown }
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const FORMATTED: Readonly<Record<string, readonly string[]>> = {
  date: ['2025-03-17', '1999-12-31', '2024-02-29'],
  'date-time': ['2025-03-17T09:05:00Z', '2031-01-01T23:59:59.25+02:00'],
  duration: ['P3D', 'PT45M', 'P1Y2M3DT4H'],
  email: ['ada@acme.com', 'no-reply@mail.example.org', 'x.y+z@a.io'],
  hostname: ['api.acme.com', 'localhost', 'db-1.internal'],
  ipv4: ['10.0.0.7', '127.0.0.1', '203.0.113.255'],
  ipv6: ['fe80::1', '2001:db8::ff00:42:8329'],
  time: ['09:30:00Z', '23:15:59+01:00'],
  uri: ['https://acme.com/a?b=c#d', 'urn:isbn:0451450523', 'mailto:ada@acme.com'],
  uuid: ['123e4567-e89b-42d3-a456-426614174000'],
}
const FORMAT_OF = new Map(Object.entries(FORMATTED).flatMap(([format, texts]) => texts.map((text) => [text, format])))
const NAMES = ['id', 'name', 'city', 'email', 'created_at', 'items', 'x', 'Größe', 'a b', 'price', 'tags', 'X-1']
const WORDS = [
  '',
  'a',
  'Paris',
  'AB-123',
  'two words',
  'snake_case',
  '#ff8800',
  'v1.2.3',
  '+1 555 0199',
  'naïve',
  '😀',
  '0',
  'a/b.txt',
]

const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...FORMAT_OF.keys()),
  fc.stringMatching(/^[A-Za-z0-9 _.-]{0,12}$/),
)
const number = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.integer({ min: -100_000, max: 100_000 }).map((count) => count / 100),
  fc.constantFrom(0, 1, 1e6, 2 ** 40, 0.1),
)

/** Random values: small, of all types, with names and texts that are usual. */
export const { object: valuesOfObjects } = fc.letrec<{ value: Json; array: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { arbitrary: fc.constantFrom<Json>(null, true, false), weight: 1 },
    { arbitrary: number, weight: 3 },
    { arbitrary: text, weight: 6 },
    { arbitrary: tie('array'), weight: 3 },
    { arbitrary: tie('object'), weight: 3 },
  ) as fc.Arbitrary<Json>,
  array: fc.oneof(
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.dictionary(fc.constantFrom(...NAMES), text, { maxKeys: 2, noNullPrototype: true }), { maxLength: 4 }),
  ),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 5, noNullPrototype: true }),
}))

/** Draws choices for one schema. */
type Draw = fc.GeneratorValue

const chance = (draw: Draw, share: number): boolean => draw(fc.integer, { min: 1, max: 100 }) <= share * 100
const pick = <Item>(draw: Draw, items: readonly Item[]): Item => items[draw(fc.nat, items.length - 1)]!
const below = (draw: Draw, end: number): number => draw(fc.nat, Math.max(0, end - 1))
const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
const sizeOf = (value: string): number => [...value].length
const escaped = (part: string): string => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A schema that the value is valid against. */
export function schemaOf(value: Json, draw: Draw, depth = 0): Schema {
  if (chance(draw, 0.06)) return pick<() => Schema>(draw, [() => ({ const: value }), () => enumOf(value, draw)])()
  const own = {
    ...typed(value, draw),
    ...keywordsOf(value, draw, depth),
    ...(chance(draw, 0.01) && { if: { const: value }, else: false }),
  }
  if (depth > 3 || chance(draw, 0.65)) return own
  const other = (): Schema => otherThan(value, draw)
  const wraps: readonly (() => Schema)[] = [
    () => ({ anyOf: draw(fc.boolean) ? [own, other()] : [other(), own] }),
    () => ({ oneOf: draw(fc.boolean) ? [own, other()] : [other(), other(), own] }),
    () => ({ allOf: [own, keywordsOf(value, draw, depth)] }),
    () => ({ ...own, not: other() }),
    () => ({ ...own, not: { anyOf: [other(), other()] } }),
    () => ({ ...own, not: { anyOf: [other(), other(), other()] } }),
  ]
  return pick(draw, wraps)()
}

function typed(value: Json, draw: Draw): Schema {
  if (chance(draw, 0.12)) return {}
  const type = typeOf(value)
  const others = ['null', 'boolean', 'string'].filter((other) => other !== type)
  if (chance(draw, 0.12)) return { type: [type, pick(draw, others)] }
  return { type: type === 'integer' && draw(fc.boolean) ? 'number' : type }
}

const enumOf = (value: Json, draw: Draw): Schema => ({
  enum: draw(fc.boolean) ? [value, 'other'] : [null, 17, value],
})

/** A schema that the value is not valid against. */
function otherThan(value: Json, draw: Draw): Schema {
  const wrong: (() => Schema)[] = [
    () => ({
      type: pick(
        draw,
        ['null', 'boolean', 'string', 'object'].filter((type) => type !== typeOf(value)),
      ),
    }),
    () => ({ enum: ['never', 123_456] }),
  ]
  if (typeof value === 'string') {
    const absent = pick(draw, [
      'q',
      'Z{3}',
      '^the',
      'z$',
      '\\s\\s',
      '^[^\\d]{0}\\d{9}',
      '^ ',
      '[aeiou]',
      '[A-Z]',
      '\\d',
      '-',
    ])
    wrong.push(
      () => ({ pattern: absent }),
      () => ({ minLength: sizeOf(value) + 1 }),
    )
    if (value !== '') wrong.push(() => ({ maxLength: sizeOf(value) - 1 }))
    if (new RegExp(absent, 'u').test(value)) return wrong[0]!()
  }
  if (typeof value === 'number')
    wrong.push(
      () => ({ minimum: value + 1 }),
      () => ({ type: 'number', maximum: value - 1 }),
    )
  if (Array.isArray(value))
    wrong.push(
      () => ({ minItems: value.length + 1 }),
      () => ({ items: false, minItems: 1, maxItems: 0 }),
    )
  if (typeOf(value) === 'object')
    wrong.push(
      () => ({ required: ['absent'] }),
      () => ({ type: 'object', required: ['not there'] }),
    )
  return pick(draw, wrong)()
}

function keywordsOf(value: Json, draw: Draw, depth: number): Schema {
  if (typeof value === 'number') return numberKeywords(value, draw)
  if (typeof value === 'string') return textKeywords(value, draw)
  if (Array.isArray(value)) return arrayKeywords(value, draw, depth)
  return value !== null && typeof value === 'object' ? objectKeywords(value as Record<string, Json>, draw, depth) : {}
}

function numberKeywords(value: number, draw: Draw): Schema {
  const room = (): number => pick(draw, [0, 1, 5, 1000])
  return {
    ...(chance(draw, 0.3) && { minimum: value - room() }),
    ...(chance(draw, 0.2) && { maximum: value + room() }),
    ...(chance(draw, 0.1) && { exclusiveMinimum: value - 1 - room() }),
    ...(chance(draw, 0.1) && { exclusiveMaximum: value + 1 + room() }),
    ...(chance(draw, 0.2) && Number.isInteger(value) && { multipleOf: value % 10 === 0 ? 10 : 1 }),
  }
}

function textKeywords(value: string, draw: Draw): Schema {
  const format = FORMAT_OF.get(value)
  const size = sizeOf(value)
  return {
    ...(chance(draw, 0.15) && { minLength: Math.max(0, size - below(draw, 5)) }),
    ...(chance(draw, 0.15) && { maxLength: size + below(draw, 5) }),
    ...(format !== undefined && chance(draw, 0.7) && { format }),
    ...(chance(draw, format === undefined ? 0.4 : 0.7) && { pattern: patternOf(value, draw) }),
  }
}

/** A pattern that matches the text. */
function patternOf(value: string, draw: Draw): string {
  const letters = [...value]
  const cut = below(draw, letters.length + 1)
  const [before, after] = [letters.slice(0, cut).join(''), letters.slice(cut).join('')]
  const patterns: readonly (() => string)[] = [
    () => `^${escaped(before)}`,
    () => `${escaped(after)}$`,
    () => escaped(letters.slice(cut, cut + 2).join('')),
    () => `^${classesOf(value, draw)}$`,
    () => `^${escaped(before)}${classesOf(after, draw)}$`,
    () => `^${classesOf(before, draw)}`,
    () => `^.{${Math.max(0, letters.length - 2)},${letters.length + 3}}$`,
    () => `^(?:${escaped(value)}|other\\d+)$`,
    () =>
      `^[^${escaped(pick(draw, ['#', '@', '~', '|']))}]*$`.replace(/.*/, (source) =>
        new RegExp(source, 'u').test(value) ? source : '',
      ),
    () => `^(?!admin)(?=.{0,${letters.length + 5}}$).*$`,
    () => (/\d/.test(value) ? '^(?=.*\\d).*$' : '^\\D*$'),
    () => (/\s/.test(value) ? '\\s' : '^\\S*$'),
  ]
  return pick(draw, patterns)()
}

/** `AB-12` -> `[A-Z]{2}-\d+`. */
function classesOf(value: string, draw: Draw): string {
  const runs = value.match(/[a-z]+|[A-Z]+|\d+|[\s\S]/gu) ?? []
  return runs
    .map((run) => {
      const set = /^\d/.test(run) ? '\\d' : /^[a-z]/.test(run) ? '[a-z]' : /^[A-Z]/.test(run) ? '[A-Z]' : undefined
      if (set === undefined) return escaped(run)
      return set + pick(draw, ['+', '*', `{${run.length}}`, `{1,${run.length + 2}}`])
    })
    .join('')
}

function arrayKeywords(value: readonly Json[], draw: Draw, depth: number): Schema {
  const isUnique = new Set(value.map((item) => JSON.stringify(item))).size === value.length
  const shared =
    value.length === 0 ? { type: 'string' } : { anyOf: value.map((item) => schemaOf(item, draw, depth + 1)) }
  const sameType = new Set(value.map(typeOf)).size === 1 && value[0] !== null
  const items =
    sameType && draw(fc.boolean) ? { type: typeOf(value[0]!), ...(Array.isArray(value[0]) && { items: {} }) } : shared
  const isTuple = value.length > 0 && chance(draw, 0.25)
  return {
    ...(isTuple && {
      prefixItems: value.map((item) => schemaOf(item, draw, depth + 1)),
      items: pick(draw, [false, {}, { type: 'string' }]),
    }),
    ...(!isTuple && { items: chance(draw, 0.1) ? {} : items }),
    ...(chance(draw, 0.4) && { minItems: Math.max(0, value.length - below(draw, 2)) }),
    ...(chance(draw, 0.3) && { maxItems: value.length + below(draw, 3) }),
    ...(isUnique && chance(draw, 0.5) && { uniqueItems: true }),
    ...(value.length > 0 && chance(draw, 0.03) && { contains: schemaOf(value[0]!, draw, depth + 1) }),
  }
}

function objectKeywords(value: Readonly<Record<string, Json>>, draw: Draw, depth: number): Schema {
  const names = Object.keys(value)
  const declared = names.filter(() => chance(draw, 0.85))
  const undeclared = names.filter((name) => !declared.includes(name))
  const inner = Object.fromEntries(declared.map((name) => [name, schemaOf(value[name]!, draw, depth + 1)]))
  const absent = chance(draw, 0.2) ? { absent: { type: 'string', pattern: '^[a-c]+$' } } : {}
  return {
    ...(chance(draw, 0.9) && { properties: { ...inner, ...absent } }),
    ...(chance(draw, 0.8) && { required: names.filter(() => chance(draw, 0.8)) }),
    ...(undeclared.length === 0 &&
      chance(draw, 0.4) && { properties: { ...inner, ...absent }, additionalProperties: false }),
    ...(chance(draw, 0.1) && { patternProperties: { '^z_': { type: 'integer' } } }),
    ...(chance(draw, 0.1) && { propertyNames: { maxLength: 12 } }),
    ...(chance(draw, 0.02) && { minProperties: names.length }),
    ...(chance(draw, 0.02) && { maxProperties: names.length + 1 }),
    ...(names.length > 1 && chance(draw, 0.02) && { dependentRequired: { [names[0]!]: [names[1]!] } }),
  }
}

/** The schema with one of its properties moved to `$defs`, where a reference leads to it, and one definition that nothing uses. */
export function withDefinitions(schema: Schema, draw: Draw): Schema {
  const properties = schema.properties as Readonly<Record<string, Schema>> | undefined
  const name = Object.keys(properties ?? {})[0]
  if (name === undefined || chance(draw, 0.7)) return schema
  return {
    ...schema,
    properties: { ...properties, [name]: { $ref: '#/$defs/moved' } },
    $defs: { moved: properties![name], unused: { type: 'array', items: {}, contains: { const: 1 } } },
  }
}
