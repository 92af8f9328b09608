/** Validates the keywords of arrays. */

import type { Steps } from '../../work/steps.ts'
import type { Schema, SchemaObject } from '../schema.ts'
import { equalityKey } from './equality.ts'
import type { InstanceNode, SchemaVisitor } from './instance-node.ts'

type ArrayNode = InstanceNode<readonly unknown[]>

/** What is wrong with the items, or undefined. */
export function* checkArray(visitor: SchemaVisitor, schema: SchemaObject, node: ArrayNode): Steps<string | undefined> {
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
    const error = yield* visitor.visit(part, node.child(index))
    if (error !== undefined) return error
  }
  return undefined
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
