/** Validates the keywords of arrays. */

import type { Schema, SchemaObject } from '../schema.ts'
import { equalityKey } from './equality.ts'
import { Evaluated, type InstanceNode, type SchemaVisitor } from './instance-node.ts'

type ArrayNode = InstanceNode<readonly unknown[]>

/** What is wrong with the items, or undefined; adds their indexes to `evaluated`. */
export function checkArray(
  visitor: SchemaVisitor,
  schema: SchemaObject,
  node: ArrayNode,
  evaluated: Evaluated,
): string | undefined {
  const { at, value } = node
  const { minItems, maxItems } = schema as Record<string, number | undefined>
  if (minItems !== undefined && value.length < minItems) return `${at} has fewer than ${minItems} items`
  if (maxItems !== undefined && value.length > maxItems) return `${at} has more than ${maxItems} items`
  if (schema.uniqueItems === true && new Set(value.map((item) => equalityKey(item))).size < value.length) {
    return `${at} has equal items`
  }
  for (let index = 0; index < value.length; index++) {
    const part = findItemSchema(schema, index)
    if (part === undefined) break
    const error = visitor.visit(part, node.child(index), new Evaluated())
    if (error !== undefined) return error
    evaluated.items.add(index)
  }
  if (schema.contains === undefined) return undefined
  const found = value.flatMap((_, index) =>
    visitor.visit(schema.contains as Schema, node.child(index), new Evaluated()) === undefined ? [index] : [],
  )
  for (const index of found) evaluated.items.add(index)
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema as Record<string, number | undefined>
  const sentence = `${at} has ${found.length} items that match 'contains', and`
  if (found.length < minContains) return `${sentence} needs ${minContains}`
  return found.length > maxContains ? `${sentence} may have ${maxContains}` : undefined
}

/** The schema of the item at this index, in the form of either draft. */
export function findItemSchema(schema: SchemaObject, index: number): Schema | undefined {
  const isTuple = Array.isArray(schema.items)
  const prefix = (isTuple ? schema.items : (schema.prefixItems ?? [])) as readonly Schema[]
  if (index < prefix.length) return prefix[index]
  return (isTuple ? schema.additionalItems : schema.items) as Schema | undefined
}

/** How many items a tuple describes one by one. */
export function countPrefixItems(schema: SchemaObject): number {
  const prefix = Array.isArray(schema.items) ? schema.items : schema.prefixItems
  return Array.isArray(prefix) ? prefix.length : 0
}
