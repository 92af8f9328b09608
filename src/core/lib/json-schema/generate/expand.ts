/**
 * Turns everything that describes a value into one list of plain schema objects: follows references, merges `allOf`,
 * and takes one branch at each branch point, which is an `anyOf`, a `oneOf` or an `if`.
 *
 * A branch is open as long as a value can have a type that the branch, the parts found so far and the other branch points
 * allow.
 */

import { isObject } from '../../text/json.ts'
import type { Steps } from '../../work/steps.ts'
import type { References } from '../references.ts'
import {
  type JsonType,
  type Schema,
  type SchemaObject,
  schemaList,
  typeOf,
  Unsatisfied,
  type WorkBudget,
} from '../schema.ts'
import type { ChoiceSequence } from './choice-sequence.ts'
import type { MinDepth } from './min-depth.ts'

export interface ExpansionContext {
  readonly references: References
  readonly minDepth: MinDepth
  readonly work: WorkBudget
  readonly choices: ChoiceSequence
  /** Cache of the types that schemas allow. */
  readonly types: Map<Schema, readonly JsonType[]>
  /** Whether to end recursion as soon as possible: the value is deep or large enough. */
  readonly isEnding: boolean
  readonly path: string
}

/** The branches of an `anyOf`, a `oneOf` or an `if`, of which one is taken. */
type BranchPoint = readonly Schema[]

const MAX_TYPE_DEPTH = 12
/** Comparing the types of a part is cheaper than a step of the work budget. */
const TYPES_PER_STEP = 8
/** A value shows more than null: null comes once in so many values, or when everything else fails. */
const VALUES_PER_NULL = 8
const ALL_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** The plain schema objects that a value must all meet, for these choices. */
export function* expand(schemas: readonly Schema[], context: ExpansionContext): Steps<SchemaObject[]> {
  const { references, work, path } = context
  const parts = new Set<SchemaObject>()
  const queue: Schema[] = [...schemas]
  const points: BranchPoint[] = []
  for (let index = 0; index < queue.length || points.length > 0; index++) {
    // A branch is taken only when nothing else is left, because the other parts show which branches are open.
    if (index >= queue.length) queue.push(yield* takeBranch(points, [...parts], context))
    const schema = queue[index]!
    work.spend(1, path)
    if (work.isPauseDue) yield work.pause()
    if (schema === false) throw new Unsatisfied('no value is allowed', path)
    if (schema === true || parts.has(schema)) continue
    parts.add(schema)
    for (const part of references.targets(schema, path)) queue.push(part)
    for (const part of schemaList(schema.allOf)) queue.push(part)
    if (schema.anyOf !== undefined) points.push(schemaList(schema.anyOf))
    if (schema.oneOf !== undefined) points.push(schemaList(schema.oneOf))
    // The validator checks any other `not`, and rejected values are generated again.
    if (schema.not === true || (isObject(schema.not) && Object.keys(schema.not).length === 0)) {
      throw new Unsatisfied("'not' leaves no value", path)
    }
    if (schema.if !== undefined) {
      const condition = schema.if as Schema
      const { then: positive = true, else: negative = true } = schema as { then?: Schema; else?: Schema }
      // The validator checks that a value of `else` fails the condition, and rejected values are generated again.
      points.push([{ allOf: [condition, positive] }, negative])
    }
  }
  return [...parts]
}

/** Removes the branch point with the fewest open branches, which restricts the others most, and returns one of them. */
function* takeBranch(points: BranchPoint[], parts: readonly SchemaObject[], context: ExpansionContext): Steps<Schema> {
  const { choices, minDepth, path } = context
  context.work.spend(Math.ceil(parts.length / TYPES_PER_STEP), path)
  const openPoints = yield* keepOpen(points, commonTypes(parts), context)
  const fewest = openPoints.reduce((best, { length }, index) => (length < openPoints[best]!.length ? index : best), 0)
  const [all = []] = points.splice(fewest, 1)
  const open = openPoints[fewest]!
  if (open.length === 0) throw new Unsatisfied(`none of the ${all.length} alternatives can be met`, path)
  if (open.length === 1) return open[0]!
  if (context.isEnding) {
    return choices.takeInOrder([...open].sort((left, right) => minDepth.of(left) - minDepth.of(right)))
  }
  const values = open.filter((branch) => possibleTypes(branch, context).some((type) => type !== 'null'))
  const nulls = open.filter((branch) => !values.includes(branch))
  if (values.length === 0 || nulls.length === 0) return choices.takeSeeded(open)
  const isNullFirst = choices.isRare(VALUES_PER_NULL)
  return choices.takeInOrder(isNullFirst ? [...nulls, ...values] : [...choices.rotate(values), ...nulls])
}

/** Removes the branches that are not open. A branch that goes can close others, so this repeats until none goes. */
function* keepOpen(points: readonly BranchPoint[], types: JsonType[], context: ExpansionContext): Steps<BranchPoint[]> {
  const open: Schema[][] = []
  for (const branches of points) {
    const kept: Schema[] = []
    for (const branch of branches) if (yield* isOpen(branch, types, context)) kept.push(branch)
    open.push(kept)
  }
  const common = types.filter((type) =>
    open.every((branches) => branches.some((branch) => possibleTypes(branch, context).includes(type))),
  )
  return common.length === types.length || common.length === 0 ? open : yield* keepOpen(open, common, context)
}

/** Whether a value of one of these types can meet a branch. */
function* isOpen(branch: Schema, allowed: readonly JsonType[], context: ExpansionContext): Steps<boolean> {
  context.work.spend(1, context.path)
  if (context.work.isPauseDue) yield context.work.pause()
  yield* context.minDepth.measure(branch)
  if (context.minDepth.of(branch) === Number.POSITIVE_INFINITY) return false
  const types = possibleTypes(branch, context)
  return allowed.some((type) => types.includes(type))
}

/** The types that all schemas allow. */
export const commonTypes = (parts: readonly SchemaObject[]): JsonType[] =>
  ALL_TYPES.filter((type) => parts.every((part) => ownTypes(part).includes(type)))

/** The types that the schema's `type` allows. */
function ownTypes(schema: SchemaObject): readonly JsonType[] {
  if (schema.type === undefined) return ALL_TYPES
  const named = ([schema.type].flat() as string[]).map((type) => (type === 'integer' ? 'number' : type) as JsonType)
  return schema.nullable === true ? [...named, 'null'] : named
}

/** A quick estimate of the types that a schema allows; it may list too many. */
function possibleTypes(schema: Schema, context: ExpansionContext, depth = 0): readonly JsonType[] {
  if (!isObject(schema)) return schema ? ALL_TYPES : []
  const known = context.types.get(schema)
  if (known !== undefined) return known
  if (depth > MAX_TYPE_DEPTH) return ALL_TYPES
  context.work.spend(1, context.path)
  const typesOf = (part: Schema): readonly JsonType[] => possibleTypes(part, context, depth + 1)
  const restrictions = [...context.references.targets(schema), ...schemaList(schema.allOf)].map(typesOf)
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches !== undefined) restrictions.push(schemaList(branches).flatMap(typesOf))
  }
  if (schema.enum !== undefined) restrictions.push((schema.enum as unknown[]).map(typeOf))
  if (Object.hasOwn(schema, 'const')) restrictions.push([typeOf(schema.const)])
  const types = ownTypes(schema).filter((type) => restrictions.every((allowed) => allowed.includes(type)))
  context.types.set(schema, types)
  return types
}
