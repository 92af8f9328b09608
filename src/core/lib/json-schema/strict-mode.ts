/**
 * Checks the schemas of a request, with the service's own messages: those for `strict: true` against the documented
 * subset of JSON Schema, others only for what the service needs of any schema.
 *
 * The walk follows the schema's order and stops at the first violation, as the service does: one message with its
 * context, the path to the violation as Python writes a tuple.
 */
import { isObject, toText } from '../text/json.ts'
import type { SchemaObject } from './json-schema.ts'
import { nameOfStep, own } from './json-values.ts'

const MAX_PROPERTIES = 5000
const MAX_LEVELS = 10
/** Longer paths would fill the memory. */
const MAX_STEPS = 1000
const MAX_ENUM_VALUES = 1000
const MAX_CHARACTERS = 120_000
const MANY_ENUM_VALUES = 250
const MAX_ENUM_CHARACTERS = 15_000

/** The counts of a schema and those in it so far. */
interface SchemaTotals {
  properties: number
  enumValues: number
  characters: number
}

const FORMATS = new Set('date date-time duration email hostname ipv4 ipv6 time uuid'.split(' '))
const NOT_PERMITTED = (
  'allOf oneOf not if then else dependentRequired dependentSchemas dependencies patternProperties propertyNames ' +
  'minProperties maxProperties unevaluatedProperties prefixItems additionalItems contains minContains maxContains ' +
  'uniqueItems unevaluatedItems'
).split(' ')

/**
 * The end of the service's message for the first violation; the caller puts `Invalid schema for response_format
 * 'name': ` or `Invalid schema for function 'name': ` before it.
 * @example checkSchema({ type: 'object', properties: {}, required: [] }, { isStrict: true })
 * // "In context=(), 'additionalProperties' is required to be supplied and to be false."
 */
export function checkSchema(schema: unknown, { isStrict }: { readonly isStrict: boolean }): string | undefined {
  const type = isObject(schema) ? schema.type : undefined
  if (!isObject(schema) || type !== 'object') {
    const list = Array.isArray(type)
      ? `[${type.map((name) => `'${isObject(name) ? JSON.stringify(name) : toText(name)}'`).join(', ')}]`
      : 'None'
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${typeof type === 'string' ? type : list}"'.`
  }
  const isPlain = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].every((keyword) => schema[keyword] === undefined)
  if (isPlain || !isStrict) return checkParts(schema, isStrict)
  return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
}

/** The first problem of a schema and those in it. */
function checkParts(root: SchemaObject, isStrict: boolean): string | undefined {
  const totals: SchemaTotals = { properties: 0, enumValues: 0, characters: 0 }
  let deepest = 0
  // An explicit stack, so that deep schemas cannot overflow the call stack.
  const pending: [schema: unknown, context: readonly string[], level: number][] = [[root, [], 0]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [schema, context, outer] = next
    if (!isObject(schema)) {
      if (isStrict) return describeIn(context, "schema must have a 'type' key.")
      continue
    }
    const message = isStrict ? checkKeywords(schema, root) : checkItems(schema)
    if (message !== undefined) return describeIn(context, message)
    const exceeded = isStrict ? addToTotals(schema, totals) : undefined
    if (exceeded !== undefined) return exceeded
    const level = outer + ([schema.type].flat().includes('object') ? 1 : 0)
    deepest = Math.max(deepest, level)
    // Far beyond the limit, the exact depth no longer matters.
    if ((isStrict && deepest > MAX_LEVELS * 10) || context.length > MAX_STEPS) break
    // The last one is pushed first, so that the walk keeps the order of the schema.
    for (const [keyword, value] of Object.entries(schema).reverse()) {
      const isMap = keyword === 'properties' || keyword === '$defs' || keyword === 'definitions'
      if (keyword === 'items') pending.push([value, [...context, keyword], level])
      if ((isMap && isObject(value)) || (keyword === 'anyOf' && Array.isArray(value))) {
        for (const [name, inner] of Object.entries(value).reverse()) {
          pending.push([inner, [...context, keyword, name], level])
        }
      }
    }
  }
  return isStrict && deepest > MAX_LEVELS ? `${deepest} levels of nesting exceeds limit of ${MAX_LEVELS}.` : undefined
}

/** A message with the place of its schema as the service writes it: a Python tuple. */
function describeIn(context: readonly string[], message: string): string {
  const steps = context.map((step) => `'${step}'`).join(', ')
  return `In context=(${context.length === 1 ? `${steps},` : steps}), ${message}`
}

function checkItems({ type, items }: SchemaObject): string | undefined {
  return [type].flat().includes('array') && items === undefined ? 'array schema missing items.' : undefined
}

function checkKeywords(schema: SchemaObject, root: SchemaObject): string | undefined {
  const { $ref: reference } = schema
  if (typeof reference === 'string') {
    const others = Object.keys(schema).filter((keyword) => keyword !== '$ref')
    if (others.length > 0) return `$ref cannot have keywords {${others.map((name) => `'${name}'`).join(', ')}}.`
    if (reference === '#') return undefined
    const [, keyword, step] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
    if (keyword === undefined || step === undefined) {
      return 'reference can only point to definitions defined at the top level of the schema.'
    }
    const definitions = root[keyword]
    const isThere = isObject(definitions) && own(definitions, nameOfStep(step)) !== undefined
    return isThere ? undefined : `reference to component '${reference}' which was not found in the schema.`
  }
  if (reference !== undefined) return undefined
  const forbidden = NOT_PERMITTED.find((keyword) => schema[keyword] !== undefined)
  if (forbidden !== undefined) return `'${forbidden}' is not permitted.`
  const types = schema.type === undefined ? [] : [schema.type].flat()
  const isListed = schema.anyOf !== undefined || schema.enum !== undefined || Object.hasOwn(schema, 'const')
  if (types.length === 0 && !isListed) return "schema must have a 'type' key."
  if (types.includes('object')) return checkObject(schema)
  const isKnown = typeof schema.format !== 'string' || FORMATS.has(schema.format)
  return checkItems(schema) ?? (isKnown ? undefined : `'${schema.format}' is not a valid format.`)
}

function checkObject(schema: SchemaObject): string | undefined {
  if (schema.additionalProperties !== false) {
    return "'additionalProperties' is required to be supplied and to be false."
  }
  if (!isObject(schema.properties)) return 'object schema missing properties.'
  const names = Object.keys(schema.properties)
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const sentence = "'required' is required to be supplied and to be an array including every key in properties."
  const listed = new Set(required)
  const missing = names.find((name) => !listed.has(name))
  if (missing !== undefined) return `${sentence} Missing '${missing}'.`
  const extra = required.find((name) => typeof name !== 'string' || !Object.hasOwn(schema.properties as object, name))
  return extra === undefined ? undefined : `${sentence} Extra required key '${toText(extra)}' supplied.`
}

/** Adds a schema to the totals, and returns the message when one of them is above its limit. */
function addToTotals(schema: SchemaObject, totals: SchemaTotals): string | undefined {
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const definitions = [schema.$defs, schema.definitions].flatMap((map) => (isObject(map) ? Object.keys(map) : []))
  const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : []
  const constants = Object.hasOwn(schema, 'const') ? [schema.const] : []
  totals.properties += names.length
  totals.enumValues += values.length
  totals.characters += countCharacters([...names, ...definitions, ...values, ...constants])
  const enumCharacters = values.length > MANY_ENUM_VALUES ? countCharacters(values) : 0
  /** Each with what was counted, and the words of the message for it. */
  const limits = [
    [MAX_PROPERTIES, totals.properties, 'object properties in total within a single schema', 'object properties'],
    [MAX_ENUM_VALUES, totals.enumValues, 'enum values in total within a single schema', 'enums'],
    [MAX_CHARACTERS, totals.characters, 'characters of names and values in total within a single schema', 'names'],
    [MAX_ENUM_CHARACTERS, enumCharacters, `characters in an enum of more than ${MANY_ENUM_VALUES} values`, 'enums'],
  ] as const
  const exceeded = limits.find(([limit, got]) => got > limit)
  if (exceeded === undefined) return undefined
  const [limit, got, what, remedy] = exceeded
  return (
    `Expected at most ${limit} ${what} when using structured outputs, but received ${got}. ` +
    `Consider reducing the number of ${remedy}, or use 'strict: false' to opt out of structured outputs.`
  )
}

const countCharacters = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
