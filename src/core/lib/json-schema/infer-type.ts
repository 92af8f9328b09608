/** Infers the type of a value when its schema does not state one. */
import type { JsonType, SchemaObject } from './schema.ts'

const ORDER: readonly JsonType[] = ['string', 'number', 'boolean', 'object', 'array', 'null']
const KEYWORDS: readonly (readonly [JsonType, RegExp])[] = [
  ['object', /propert|required/i],
  ['array', /items/i],
  ['string', /length|^(?:pattern|format)$/i],
  ['number', /imum$|^multipleOf$/],
]

/** All types, those that the keywords apply to first. */
export function inferTypes(parts: readonly SchemaObject[]): JsonType[] {
  const keywords = parts.flatMap((part) => Object.keys(part))
  const inferred = KEYWORDS.filter(([, pattern]) => keywords.some((keyword) => pattern.test(keyword))).map(
    ([type]) => type,
  )
  return [...inferred, ...ORDER.filter((type) => !inferred.includes(type))]
}
