/** Builds the negation of a schema, as schemas that a value can be generated from. */
import type { Schema, SchemaObject } from '../schema.ts'

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/**
 * Alternatives to `schema`; a value that meets one of them is a candidate. Empty when no value is left, and `[true]`
 * when no keyword can be negated: then only the validator can judge.
 */
export function negations(schema: Schema, targets: readonly Schema[]): Schema[] {
  if (schema === false) return [true]
  if (schema === true) return []
  const found = Object.keys(schema).flatMap((keyword) => negateKeyword(keyword, schema))
  for (const target of targets) found.push({ not: target })
  if (found.length > 0) return found
  return Object.keys(schema).some((keyword) => !ANNOTATIONS.has(keyword)) ? [true] : []
}

// biome-ignore format: a list
const ANNOTATIONS = new Set([
  '$anchor', '$comment', '$defs', '$dynamicAnchor', '$id', '$schema', 'contentEncoding', 'contentMediaType', 'default',
  'definitions', 'deprecated', 'description', 'else', 'examples', 'readOnly', 'then', 'title', 'writeOnly',
])

function negateKeyword(keyword: string, schema: SchemaObject): Schema[] {
  const value = schema[keyword]
  const number = value as number
  switch (keyword) {
    case 'type': {
      const types = [value].flat() as string[]
      const others = TYPES.filter((type) => !types.includes(type) && !(type === 'integer' && types.includes('number')))
      if (others.length === 0) return []
      // A number that is not an integer is still a number.
      const isFraction = types.includes('integer') && !types.includes('number')
      return isFraction ? [{ type: others, not: { multipleOf: 1 } }] : [{ type: others }]
    }
    case 'minimum':
      return [{ type: 'number', exclusiveMaximum: number }]
    case 'maximum':
      return [{ type: 'number', exclusiveMinimum: number }]
    case 'exclusiveMinimum':
      return typeof value === 'number' ? [{ type: 'number', maximum: number }] : []
    case 'exclusiveMaximum':
      return typeof value === 'number' ? [{ type: 'number', minimum: number }] : []
    case 'minLength':
      return number > 0 ? [{ type: 'string', maxLength: number - 1 }] : []
    case 'maxLength':
      return [{ type: 'string', minLength: number + 1 }]
    case 'minItems':
      return number > 0 ? [{ type: 'array', maxItems: number - 1 }] : []
    case 'maxItems':
      return [{ type: 'array', minItems: number + 1 }]
    case 'minProperties':
      return number > 0 ? [{ type: 'object', maxProperties: number - 1 }] : []
    case 'maxProperties':
      return [{ type: 'object', minProperties: number + 1 }]
    case 'required':
      return Array.isArray(value)
        ? value.map((name: string) => ({ type: 'object', properties: single(name, false) }))
        : []
    case 'properties':
      return Object.entries(value as Record<string, Schema>).map(([name, part]) => ({
        type: 'object',
        required: [name],
        properties: single(name, { not: part }),
      }))
    case 'unevaluatedProperties':
      return [{ type: 'object', minProperties: 1 }]
    case 'propertyNames':
      return [{ type: 'object', minProperties: 1, propertyNames: { not: value } }]
    case 'additionalProperties':
      return schema.properties === undefined && schema.patternProperties === undefined
        ? [{ type: 'object', minProperties: 1, additionalProperties: { not: value } }]
        : [{ type: 'object', minProperties: 1 }]
    case 'items':
      return Array.isArray(value) ? [{ type: 'array' }] : [{ type: 'array', minItems: 1, contains: { not: value } }]
    case 'prefixItems':
    case 'unevaluatedItems':
      return [{ type: 'array', minItems: 1 }]
    case 'contains':
      return [{ type: 'array', items: { not: value } }]
    case 'uniqueItems':
      return value === true ? [{ type: 'array', minItems: 2 }] : []
    case 'allOf':
      return (value as Schema[]).map((part) => ({ not: part }))
    case 'anyOf':
      return [{ allOf: (value as Schema[]).map((part) => ({ not: part })) }]
    case 'oneOf':
      return [{ allOf: (value as Schema[]).map((part) => ({ not: part })) }, { allOf: value }]
    case 'not':
      return [value as Schema]
    case 'pattern':
    case 'format':
      return [{ type: 'string' }]
    case 'multipleOf':
      return [{ type: 'number' }]
    case 'if':
      return schema.then === undefined && schema.else === undefined ? [] : [true]
    default:
      return ANNOTATIONS.has(keyword) || keyword.startsWith('$') ? [] : [true]
  }
}

/** An object with one property of any name. */
const single = (name: string, value: unknown): SchemaObject => Object.fromEntries([[name, value]])
