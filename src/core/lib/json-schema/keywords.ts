/** The grammar of a schema: which keywords hold subschemas, and which values the others take. */
import { isObject } from '../text/json.ts'
import { pointerStep, type Schema, type SchemaObject, SchemaProblem } from './schema.ts'

// biome-ignore format: a list
const SCHEMA_KEYWORDS = [
  'additionalItems', 'additionalProperties', 'else', 'if', 'items', 'not', 'propertyNames', 'then',
] as const
const LIST_KEYWORDS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'] as const
const MAP_KEYWORDS = ['$defs', 'definitions', 'patternProperties', 'properties'] as const
const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

type Test = (value: unknown) => boolean
const isNumber: Test = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Test = (value) => isNumber(value) && (value as number) >= 0 && Number.isInteger(value)
const isText: Test = (value) => typeof value === 'string'
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText)
const isFlag: Test = (value) => typeof value === 'boolean'
const isType: Test = (value) => TYPES.includes(value as string)
const isTypeOrList: Test = (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))

/** The values of keywords without subschemas, and what messages say is expected. */
const FORMS: readonly (readonly [keywords: string, test: Test, expected: string])[] = [
  ['$anchor $id $ref format pattern', isText, 'a string'],
  ['enum', Array.isArray, 'a list of values'],
  // Draft 4 has `exclusiveMinimum: true` beside `minimum`.
  ['exclusiveMaximum exclusiveMinimum', (value) => isNumber(value) || isFlag(value), 'a number'],
  ['maximum minimum', isNumber, 'a number'],
  ['maxItems maxLength maxProperties', isCount, 'a whole number from 0'],
  ['minItems minLength minProperties', isCount, 'a whole number from 0'],
  ['multipleOf', (value) => isNumber(value) && (value as number) > 0, 'a number above 0'],
  ['nullable uniqueItems', isFlag, 'true or false'],
  ['required', (value) => isTexts(value) || isFlag(value), 'a list of names'],
  ['type', isTypeOrList, `one of ${TYPES.join(', ')}, or a list of them`],
]
const FORM_BY_KEYWORD = new Map(
  FORMS.flatMap(([keywords, ...form]) => keywords.split(' ').map((keyword) => [keyword, form] as const)),
)

/**
 * The direct subschemas of a schema, each with its path.
 * @throws SchemaProblem when a keyword has a value of the wrong form, so that all other code can trust the forms.
 */
export function* findSubschemas(
  schema: SchemaObject,
  path: string,
): Generator<{ readonly path: string; readonly schema: Schema }> {
  for (const keyword of Object.keys(schema)) {
    const form = FORM_BY_KEYWORD.get(keyword)
    if (form !== undefined && !form[0](schema[keyword])) {
      throw new SchemaProblem(`'${keyword}' must be ${form[1]}, got ${describe(schema[keyword])}`, path)
    }
  }
  const subschema = (value: unknown, at: string): { readonly path: string; readonly schema: Schema } => {
    if (typeof value !== 'boolean' && !isObject(value)) {
      throw new SchemaProblem(`a schema must be an object, true or false, got ${describe(value)}`, at)
    }
    return { path: at, schema: value }
  }
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = schema[keyword]
    if (value !== undefined && !Array.isArray(value)) yield subschema(value, `${path}/${keyword}`)
  }
  for (const keyword of LIST_KEYWORDS) {
    const value = schema[keyword]
    if (value === undefined || (keyword === 'items' && !Array.isArray(value))) continue
    if (!Array.isArray(value)) throw new SchemaProblem(`'${keyword}' must be a list, got ${describe(value)}`, path)
    for (const [index, item] of value.entries()) yield subschema(item, `${path}/${keyword}/${index}`)
  }
  for (const keyword of MAP_KEYWORDS) {
    const value = schema[keyword]
    if (value === undefined) continue
    if (!isObject(value)) throw new SchemaProblem(`'${keyword}' must be an object, got ${describe(value)}`, path)
    for (const name of Object.keys(value)) {
      yield subschema(value[name], `${path}/${keyword}/${pointerStep(name)}`)
    }
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return String(JSON.stringify(value)).slice(0, 60)
}
