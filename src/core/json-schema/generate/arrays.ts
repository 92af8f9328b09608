/** Generates an array: how many items it has, and what each of them must be. */

import { type Schema, type SchemaObject, Unsatisfied } from '../schema.ts'
import { equalityKey } from '../validate/equality.ts'
import { countPrefixItems, findItemSchema } from '../validate/validate-array.ts'
import { readSizeRange, type SizeRange } from './size-range.ts'
import { requestInside, type ValueGenerator, type ValueRequest } from './value-generator.ts'

const MAX_ITEMS = 10_000
/** The most items of an array that could have any number of them. */
const MAX_READABLE_ITEMS = 3

/** Throws `Unsatisfied` when a required item can't be generated. */
export function generateArray(
  generator: ValueGenerator,
  parts: readonly SchemaObject[],
  request: ValueRequest,
  attempt: number,
): unknown[] {
  const range = readSizeRange(parts, 'Items', MAX_ITEMS, request.path)
  const contained = readContained(parts)
  const needed = contained.reduce((sum, { count }) => sum + count, 0)
  const readable = chooseLength(generator, parts, request, range, needed)
  const length = Math.min(range.max, Math.max(range.min, needed, readable))
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true)
  const placed = placeContained(contained, length, attempt)
  const inner = { ...requestInside(request, `${request.path}/items`), name: request.name }
  const items: unknown[] = []
  const taken = new Set<string>()
  for (let index = 0; index < length; index++) {
    const schemas = [
      ...itemSchemas(parts, index),
      ...(placed.get(index) ?? []),
      ...excludedSchemas(parts, placed, index),
    ]
    try {
      const item = generator.generate({ ...inner, schemas, ...(isUnique ? { taken } : {}) })
      items.push(item)
      if (isUnique) taken.add(equalityKey(item))
    } catch (error) {
      // The array may end before an item that can't be generated, unless that is too early.
      const isEarly = index < range.min || [...placed.keys()].some((place) => place >= index)
      if (!(error instanceof Unsatisfied) || isEarly) throw error
      break
    }
  }
  return items
}

/** A whole tuple, or a short list; only what is required when the value is large enough. */
function chooseLength(
  generator: ValueGenerator,
  parts: readonly SchemaObject[],
  { isEnding }: ValueRequest,
  { min, max }: SizeRange,
  needed: number,
): number {
  const prefix = Math.max(0, ...parts.map(countPrefixItems))
  if (isEnding) return needed > 0 ? Math.max(min, prefix + needed) : min
  const isClosed = parts.some((part) => {
    const next = findItemSchema(part, prefix) ?? part.unevaluatedItems
    return next !== undefined && generator.minDepth.of(next as Schema) === Number.POSITIVE_INFINITY
  })
  if (isClosed) return prefix
  if (prefix > 0) return prefix + needed
  // Two items show that it is an array where the schema says nothing about them.
  const isOpen = parts.every((part) => findItemSchema(part, 0) === undefined && part.contains === undefined)
  const least = Math.max(min, 1)
  const most = Math.max(min, Math.min(max, isOpen ? 2 : MAX_READABLE_ITEMS))
  return least + generator.random.below(Math.max(1, Math.min(most - least + 1, MAX_READABLE_ITEMS)))
}

function itemSchemas(parts: readonly SchemaObject[], index: number): Schema[] {
  const found = parts.map((part) => findItemSchema(part, index)).filter((part) => part !== undefined)
  // Which items `contains` evaluates is known only to the validator.
  if (found.length > 0 || parts.some(({ contains }) => contains !== undefined)) return found
  return parts.flatMap(({ unevaluatedItems: rest }) => (rest === undefined ? [] : [rest as Schema]))
}

interface Contained {
  readonly schema: Schema
  readonly count: number
}

function readContained(parts: readonly SchemaObject[]): Contained[] {
  return parts.flatMap(({ contains, minContains = 1 }) =>
    contains === undefined ? [] : [{ schema: contains as Schema, count: minContains as number }],
  )
}

/** Which items meet which `contains`: the last ones, which tuples seldom reach; others in later attempts. */
function placeContained(contained: readonly Contained[], length: number, attempt: number): Map<number, Schema[]> {
  const placed = new Map<number, Schema[]>()
  let next = attempt
  for (const { schema, count } of contained) {
    if (count > length) throw new Unsatisfied(`it must contain ${count} items, and may have ${length}`, '#')
    for (let i = 0; i < count; i++) {
      const index = length - 1 - (next % length)
      placed.set(index, [...(placed.get(index) ?? []), schema])
      next += 1
    }
  }
  return placed
}

/** Schemas that keep an item from being counted by `contains` where `maxContains` limits the count. */
function excludedSchemas(
  parts: readonly SchemaObject[],
  placed: ReadonlyMap<number, Schema[]>,
  index: number,
): Schema[] {
  return parts.flatMap(({ contains, maxContains }) => {
    if (contains === undefined || maxContains === undefined) return []
    return placed.get(index)?.includes(contains as Schema) ? [] : [{ not: contains as Schema }]
  })
}
