/** Validates the keywords of objects. */

import type { JsonObject } from '../../text/json.ts'
import type { Steps } from '../../work/steps.ts'
import type { Patterns } from '../regex/patterns.ts'
import { own, type Schema, type SchemaObject } from '../schema.ts'
import { InstanceNode, type SchemaVisitor } from './instance-node.ts'

type ObjectNode = InstanceNode<JsonObject>

/** What is wrong with the properties, or undefined. */
export function* checkObject(
  visitor: SchemaVisitor,
  schema: SchemaObject,
  node: ObjectNode,
): Steps<string | undefined> {
  const names = Object.keys(node.value)
  const { minProperties, maxProperties } = schema as Record<string, number | undefined>
  if (minProperties !== undefined && names.length < minProperties) {
    return `${node.at} has fewer than ${minProperties} properties`
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    return `${node.at} has more than ${maxProperties} properties`
  }
  return (
    checkRequired(schema.required, node) ??
    (yield* checkNames(visitor, schema, node)) ??
    (yield* checkProperties(visitor, schema, node))
  )
}

function checkRequired(required: unknown, { at, value }: ObjectNode): string | undefined {
  if (!Array.isArray(required)) return undefined
  const missing = required.find((name: string) => !Object.hasOwn(value, name))
  return missing === undefined ? undefined : `${at} lacks the required property '${missing}'`
}

function* checkNames(
  visitor: SchemaVisitor,
  { propertyNames }: SchemaObject,
  node: ObjectNode,
): Steps<string | undefined> {
  if (propertyNames === undefined) return undefined
  for (const name of Object.keys(node.value)) {
    const nameNode = new InstanceNode(name, `the name of ${node.at}.${name}`)
    const error = yield* visitor.visit(propertyNames as Schema, nameNode)
    if (error !== undefined) return error
  }
  return undefined
}

function* checkProperties(visitor: SchemaVisitor, schema: SchemaObject, node: ObjectNode): Steps<string | undefined> {
  const names = Object.keys(node.value)
  visitor.spendLookups(names.length)
  for (const name of names) {
    for (const part of findPropertySchemas(visitor.patterns, schema, name)) {
      const error = yield* visitor.visit(part, node.child(name))
      if (error !== undefined) return error
    }
  }
  return undefined
}

/** The schemas of the property of this name. */
export function findPropertySchemas(patterns: Patterns, schema: SchemaObject, name: string): Schema[] {
  const found: Schema[] = []
  const named = own((schema.properties ?? {}) as JsonObject, name) as Schema | undefined
  if (named !== undefined) found.push(named)
  const patternProperties = (schema.patternProperties ?? {}) as Readonly<Record<string, Schema>>
  for (const pattern of Object.keys(patternProperties)) {
    if (patterns.matches(pattern, name, '#')) found.push(patternProperties[pattern]!)
  }
  if (found.length === 0 && schema.additionalProperties !== undefined) found.push(schema.additionalProperties as Schema)
  return found
}
