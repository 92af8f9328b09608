/** The keywords of arrays, checked. */

import type { Schema, SchemaObject } from '../schema.ts'
import { equalityKey } from './equality.ts'
import { Evaluated, type InstanceNode, type Visitor } from './instance-node.ts'

/** What is wrong with the items, or nothing; the indexes that were spoken of are added to `seen`. */
export function checkArray(
  validator: Visitor,
  schema: SchemaObject,
  value: readonly unknown[],
  place: InstanceNode,
  seen: Evaluated,
): string | undefined {
  const { minItems, maxItems } = schema as Record<string, number | undefined>
  if (minItems !== undefined && value.length < minItems) return `${place.at} has fewer than ${minItems} items`
  if (maxItems !== undefined && value.length > maxItems) return `${place.at} has more than ${maxItems} items`
  if (schema.uniqueItems === true && new Set(value.map((item) => equalityKey(item))).size < value.length) {
    return `${place.at} has equal items`
  }
  for (let index = 0; index < value.length; index++) {
    const part = schemaOfItem(schema, index)
    if (part === undefined) break
    const error = validator.visit(part, value[index], place.child(index), new Evaluated())
    if (error !== undefined) return error
    seen.items.add(index)
  }
  return checkContains(validator, schema, value, place, seen)
}

function checkContains(
  validator: Visitor,
  schema: SchemaObject,
  value: readonly unknown[],
  place: InstanceNode,
  seen: Evaluated,
): string | undefined {
  if (schema.contains === undefined) return undefined
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema as Record<string, number | undefined>
  let count = 0
  for (let index = 0; index < value.length; index++) {
    if (validator.visit(schema.contains as Schema, value[index], place.child(index), new Evaluated()) !== undefined)
      continue
    count += 1
    seen.items.add(index)
  }
  if (count < minContains) return `${place.at} has ${count} of the items it must contain, and needs ${minContains}`
  if (count > maxContains) return `${place.at} has ${count} of the items it must contain, and may have ${maxContains}`
  return undefined
}

/** What one schema object says of the item at this index, in the words of either draft. */
export function schemaOfItem(schema: SchemaObject, index: number): Schema | undefined {
  const isTuple = Array.isArray(schema.items)
  const prefix = (isTuple ? schema.items : (schema.prefixItems ?? [])) as readonly Schema[]
  if (index < prefix.length) return prefix[index]
  return (isTuple ? schema.additionalItems : schema.items) as Schema | undefined
}

/** How many items one schema object describes one by one. */
export function prefixLength(schema: SchemaObject): number {
  const prefix = Array.isArray(schema.items) ? schema.items : schema.prefixItems
  return Array.isArray(prefix) ? prefix.length : 0
}
