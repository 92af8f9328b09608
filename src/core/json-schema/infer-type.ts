/** Which type a value has when its schema does not say. */
import type { JsonType, SchemaObject } from './schema.ts'

const ORDER: readonly JsonType[] = ['string', 'number', 'boolean', 'object', 'array', 'null']
const SIGNS: readonly (readonly [JsonType, RegExp])[] = [
  [
    'object',
    /^(?:properties|required|additionalProperties|patternProperties|minProperties|maxProperties|propertyNames|unevaluatedProperties|dependent\w+|dependencies)$/,
  ],
  [
    'array',
    /^(?:items|prefixItems|additionalItems|minItems|maxItems|uniqueItems|contains|minContains|unevaluatedItems)$/,
  ],
  ['string', /^(?:minLength|maxLength|pattern|format)$/],
  ['number', /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
]

/** The types of a value whose schema names none: those that the keywords speak of, and then the others. */
export function inferredTypes(parts: readonly SchemaObject[]): JsonType[] {
  const keywords = parts.flatMap((part) => Object.keys(part))
  const inferred = SIGNS.filter(([, sign]) => keywords.some((keyword) => sign.test(keyword))).map(([type]) => type)
  return [...inferred, ...ORDER.filter((type) => !inferred.includes(type))]
}
