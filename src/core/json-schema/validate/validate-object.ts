/** The keywords of objects, checked. */

import { own, type Schema, type SchemaObject } from '../schema.ts'
import { Evaluated, InstanceNode, type Visitor } from './instance-node.ts'

type Names = Readonly<Record<string, unknown>>

/** What is wrong with the properties, or nothing; the names that were spoken of are added to `seen`. */
export function checkObject(
  validator: Visitor,
  schema: SchemaObject,
  value: Record<string, unknown>,
  place: InstanceNode,
  seen: Evaluated,
): string | undefined {
  const names = Object.keys(value)
  const { minProperties, maxProperties } = schema as Record<string, number | undefined>
  if (minProperties !== undefined && names.length < minProperties) {
    return `${place.at} has fewer than ${minProperties} properties`
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    return `${place.at} has more than ${maxProperties} properties`
  }
  return (
    checkRequired(schema, value, place) ??
    checkDependents(validator, schema, value, place, seen) ??
    checkNames(validator, schema, names, place) ??
    checkProperties(validator, schema, value, place, seen)
  )
}

function checkRequired(schema: SchemaObject, value: Names, place: InstanceNode): string | undefined {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const missing = required.find((name) => !Object.hasOwn(value, name))
  return missing === undefined ? undefined : `${place.at} lacks the required property '${missing}'`
}

function checkDependents(
  validator: Visitor,
  schema: SchemaObject,
  value: Names,
  place: InstanceNode,
  seen: Evaluated,
): string | undefined {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependents = (schema[keyword] ?? {}) as Names
    for (const trigger of Object.keys(dependents)) {
      if (!Object.hasOwn(value, trigger)) continue
      const needed = dependents[trigger] as string[] | Schema
      const error = Array.isArray(needed)
        ? checkRequired({ required: needed }, value, place)
        : validator.visit(needed, value, place, seen)
      if (error !== undefined) return error
    }
  }
  return undefined
}

function checkNames(
  validator: Visitor,
  schema: SchemaObject,
  names: readonly string[],
  place: InstanceNode,
): string | undefined {
  if (schema.propertyNames === undefined) return undefined
  for (const name of names) {
    // A place of its own: the name is another value than what it names.
    const nameplate = new InstanceNode(`the name of ${place.at}.${name}`)
    const error = validator.visit(schema.propertyNames as Schema, name, nameplate, new Evaluated())
    if (error !== undefined) return error
  }
  return undefined
}

function checkProperties(
  validator: Visitor,
  schema: SchemaObject,
  value: Names,
  place: InstanceNode,
  seen: Evaluated,
): string | undefined {
  if (
    schema.properties === undefined &&
    schema.patternProperties === undefined &&
    schema.additionalProperties === undefined
  ) {
    return undefined
  }
  for (const name of Object.keys(value)) {
    for (const part of schemasOfProperty(validator, schema, name)) {
      const error = validator.visit(part, value[name], place.child(name), new Evaluated())
      if (error !== undefined) return error
      seen.properties.add(name)
    }
  }
  return undefined
}

/** What one schema object says of the property of this name: nothing, or one schema, or several. */
export function schemasOfProperty(
  { patterns }: Pick<Visitor, 'patterns'>,
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
