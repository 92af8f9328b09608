/**
 * Turns everything that describes a value into one list of plain schema objects: follows references, merges `allOf`,
 * and takes one branch at each branch point, which is an `anyOf` or a `oneOf`.
 *
 * A branch is open as long as a value can have a type that the branch and the parts found so far allow.
 */
import { isObject } from '../../text/json.ts'
import { type JsonSchema, type SchemaObject, Unsatisfied } from '../json-schema.ts'
import { schemaList } from '../keywords.ts'
import type { ChoiceSequence } from './choice-sequence.ts'
import type { ValueGenerator, ValueRequest } from './value-request.ts'
import { commonTypes } from './value-shapes.ts'

/** The plain schema objects that a value must all meet, for these choices. */
export function chooseBranches(
  generator: ValueGenerator,
  { schemas, path, isEnding }: ValueRequest,
  choices: ChoiceSequence,
): SchemaObject[] {
  const { index, work, shapeOf } = generator
  const parts = new Set<SchemaObject>()
  const queue: JsonSchema[] = [...schemas]
  /** The branches of each branch point that was found and not yet taken. */
  const points: (readonly JsonSchema[])[] = []
  /** Removes the branch point with the fewest open branches, which restricts the others most, and returns one of them. */
  const takeBranch = (): JsonSchema => {
    const allowed = commonTypes([...parts])
    const isOpen = (branch: JsonSchema): boolean => {
      work.spend(1, path)
      const { types, depth } = shapeOf(branch)
      return Number.isFinite(depth) && allowed.some((type) => types.includes(type))
    }
    const open = points.map((branches) => branches.filter(isOpen))
    const fewest = open.reduce((best, { length }, at) => (length < open[best]!.length ? at : best), 0)
    const [alternatives = []] = points.splice(fewest, 1)
    const branches = open[fewest]!
    if (branches.length === 0) throw new Unsatisfied(`none of the ${alternatives.length} alternatives can be met`, path)
    if (branches.length === 1) return branches[0]!
    if (isEnding) return choices.takeInOrder(branches.sort((left, right) => shapeOf(left).depth - shapeOf(right).depth))
    return choices.takeSeeded(branches, (branch) => shapeOf(branch).types.every((type) => type === 'null'))
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
  }
  return [...parts]
}
