/** The grammar of a schema: which keywords hold schemas, and what the values of the others must look like. */
import { isRecord, pointerStep, type Schema, type SchemaObject, SchemaProblem } from './schema.ts'

const ONE = [
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
const LISTS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'] as const
const MAPS = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'] as const

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): boolean => isNumber(value) && (value as number) >= 0 && Number.isInteger(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']
const isType = (value: unknown): boolean => TYPES.includes(value as string)

type Form = readonly [test: (value: unknown) => boolean, expected: string]
const NUMBER: Form = [isNumber, 'a number']
// Draft 4 wrote `exclusiveMinimum: true` beside `minimum`.
const LIMIT: Form = [(value) => isNumber(value) || typeof value === 'boolean', 'a number']
const COUNT: Form = [isCount, 'a whole number that is not negative']
const TEXT: Form = [isText, 'a text']
const FLAG: Form = [(value) => typeof value === 'boolean', 'true or false']

const FORMS: Readonly<Record<string, Form>> = {
  $anchor: TEXT,
  $dynamicAnchor: TEXT,
  $id: TEXT,
  $ref: TEXT,
  dependentRequired: [(value) => isRecord(value) && Object.values(value).every(isTexts), 'an object of lists of names'],
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
 * The schemas directly inside a schema, each with the steps that lead to it. Whatever has the wrong form is a problem
 * here, so that all other code may trust the forms.
 */
export function subschemas(schema: SchemaObject, path: string): { readonly path: string; readonly schema: Schema }[] {
  for (const keyword of Object.keys(schema)) {
    const form = Object.hasOwn(FORMS, keyword) ? FORMS[keyword] : undefined
    if (form !== undefined && !form[0](schema[keyword])) {
      throw new SchemaProblem(`'${keyword}' must be ${form[1]}, but is ${shown(schema[keyword])}`, path)
    }
  }
  const found: { path: string; schema: Schema }[] = []
  const add = (value: unknown, at: string): void => {
    if (typeof value !== 'boolean' && !isRecord(value)) {
      throw new SchemaProblem(`a schema must be an object, true or false, but is ${shown(value)}`, at)
    }
    found.push({ path: at, schema: value })
  }
  for (const keyword of ONE) {
    const value = schema[keyword]
    if (value !== undefined && !Array.isArray(value)) add(value, `${path}/${keyword}`)
  }
  for (const keyword of LISTS) {
    const value = schema[keyword]
    if (value === undefined || (keyword === 'items' && !Array.isArray(value))) continue
    if (!Array.isArray(value)) throw new SchemaProblem(`'${keyword}' must be a list, but is ${shown(value)}`, path)
    for (const [index, item] of value.entries()) add(item, `${path}/${keyword}/${index}`)
  }
  for (const keyword of MAPS) {
    const value = schema[keyword]
    if (value === undefined) continue
    if (!isRecord(value)) throw new SchemaProblem(`'${keyword}' must be an object, but is ${shown(value)}`, path)
    for (const name of Object.keys(value)) {
      if (keyword === 'dependencies' && isTexts(value[name])) continue
      add(value[name], `${path}/${keyword}/${pointerStep(name)}`)
    }
  }
  return found
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value)) return 'an object'
  return String(JSON.stringify(value)).slice(0, 60)
}
