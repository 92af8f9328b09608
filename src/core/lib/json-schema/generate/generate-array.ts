/** Generates an array: how many items it has, and what each of them must be. */
import type { SchemaObject } from '../json-schema.ts'
import { equalityKey } from '../json-values.ts'
import { itemSchema, prefixOf, readSizeRange, type SizeRange } from '../keywords.ts'
import type { PartsGenerator, ValueGenerator } from './value-request.ts'

const MAX_ITEMS = 10_000
/** The most items of an array that could have any number of them. */
const MAX_READABLE_ITEMS = 3

export const generateArray: PartsGenerator = (generator, parts, request) => {
  const range = readSizeRange(parts, 'Items', MAX_ITEMS, request.path)
  const { min, max } = range
  const length = request.isEnding ? min : Math.min(max, Math.max(min, chooseLength(generator, parts, range)))
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true)
  const items: unknown[] = []
  const taken = new Set<string>()
  for (let index = 0; index < length; index++) {
    const schemas = parts.map((part) => itemSchema(part, index)).filter((part) => part !== undefined)
    const itemRequest = { ...request, path: `${request.path}/items`, schemas, taken: isUnique ? taken : undefined }
    // The array may end before an item that can't be generated, unless that is too early.
    const item = generator.generatePart(itemRequest, { isRequired: index < min })
    if (item === undefined) break
    items.push(item)
    if (isUnique) taken.add(equalityKey(item))
  }
  return items
}

/** The length of the whole tuple, or of a short list. The caller keeps it between `min` and `max`. */
function chooseLength(
  { shapeOf, random }: ValueGenerator,
  parts: readonly SchemaObject[],
  { min, max }: SizeRange,
): number {
  const prefix = Math.max(0, ...parts.map((part) => prefixOf(part).length))
  // No item can follow the prefix.
  const isClosed = parts.some((part) => !Number.isFinite(shapeOf(itemSchema(part, prefix) ?? true).depth))
  if (isClosed || prefix > 0) return prefix
  // Two items show that it is an array where the schema says nothing about them.
  const isOpen = parts.every((part) => itemSchema(part, 0) === undefined)
  const least = Math.max(min, 1)
  const most = Math.max(min, Math.min(max, isOpen ? 2 : MAX_READABLE_ITEMS))
  return least + random.below(Math.max(1, most - least + 1))
}
