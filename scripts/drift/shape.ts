/** The shape of JSON values: which kinds, fields and texts are possible at each place. Read from three sources. */

import { isObject } from '../../src/core/lib/text/json.ts'
import type { Check } from '../../src/core/protocol/request/field-checks.ts'

export interface Shape {
  /** `string`, `number`, `boolean`, `array` and `object`. `null` counts as absent. */
  readonly kinds: Set<string>
  /** The possible texts; unknown if any text is possible. */
  readonly texts: Set<string>
  /** Whether any text is possible. */
  isOpen: boolean
  readonly fields: Map<string, Shape>
  /** The items of an array, or the values of an object with any keys. */
  item: Shape | undefined
}

const emptyShape = (): Shape => ({
  kinds: new Set(),
  texts: new Set(),
  isOpen: false,
  fields: new Map(),
  item: undefined,
})

const itemOf = (shape: Shape): Shape => {
  shape.item ??= emptyShape()
  return shape.item
}

function fieldOf({ fields }: Shape, name: string): Shape {
  const field = fields.get(name) ?? emptyShape()
  fields.set(name, field)
  return field
}

/** What ts-json-schema-generator writes, without references. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
}

/** The schema without the alternatives whose `type` fits a pattern. */
export function withoutTypes(schema: JsonSchema, pattern: RegExp): JsonSchema {
  const within = (one: JsonSchema): JsonSchema => withoutTypes(one, pattern)
  const { anyOf, items, properties } = schema
  const kept = anyOf?.filter(({ properties }) => {
    const { type } = properties ?? {}
    return ![type?.const, ...(type?.enum ?? [])].some((name) => typeof name === 'string' && pattern.test(name))
  })
  return {
    ...schema,
    ...(kept && { anyOf: kept.map(within) }),
    ...(isObject(items) && { items: within(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, within(one)])),
    }),
  }
}

/** The shape that a JSON Schema describes. */
export function shapeOfSchema(schema: JsonSchema, shape = emptyShape()): Shape {
  for (const one of schema.anyOf ?? []) shapeOfSchema(one, shape)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  for (const type of types) if (type !== 'null') shape.kinds.add(type)
  const texts = schema.const === undefined ? schema.enum : [schema.const]
  for (const text of texts ?? []) if (typeof text === 'string') shape.texts.add(text)
  if (types.includes('string') && texts === undefined) shape.isOpen = true
  for (const [name, property] of Object.entries(schema.properties ?? {})) shapeOfSchema(property, fieldOf(shape, name))
  const values = schema.items ?? schema.additionalProperties
  if (isObject(values)) shapeOfSchema(values, itemOf(shape))
  return shape
}

/** The shape that a check of the mock accepts. */
export function shapeOfCheck({ expected, parts = {} }: Check, shape = emptyShape()): Shape {
  const { values = [], item, shapes = [], checks } = parts
  for (const check of checks ?? []) shapeOfCheck(check, shape)
  if (checks === undefined) shape.kinds.add(kindNamed(expected))
  for (const text of values) shape.texts.add(text)
  if (expected === 'a string') shape.isOpen = true
  if (item !== undefined) shapeOfCheck(item, itemOf(shape))
  for (const fields of shapes) addFields(fields, shape)
  return shape
}

/** The shape of an object with these fields. */
export function shapeOfFields(fields: Readonly<Record<string, Check>>): Shape {
  const shape = emptyShape()
  shape.kinds.add('object')
  addFields(fields, shape)
  return shape
}

function addFields(fields: Readonly<Record<string, Check>>, shape: Shape): void {
  for (const [name, check] of Object.entries(fields)) shapeOfCheck(check, fieldOf(shape, name))
}

/** The kind in a type error: `an array of objects`. */
function kindNamed(expected: string): string {
  if (expected.startsWith('an array')) return 'array'
  if (/object$/.test(expected)) return 'object'
  if (expected === 'a boolean') return 'boolean'
  return expected === 'an integer' || expected === 'a decimal' ? 'number' : 'string'
}

/** The shape of all these values together. */
export function shapeOfValues(values: readonly unknown[], shape = emptyShape()): Shape {
  for (const value of values) {
    if (value === null || value === undefined) continue
    shape.kinds.add(Array.isArray(value) ? 'array' : typeof value)
    if (typeof value === 'string') shape.texts.add(value)
    if (Array.isArray(value)) shapeOfValues(value, itemOf(shape))
    else if (isObject(value))
      for (const [name, one] of Object.entries(value)) shapeOfValues([one], fieldOf(shape, name))
  }
  return shape
}
