/** Readers of keywords: the lists, sizes, bounds and items of a schema, or of several that a value must all meet. */
import { type JsonSchema, LimitExceeded, type SchemaObject, Unsatisfied } from './json-schema.ts'

/** The schemas in a list keyword such as `allOf`; none when the keyword is absent. */
export const schemaList = (value: unknown): readonly JsonSchema[] => (value ?? []) as readonly JsonSchema[]

/** The lists of values of which a schema allows one of each: its `enum`, and its `const` as a list of one. */
export const listsOf = (schema: SchemaObject): readonly (readonly unknown[])[] => [
  ...(schema.enum === undefined ? [] : [schema.enum as unknown[]]),
  ...(schema.const === undefined ? [] : [[schema.const]]),
]

/** The names that a schema requires; in draft 3, `required` is a flag of the property. */
export const requiredNames = ({ required }: SchemaObject): readonly string[] =>
  Array.isArray(required) ? (required as string[]) : []

/** The schemas that a tuple has for its first items, in the form of either draft. */
export const prefixOf = ({ items, prefixItems }: SchemaObject): readonly JsonSchema[] =>
  schemaList(Array.isArray(items) ? items : prefixItems)

/** The schema of the item at this index. */
export function itemSchema(schema: SchemaObject, index: number): JsonSchema | undefined {
  const prefix = prefixOf(schema)
  if (index < prefix.length) return prefix[index]
  return (Array.isArray(schema.items) ? schema.additionalItems : schema.items) as JsonSchema | undefined
}

export type SizeRange = ReturnType<typeof readSizeRange>

/** The sizes that all schemas allow. @throws when there are none, or when the smallest is above `limit`. */
export function readSizeRange(
  parts: readonly SchemaObject[],
  keyword: 'Items' | 'Length',
  limit: number,
  path: string,
) {
  let [min, max] = [0, Number.POSITIVE_INFINITY]
  for (const part of parts as readonly Readonly<Record<string, number | undefined>>[]) {
    min = Math.max(min, part[`min${keyword}`] ?? min)
    max = Math.min(max, part[`max${keyword}`] ?? max)
  }
  if (min > max) throw new Unsatisfied(`min${keyword} ${min} is above max${keyword} ${max}`, path)
  if (min > limit) throw new LimitExceeded(`min${keyword} ${min} is above the limit of ${limit}`, path)
  return { min, max }
}

export type NumberBounds = ReturnType<typeof readBounds>

/** The numbers that several schemas allow: from `from`, or above it, to `to`, or below it. */
export function readBounds(parts: readonly SchemaObject[]) {
  let [from, to, isAbove, isBelow] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, false, false]
  for (const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } of parts) {
    // Draft 4 has `exclusiveMinimum: true` beside `minimum`.
    const above = exclusiveMinimum === true ? minimum : exclusiveMinimum
    const below = exclusiveMaximum === true ? maximum : exclusiveMaximum
    if (typeof minimum === 'number' && minimum > from) [from, isAbove] = [minimum, false]
    if (typeof above === 'number' && above >= from) [from, isAbove] = [above, true]
    if (typeof maximum === 'number' && maximum < to) [to, isBelow] = [maximum, false]
    if (typeof below === 'number' && below <= to) [to, isBelow] = [below, true]
  }
  return { from, to, isAbove, isBelow }
}
