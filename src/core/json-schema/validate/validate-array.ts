/** Validates the keywords of arrays. */

import type { Schema, SchemaObject } from '../schema.ts'
import { equalityKey } from './equality.ts'
import { Evaluated, type InstanceNode, type SchemaVisitor } from './instance-node.ts'

/** What is wrong with the items, or undefined; adds their indexes to `evaluated`. */
export function checkArray(
  validator: SchemaVisitor,
  schema: SchemaObject,
  value: readonly unknown[],
  node: InstanceNode,
  evaluated: Evaluated,
): string | undefined {
  const { minItems, maxItems } = schema as Record<string, number | undefined>
  if (minItems !== undefined && value.length < minItems) return `${node.at} has fewer than ${minItems} items`
  if (maxItems !== undefined && value.length > maxItems) return `${node.at} has more than ${maxItems} items`
  if (schema.uniqueItems === true && new Set(value.map((item) => equalityKey(item))).size < value.length) {
    return `${node.at} has equal items`
  }
  for (let index = 0; index < value.length; index++) {
    const part = findItemSchema(schema, index)
    if (part === undefined) break
    const error = validator.visit(part, value[index], node.child(index), new Evaluated())
    if (error !== undefined) return error
    evaluated.items.add(index)
  }
  return checkContains(validator, schema, value, node, evaluated)
}

function checkContains(
  validator: SchemaVisitor,
  schema: SchemaObject,
  value: readonly unknown[],
  node: InstanceNode,
  evaluated: Evaluated,
): string | undefined {
  if (schema.contains === undefined) return undefined
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema as Record<string, number | undefined>
  let count = 0
  for (let index = 0; index < value.length; index++) {
    if (validator.visit(schema.contains as Schema, value[index], node.child(index), new Evaluated()) !== undefined)
      continue
    count += 1
    evaluated.items.add(index)
  }
  if (count < minContains) return `${node.at} has ${count} items that match 'contains', and needs ${minContains}`
  if (count > maxContains) return `${node.at} has ${count} items that match 'contains', and may have ${maxContains}`
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
