/** Generates an array: how many items it has, and what each of them must be. */

import type { Steps } from '../../work/steps.ts'
import { type SchemaObject, Unsatisfied } from '../schema.ts'
import { equalityKey } from '../validate/equality.ts'
import { countPrefixItems, findItemSchema } from '../validate/validate-array.ts'
import { readSizeRange, type SizeRange } from './size-range.ts'
import { requestInside, type ValueGenerator, type ValueRequest } from './value-generator.ts'

const MAX_ITEMS = 10_000
/** The most items of an array that could have any number of them. */
const MAX_READABLE_ITEMS = 3

/** Throws `Unsatisfied` when a required item can't be generated. */
export function* generateArray(
  generator: ValueGenerator,
  parts: readonly SchemaObject[],
  request: ValueRequest,
): Steps<unknown[]> {
  const range = readSizeRange(parts, 'Items', MAX_ITEMS, request.path)
  const length = Math.min(range.max, Math.max(range.min, yield* chooseLength(generator, parts, request, range)))
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true)
  const inner = { ...requestInside(request, `${request.path}/items`), name: request.name }
  const items: unknown[] = []
  const taken = new Set<string>()
  for (let index = 0; index < length; index++) {
    const schemas = parts.map((part) => findItemSchema(part, index)).filter((part) => part !== undefined)
    try {
      const item = yield* generator.generate({ ...inner, schemas, ...(isUnique ? { taken } : {}) })
      items.push(item)
      if (isUnique) taken.add(equalityKey(item))
    } catch (error) {
      // The array may end before an item that can't be generated, unless that is too early.
      if (!(error instanceof Unsatisfied) || index < range.min) throw error
      break
    }
  }
  return items
}

/** A whole tuple, or a short list; only what is required when the value is large enough. */
function* chooseLength(
  { minDepth, random }: ValueGenerator,
  parts: readonly SchemaObject[],
  { isEnding }: ValueRequest,
  { min, max }: SizeRange,
): Steps<number> {
  if (isEnding) return min
  const prefix = Math.max(0, ...parts.map(countPrefixItems))
  let isClosed = false
  for (const part of parts) {
    const next = findItemSchema(part, prefix)
    if (next === undefined) continue
    yield* minDepth.measure(next)
    if (minDepth.of(next) === Number.POSITIVE_INFINITY) {
      isClosed = true
      break
    }
  }
  if (isClosed || prefix > 0) return prefix
  // Two items show that it is an array where the schema says nothing about them.
  const isOpen = parts.every((part) => findItemSchema(part, 0) === undefined)
  const least = Math.max(min, 1)
  const most = Math.max(min, Math.min(max, isOpen ? 2 : MAX_READABLE_ITEMS))
  return least + random.below(Math.max(1, Math.min(most - least + 1, MAX_READABLE_ITEMS)))
}
