/**
 * The check of schemas for `strict: true`: the documented subset of JSON Schema, refused in the service's own words.
 *
 * The walk goes through the schema in its own order and stops at the first thing that is not permitted, as the service
 * does: one message, with the context of what it speaks of.
 */
import { toText } from '../text/to-text.ts'
import { isRecord, own, type SchemaObject } from './schema.ts'

const MAX_PROPERTIES = 5000
const MAX_LEVELS = 10
const MAX_ENUM_VALUES = 1000
const MAX_CHARACTERS = 120_000
const MANY_ENUM_VALUES = 250
const MAX_ENUM_CHARACTERS = 15_000

const FORMATS = new Set(['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'time', 'uuid'])
// biome-ignore format: a list
const NOT_PERMITTED = [
  'allOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'dependencies',
  'patternProperties', 'propertyNames', 'minProperties', 'maxProperties', 'unevaluatedProperties',
  'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains', 'uniqueItems', 'unevaluatedItems',
] as const
const TOP_LEVEL = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'] as const

type Context = readonly string[]
interface Step {
  readonly schema: unknown
  readonly context: Context
  /** How many objects it is inside of. */
  readonly level: number
}

interface Totals {
  properties: number
  enumValues: number
  characters: number
}

/**
 * What the service would refuse, as the end of its message: the caller puts `Invalid schema for response_format
 * 'name': ` or `Invalid schema for function 'name': ` before it.
 * @example checkStrictSchema({ type: 'object', properties: {}, required: [] })
 * // { message: "In context=(), 'additionalProperties' is required to be supplied and to be false." }
 */
export function checkStrictSchema(schema: unknown): { readonly message: string } | undefined {
  const message = checkRoot(schema) ?? walk(schema as SchemaObject)
  return message === undefined ? undefined : { message }
}

function checkRoot(schema: unknown): string | undefined {
  const type = isRecord(schema) ? schema.type : undefined
  if (!isRecord(schema) || type !== 'object') {
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${python(type)}"'.`
  }
  if (TOP_LEVEL.every((keyword) => schema[keyword] === undefined)) return undefined
  const keywords = TOP_LEVEL.map((keyword) => `'${keyword}'`).join('/')
  return `schema must have type 'object' and not have ${keywords} at the top level.`
}

function walk(root: SchemaObject): string | undefined {
  const totals: Totals = { properties: 0, enumValues: 0, characters: 0 }
  let deepest = 0
  // A stack of its own, with the next schema on top: nesting must not overflow the engine's.
  const pending: Step[] = [{ schema: root, context: [], level: 0 }]
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { schema, context } = step
    if (!isRecord(schema)) return inContext(context, "schema must have a 'type' key.")
    const message = checkReference(schema, root) ?? checkKeywords(schema)
    if (message !== undefined) return inContext(context, message)
    const tooMany = count(schema, totals)
    if (tooMany !== undefined) return tooMany
    const level = step.level + (typesOf(schema).includes('object') ? 1 : 0)
    deepest = Math.max(deepest, level)
    // Far beyond the limit, the exact number is not worth the walk.
    if (deepest > MAX_LEVELS * 10) break
    for (const inner of inside(schema, context).reverse()) pending.push({ ...inner, level })
  }
  return deepest > MAX_LEVELS ? `${deepest} levels of nesting exceeds limit of ${MAX_LEVELS}.` : undefined
}

function checkReference(schema: SchemaObject, root: SchemaObject): string | undefined {
  const reference = schema.$ref
  if (typeof reference !== 'string') return undefined
  const others = Object.keys(schema).filter((keyword) => keyword !== '$ref')
  if (others.length > 0) return `$ref cannot have keywords {${others.map((name) => `'${name}'`).join(', ')}}.`
  if (reference === '#') return undefined
  const found = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference)
  if (found === null) return 'reference can only point to definitions defined at the top level of the schema.'
  const definitions = root[found[1]!]
  const name = found[2]!.replaceAll('~1', '/').replaceAll('~0', '~')
  const isThere = isRecord(definitions) && own(definitions, name) !== undefined
  return isThere ? undefined : `reference to component '${reference}' which was not found in the schema.`
}

function checkKeywords(schema: SchemaObject): string | undefined {
  if (schema.$ref !== undefined) return undefined
  const forbidden = NOT_PERMITTED.find((keyword) => schema[keyword] !== undefined)
  if (forbidden !== undefined) return `'${forbidden}' is not permitted.`
  const types = typesOf(schema)
  const isListed = schema.anyOf !== undefined || schema.enum !== undefined || Object.hasOwn(schema, 'const')
  if (types.length === 0 && !isListed) return "schema must have a 'type' key."
  if (types.includes('object')) return checkObject(schema)
  if (types.includes('array') && schema.items === undefined) return 'array schema missing items.'
  if (typeof schema.format === 'string' && !FORMATS.has(schema.format))
    return `'${schema.format}' is not a valid format.`
  return undefined
}

function checkObject(schema: SchemaObject): string | undefined {
  if (schema.additionalProperties !== false) {
    return "'additionalProperties' is required to be supplied and to be false."
  }
  if (!isRecord(schema.properties)) return 'object schema missing properties.'
  const names = Object.keys(schema.properties)
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const sentence = "'required' is required to be supplied and to be an array including every key in properties."
  const listed = new Set(required)
  const missing = names.find((name) => !listed.has(name))
  if (missing !== undefined) return `${sentence} Missing '${missing}'.`
  const extra = required.find((name) => typeof name !== 'string' || !Object.hasOwn(schema.properties as object, name))
  return extra === undefined ? undefined : `${sentence} Extra required key '${toText(extra)}' supplied.`
}

function count(schema: SchemaObject, totals: Totals): string | undefined {
  const names = isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const definitions = [schema.$defs, schema.definitions].flatMap((map) => (isRecord(map) ? Object.keys(map) : []))
  const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : []
  const constants = Object.hasOwn(schema, 'const') ? [schema.const] : []
  totals.properties += names.length
  totals.enumValues += values.length
  totals.characters += charactersIn([...names, ...definitions, ...values, ...constants])
  return (
    tooMany(
      MAX_PROPERTIES,
      totals.properties,
      'object properties in total within a single schema',
      'object properties',
    ) ??
    tooMany(MAX_ENUM_VALUES, totals.enumValues, 'enum values in total within a single schema', 'enums') ??
    tooMany(
      MAX_CHARACTERS,
      totals.characters,
      'characters of names and values in total within a single schema',
      'names',
    ) ??
    (values.length > MANY_ENUM_VALUES
      ? tooMany(
          MAX_ENUM_CHARACTERS,
          charactersIn(values),
          `characters in an enum of more than ${MANY_ENUM_VALUES} values`,
          'enums',
        )
      : undefined)
  )
}

const charactersIn = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

function tooMany(limit: number, got: number, what: string, remedy: string): string | undefined {
  if (got <= limit) return undefined
  return (
    `Expected at most ${limit} ${what} when using structured outputs, but received ${got}. ` +
    `Consider reducing the number of ${remedy}, or use 'strict: false' to opt out of structured outputs.`
  )
}

/** The schemas inside, in their order. */
function inside(schema: SchemaObject, context: Context): Omit<Step, 'level'>[] {
  const found: Omit<Step, 'level'>[] = []
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (keyword === 'items') found.push({ schema: value, context: [...context, keyword] })
    const isMap = keyword === 'properties' || keyword === '$defs' || keyword === 'definitions'
    if ((isMap && isRecord(value)) || (keyword === 'anyOf' && Array.isArray(value))) {
      const inner = value as Readonly<Record<string, unknown>>
      for (const name of Object.keys(inner)) found.push({ schema: inner[name], context: [...context, keyword, name] })
    }
  }
  return found
}

const typesOf = (schema: SchemaObject): readonly unknown[] => (schema.type === undefined ? [] : [schema.type].flat())

/** A context as the service writes it: a Python tuple. */
function inContext(context: Context, message: string): string {
  const steps = context.map((step) => `'${step}'`).join(', ')
  return `In context=(${context.length === 1 ? `${steps},` : steps}), ${message}`
}

/** A type as the service writes it: `None` where there is none. */
function python(type: unknown): string {
  if (Array.isArray(type)) return `[${type.map((name) => `'${toText(name)}'`).join(', ')}]`
  return typeof type === 'string' ? type : 'None'
}
