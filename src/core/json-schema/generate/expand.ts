/**
 * Makes one list of plain schema objects out of everything that describes a value: references followed, `allOf` laid
 * side by side, and one way taken at each fork (`anyOf`, `oneOf`, `if`, `not`, `dependentSchemas`).
 */

import type { References } from '../references.ts'
import { isRecord, type JsonType, type Schema, type SchemaObject, typeOf, Unsatisfied, type Work } from '../schema.ts'
import type { Choices } from './choices.ts'
import type { MinDepth } from './min-depth.ts'
import { negations } from './negate.ts'

export interface Expansion {
  readonly references: References
  readonly wayOut: MinDepth
  readonly work: Work
  readonly choices: Choices
  /** What is already known of which types schemas allow. */
  readonly types: Map<Schema, readonly JsonType[]>
  /** Take the shortest way: the value is deep or large enough. */
  readonly isEnding: boolean
  readonly path: string
}

const MAX_LOOK = 12
const ALL_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** The plain schema objects that a value must meet all of, for these choices. */
export function expand(schemas: readonly Schema[], context: Expansion): SchemaObject[] {
  const { references, choices, work, path } = context
  const parts = new Set<SchemaObject>()
  const queue: Schema[] = [...schemas]
  const forks: (readonly Schema[])[] = []
  const triggers = new Set<string>()
  for (let index = 0; index < queue.length || forks.length > 0 || addDependents(); index++) {
    // What is certain comes first: it says which ways of a fork are open at all.
    if (index >= queue.length) {
      queue.push(takeFork(forks, [...parts], context))
    }
    const schema = queue[index]!
    work.spend(1, path)
    if (schema === false) throw new Unsatisfied('no value is allowed', path)
    if (schema === true || parts.has(schema)) continue
    parts.add(schema)
    queue.push(...references.targets(schema, path), ...listOf(schema.allOf))
    if (schema.anyOf !== undefined) forks.push(listOf(schema.anyOf))
    if (schema.oneOf !== undefined) forks.push(listOf(schema.oneOf))
    if (schema.not !== undefined) forks.push(opposite(schema.not as Schema, references, path))
    if (schema.if !== undefined) {
      const condition = schema.if as Schema
      const { then: positive = true, else: negative = true } = schema as { then?: Schema; else?: Schema }
      forks.push([{ allOf: [condition, positive] }, { allOf: [{ not: condition }, negative] }])
    }
  }
  return [...parts]

  /** Schemas that a property brings with it: a property that need not be there may be left out instead. */
  function addDependents(): boolean {
    for (const part of parts) {
      const dependents = { ...(part.dependentSchemas ?? {}), ...(part.dependencies ?? {}) } as Record<string, Schema>
      for (const trigger of Object.keys(dependents)) {
        const needed = dependents[trigger]!
        if (Array.isArray(needed) || triggers.has(trigger)) continue
        triggers.add(trigger)
        const isRequired = [...parts].some(({ required }) => Array.isArray(required) && required.includes(trigger))
        const without: Schema = { properties: Object.fromEntries([[trigger, false]]) }
        const present: Schema = { allOf: [{ required: [trigger] }, needed] }
        forks.push(isRequired ? [needed] : choices.seldom(2) ? [present, without] : [without, present])
        return true
      }
    }
    return false
  }
}

function opposite(schema: Schema, references: References, path: string): Schema[] {
  const options = negations(schema, typeof schema === 'boolean' ? [] : references.targets(schema, path))
  if (options.length === 0) throw new Unsatisfied("'not' leaves no value", path)
  return options
}

/** Takes one fork out of the list, the one with the fewest ways open: it decides most about the others. */
function takeFork(forks: (readonly Schema[])[], parts: readonly SchemaObject[], context: Expansion): Schema {
  const { choices, wayOut, path } = context
  context.work.spend(Math.ceil(parts.length / 8), path)
  const ways = openWays(forks, typesOfAll(parts), context)
  const fewest = ways.reduce((best, { length }, index) => (length < ways[best]!.length ? index : best), 0)
  const [fork = []] = forks.splice(fewest, 1)
  const open = ways[fewest]!
  if (open.length === 0) throw new Unsatisfied(`none of the ${fork.length} alternatives can be met`, path)
  if (open.length === 1) return open[0]!
  if (context.isEnding) {
    return choices.first([...open].sort((left, right) => wayOut.height(left) - wayOut.height(right)))
  }
  // Something is more telling than null: null comes once in eight, or when all else fails.
  const something = open.filter((option) => possibleTypes(option, context).some((type) => type !== 'null'))
  const nothing = open.filter((option) => !something.includes(option))
  if (something.length === 0 || nothing.length === 0) return choices.pick(open)
  return choices.first(choices.seldom(8) ? [...nothing, ...something] : [...choices.rotated(something), ...nothing])
}

/** The ways of each fork that are open for a type that all forks have a way for. */
function openWays(forks: readonly (readonly Schema[])[], types: JsonType[], context: Expansion): Schema[][] {
  const ways = forks.map((fork) => waysOf(fork, types, context))
  const common = types.filter((type) =>
    ways.every((way) => way.some((option) => possibleTypes(option, context).includes(type))),
  )
  return common.length === types.length || common.length === 0 ? ways : openWays(ways, common, context)
}

const waysOf = (fork: readonly Schema[], allowed: readonly JsonType[], context: Expansion): Schema[] =>
  fork.filter((option) => {
    context.work.spend(1, context.path)
    if (context.wayOut.height(option) === Number.POSITIVE_INFINITY) return false
    const types = possibleTypes(option, context)
    return allowed.some((type) => types.includes(type))
  })

/** The types that all of these leave open. */
export const typesOfAll = (parts: readonly SchemaObject[]): JsonType[] =>
  ALL_TYPES.filter((type) => parts.every((part) => ownTypes(part).includes(type)))

function ownTypes(schema: SchemaObject): readonly JsonType[] {
  if (schema.type === undefined) return ALL_TYPES
  const named = ([schema.type].flat() as string[]).map((type) => (type === 'integer' ? 'number' : type) as JsonType)
  return schema.nullable === true ? [...named, 'null'] : named
}

/** A quick look at which types a schema allows; it may say too many. */
function possibleTypes(schema: Schema, context: Expansion, depth = 0): readonly JsonType[] {
  if (!isRecord(schema)) return schema ? ALL_TYPES : []
  const known = context.types.get(schema)
  if (known !== undefined) return known
  if (depth > MAX_LOOK) return ALL_TYPES
  context.work.spend(1, context.path)
  const all = [...context.references.targets(schema), ...listOf(schema.allOf)].map((part) =>
    possibleTypes(part, context, depth + 1),
  )
  const forks = [schema.anyOf, schema.oneOf].filter((fork) => fork !== undefined)
  const any = forks.map((fork) => listOf(fork).flatMap((option) => possibleTypes(option, context, depth + 1)))
  const lists = [schema.enum as unknown[] | undefined, Object.hasOwn(schema, 'const') ? [schema.const] : undefined]
  const listed = lists.filter((list) => list !== undefined).map((list) => list.map(typeOf))
  const types = ownTypes(schema).filter((type) => [...all, ...any, ...listed].every((some) => some.includes(type)))
  context.types.set(schema, types)
  return types
}

const listOf = (value: unknown): readonly Schema[] => (value ?? []) as readonly Schema[]
