/** The grammar of a schema: which keywords hold subschemas, and which values the others take. */
import { isObject } from '../text/json.ts'
import { pointerStep, type Schema, type SchemaObject, SchemaProblem } from './schema.ts'

const SCHEMA_KEYWORDS = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const
const LIST_KEYWORDS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'] as const
const MAP_KEYWORDS = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
] as const

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): boolean => isNumber(value) && (value as number) >= 0 && Number.isInteger(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']
const isType = (value: unknown): boolean => TYPES.includes(value as string)

type Form = readonly [test: (value: unknown) => boolean, expected: string]
const NUMBER: Form = [isNumber, 'a number']
// Draft 4 has `exclusiveMinimum: true` beside `minimum`.
const LIMIT: Form = [(value) => isNumber(value) || typeof value === 'boolean', 'a number']
const COUNT: Form = [isCount, 'a whole number from 0']
const TEXT: Form = [isText, 'a string']
const FLAG: Form = [(value) => typeof value === 'boolean', 'true or false']

const FORMS: Readonly<Record<string, Form>> = {
  $anchor: TEXT,
  $dynamicAnchor: TEXT,
  $id: TEXT,
  $ref: TEXT,
  dependentRequired: [(value) => isObject(value) && Object.values(value).every(isTexts), 'an object of lists of names'],
  enum: [Array.isArray, 'a list of values'],
  exclusiveMaximum: LIMIT,
  exclusiveMinimum: LIMIT,
  format: TEXT,
  maxContains: COUNT,
  maxItems: COUNT,
  maxLength: COUNT,
  maxProperties: COUNT,
  maximum: NUMBER,
  minContains: COUNT,
  minItems: COUNT,
  minLength: COUNT,
  minProperties: COUNT,
  minimum: NUMBER,
  multipleOf: [(value) => isNumber(value) && (value as number) > 0, 'a number above 0'],
  nullable: FLAG,
  pattern: TEXT,
  required: [(value) => isTexts(value) || typeof value === 'boolean', 'a list of names'],
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `one of ${TYPES.join(', ')}, or a list of them`,
  ],
  uniqueItems: FLAG,
}

/**
 * The direct subschemas of a schema, each with its path.
 * @throws SchemaProblem when a keyword has a value of the wrong form, so that all other code can trust the forms.
 */
export function findSubschemas(
  schema: SchemaObject,
  path: string,
): { readonly path: string; readonly schema: Schema }[] {
  for (const keyword of Object.keys(schema)) {
    const form = Object.hasOwn(FORMS, keyword) ? FORMS[keyword] : undefined
    if (form !== undefined && !form[0](schema[keyword])) {
      throw new SchemaProblem(`'${keyword}' must be ${form[1]}, got ${describe(schema[keyword])}`, path)
    }
  }
  const found: { path: string; schema: Schema }[] = []
  const add = (value: unknown, at: string): void => {
    if (typeof value !== 'boolean' && !isObject(value)) {
      throw new SchemaProblem(`a schema must be an object, true or false, got ${describe(value)}`, at)
    }
    found.push({ path: at, schema: value })
  }
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = schema[keyword]
    if (value !== undefined && !Array.isArray(value)) add(value, `${path}/${keyword}`)
  }
  for (const keyword of LIST_KEYWORDS) {
    const value = schema[keyword]
    if (value === undefined || (keyword === 'items' && !Array.isArray(value))) continue
    if (!Array.isArray(value)) throw new SchemaProblem(`'${keyword}' must be a list, got ${describe(value)}`, path)
    for (const [index, item] of value.entries()) add(item, `${path}/${keyword}/${index}`)
  }
  for (const keyword of MAP_KEYWORDS) {
    const value = schema[keyword]
    if (value === undefined) continue
    if (!isObject(value)) throw new SchemaProblem(`'${keyword}' must be an object, got ${describe(value)}`, path)
    for (const name of Object.keys(value)) {
      if (keyword === 'dependencies' && isTexts(value[name])) continue
      add(value[name], `${path}/${keyword}/${pointerStep(name)}`)
    }
  }
  return found
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return String(JSON.stringify(value)).slice(0, 60)
}
