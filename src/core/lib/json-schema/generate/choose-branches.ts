/**
 * Turns everything that describes a value into one list of plain schema objects: follows references, merges `allOf`,
 * and takes one branch at each branch point, which is an `anyOf`, a `oneOf` or an `if`.
 *
 * A branch is open as long as a value can have a type that the branch and the parts found so far allow.
 */
import { isObject } from '../../text/json.ts'
import { type JsonSchema, type JsonType, type SchemaObject, schemaList, typeOf, Unsatisfied } from '../json-schema.ts'
import type { ChoiceSequence, ValueGenerator, ValueRequest } from './value-request.ts'

const MAX_TYPE_DEPTH = 12
const ALL_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** The plain schema objects that a value must all meet, for these choices. */
export function chooseBranches(
  generator: ValueGenerator,
  { schemas, path, isEnding }: ValueRequest,
  choices: ChoiceSequence,
): SchemaObject[] {
  const { index, work, depthOf } = generator
  const parts = new Set<SchemaObject>()
  const queue: JsonSchema[] = [...schemas]
  const points: (readonly JsonSchema[])[] = []
  /** Removes the branch point with the fewest open branches, which restricts the others most, and returns one of them. */
  const takeBranch = (): JsonSchema => {
    const allowed = commonTypes([...parts])
    const isOpen = (branch: JsonSchema): boolean => {
      work.spend(1, path)
      if (depthOf(branch) === Number.POSITIVE_INFINITY) return false
      const types = possibleTypes(branch, generator, path)
      return allowed.some((type) => types.includes(type))
    }
    const open = points.map((branches) => branches.filter(isOpen))
    const fewest = open.reduce((best, { length }, at) => (length < open[best]!.length ? at : best), 0)
    const [all = []] = points.splice(fewest, 1)
    const branches = open[fewest]!
    if (branches.length === 0) throw new Unsatisfied(`none of the ${all.length} alternatives can be met`, path)
    if (branches.length === 1) return branches[0]!
    if (isEnding) return choices.takeInOrder(branches.sort((left, right) => depthOf(left) - depthOf(right)))
    return choices.takeSeeded(branches, (branch) =>
      possibleTypes(branch, generator, path).every((type) => type === 'null'),
    )
  }

  for (let at = 0; at < queue.length || points.length > 0; at++) {
    // A branch is taken only when nothing else is left, because the other parts show which branches are open.
    if (at >= queue.length) queue.push(takeBranch())
    const schema = queue[at]!
    work.spend(1, path)
    if (schema === false) throw new Unsatisfied('no value is allowed', path)
    if (schema === true || parts.has(schema)) continue
    parts.add(schema)
    const target = index.targetOf(schema, path)
    if (target !== undefined) queue.push(target)
    for (const part of schemaList(schema.allOf)) queue.push(part)
    if (schema.anyOf !== undefined) points.push(schemaList(schema.anyOf))
    if (schema.oneOf !== undefined) points.push(schemaList(schema.oneOf))
    // The validator checks any other `not`, and rejected values are generated again.
    if (schema.not === true || (isObject(schema.not) && Object.keys(schema.not).length === 0)) {
      throw new Unsatisfied("'not' leaves no value", path)
    }
    if (schema.if !== undefined) {
      const { then: positive = true, else: negative = true } = schema as { then?: JsonSchema; else?: JsonSchema }
      // The validator checks that a value of `else` fails the condition, and rejected values are generated again.
      points.push([{ allOf: [schema.if, positive] }, negative])
    }
  }
  return [...parts]
}

/** The types that the `type` of each schema allows. */
export const commonTypes = (parts: readonly SchemaObject[]): JsonType[] =>
  ALL_TYPES.filter((type) => parts.every((part) => ownTypes(part).includes(type)))

function ownTypes(schema: SchemaObject): readonly JsonType[] {
  if (schema.type === undefined) return ALL_TYPES
  const named = ([schema.type].flat() as string[]).map((type) => (type === 'integer' ? 'number' : type) as JsonType)
  return schema.nullable === true ? [...named, 'null'] : named
}

/** A quick estimate of the types that a schema allows; it may list too many. */
function possibleTypes(schema: JsonSchema, generator: ValueGenerator, path: string, depth = 0): readonly JsonType[] {
  if (typeof schema === 'boolean') return schema ? ALL_TYPES : []
  const known = generator.types.get(schema)
  if (known !== undefined) return known
  if (depth > MAX_TYPE_DEPTH) return ALL_TYPES
  generator.work.spend(1, path)
  const typesOf = (part: JsonSchema): readonly JsonType[] => possibleTypes(part, generator, path, depth + 1)
  const target = generator.index.targetOf(schema, path)
  const restrictions = schemaList(schema.allOf).map(typesOf)
  if (target !== undefined) restrictions.push(typesOf(target))
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches !== undefined) restrictions.push(schemaList(branches).flatMap(typesOf))
  }
  if (schema.enum !== undefined) restrictions.push((schema.enum as unknown[]).map(typeOf))
  if (Object.hasOwn(schema, 'const')) restrictions.push([typeOf(schema.const)])
  const types = ownTypes(schema).filter((type) => restrictions.every((allowed) => allowed.includes(type)))
  generator.types.set(schema, types)
  return types
}
