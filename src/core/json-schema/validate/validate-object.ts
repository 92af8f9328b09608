/** Validates the keywords of objects. */

import { own, type Schema, type SchemaObject } from '../schema.ts'
import { Evaluated, InstanceNode, type SchemaVisitor } from './instance-node.ts'

type Names = Readonly<Record<string, unknown>>

/** What is wrong with the properties, or undefined; adds their names to `evaluated`. */
export function checkObject(
  validator: SchemaVisitor,
  schema: SchemaObject,
  value: Record<string, unknown>,
  node: InstanceNode,
  evaluated: Evaluated,
): string | undefined {
  const names = Object.keys(value)
  const { minProperties, maxProperties } = schema as Record<string, number | undefined>
  if (minProperties !== undefined && names.length < minProperties) {
    return `${node.at} has fewer than ${minProperties} properties`
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    return `${node.at} has more than ${maxProperties} properties`
  }
  return (
    checkRequired(schema, value, node) ??
    checkDependents(validator, schema, value, node, evaluated) ??
    checkNames(validator, schema, names, node) ??
    checkProperties(validator, schema, value, node, evaluated)
  )
}

function checkRequired(schema: SchemaObject, value: Names, node: InstanceNode): string | undefined {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const missing = required.find((name) => !Object.hasOwn(value, name))
  return missing === undefined ? undefined : `${node.at} lacks the required property '${missing}'`
}

function checkDependents(
  validator: SchemaVisitor,
  schema: SchemaObject,
  value: Names,
  node: InstanceNode,
  evaluated: Evaluated,
): string | undefined {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependents = (schema[keyword] ?? {}) as Names
    for (const trigger of Object.keys(dependents)) {
      if (!Object.hasOwn(value, trigger)) continue
      const needed = dependents[trigger] as string[] | Schema
      const error = Array.isArray(needed)
        ? checkRequired({ required: needed }, value, node)
        : validator.visit(needed, value, node, evaluated)
      if (error !== undefined) return error
    }
  }
  return undefined
}

function checkNames(
  validator: SchemaVisitor,
  schema: SchemaObject,
  names: readonly string[],
  node: InstanceNode,
): string | undefined {
  if (schema.propertyNames === undefined) return undefined
  for (const name of names) {
    // A node of its own: the name is a value too.
    const nameNode = new InstanceNode(`the name of ${node.at}.${name}`)
    const error = validator.visit(schema.propertyNames as Schema, name, nameNode, new Evaluated())
    if (error !== undefined) return error
  }
  return undefined
}

function checkProperties(
  validator: SchemaVisitor,
  schema: SchemaObject,
  value: Names,
  node: InstanceNode,
  evaluated: Evaluated,
): string | undefined {
  if (
    schema.properties === undefined &&
    schema.patternProperties === undefined &&
    schema.additionalProperties === undefined
  ) {
    return undefined
  }
  for (const name of Object.keys(value)) {
    for (const part of findPropertySchemas(validator, schema, name)) {
      const error = validator.visit(part, value[name], node.child(name), new Evaluated())
      if (error !== undefined) return error
      evaluated.properties.add(name)
    }
  }
  return undefined
}

/** The schemas of the property of this name. */
export function findPropertySchemas(
  { patterns }: Pick<SchemaVisitor, 'patterns'>,
  schema: SchemaObject,
  name: string,
): Schema[] {
  const found: Schema[] = []
  const named = own((schema.properties ?? {}) as Names, name) as Schema | undefined
  if (named !== undefined) found.push(named)
  const patternProperties = (schema.patternProperties ?? {}) as Readonly<Record<string, Schema>>
  for (const pattern of Object.keys(patternProperties)) {
    if (patterns.matches(pattern, name, '#')) found.push(patternProperties[pattern]!)
  }
  if (found.length === 0 && schema.additionalProperties !== undefined) found.push(schema.additionalProperties as Schema)
  return found
}
