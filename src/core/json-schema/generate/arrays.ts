/** An array: how many items it has, and what each of them must be. */

import { type Schema, type SchemaObject, SchemaProblem, Unsatisfied } from '../schema.ts'
import { equalityKey } from '../validate/equality.ts'
import { prefixLength, schemaOfItem } from '../validate/validate-array.ts'
import type { Maker, Task } from './task.ts'

const MAX_ITEMS = 10_000
const MANY = 3

/** Throws `Unsatisfied` when an item that must be there can't be made. */
export function makeArray(maker: Maker, parts: readonly SchemaObject[], task: Task, attempt: number): unknown[] {
  const { path } = task
  const [min, max] = countsOf(parts, path)
  const contained = containedIn(parts)
  const needed = contained.reduce((sum, { count }) => sum + count, 0)
  const length = Math.min(max, Math.max(min, needed, readableLength(maker, parts, task, [min, max], needed)))
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true)
  const places = placesOf(contained, length, attempt)
  const items: unknown[] = []
  const taken = new Set<string>()
  for (let index = 0; index < length; index++) {
    const extra = [...(places.get(index) ?? []), ...limitsOf(parts, places, index)]
    const schemas = [...schemasOf(parts, index), ...extra]
    const itemPath = `${path}/items`
    try {
      const item = maker.make({
        ...maker.inside(task, itemPath),
        schemas,
        name: task.name,
        ...(isUnique ? { taken } : {}),
      })
      items.push(item)
      if (isUnique) taken.add(equalityKey(item))
    } catch (error) {
      // An array may end before an item that can't be; if that is too early, the reason stands.
      const isEarly = index < min || [...places.keys()].some((place) => place >= index)
      if (!(error instanceof Unsatisfied) || isEarly) throw error
      break
    }
  }
  return items
}

function countsOf(parts: readonly SchemaObject[], path: string): [min: number, max: number] {
  let [min, max] = [0, Number.POSITIVE_INFINITY]
  for (const { minItems, maxItems } of parts) {
    if (minItems !== undefined) min = Math.max(min, minItems as number)
    if (maxItems !== undefined) max = Math.min(max, maxItems as number)
  }
  if (min > max) throw new Unsatisfied(`minItems ${min} is above maxItems ${max}`, path)
  if (min > MAX_ITEMS) throw new SchemaProblem(`minItems ${min} is above the ${MAX_ITEMS} that are made`, path)
  return [min, max]
}

/** A tuple whole, a list short; nothing more than must be when the value is large enough. */
function readableLength(
  maker: Maker,
  parts: readonly SchemaObject[],
  { isEnding }: Task,
  [min, max]: [number, number],
  needed: number,
): number {
  const prefix = Math.max(0, ...parts.map(prefixLength))
  if (isEnding) return needed > 0 ? Math.max(min, prefix + needed) : min
  const isClosed = parts.some((part) => {
    const next = schemaOfItem(part, prefix) ?? part.unevaluatedItems
    return next !== undefined && maker.wayOut.height(next as Schema) === Number.POSITIVE_INFINITY
  })
  if (isClosed) return prefix
  if (prefix > 0) return prefix + needed
  const isOpen = parts.every((part) => schemaOfItem(part, 0) === undefined && part.contains === undefined)
  // Nothing is known of the items: an array of a few words says it is one.
  const most = Math.max(min, Math.min(max, isOpen ? 2 : MANY))
  return Math.max(min, 1) + maker.random.below(Math.max(1, Math.min(most - Math.max(min, 1) + 1, MANY)))
}

function schemasOf(parts: readonly SchemaObject[], index: number): Schema[] {
  const spoken = parts.map((part) => schemaOfItem(part, index)).filter((part) => part !== undefined)
  const unevaluated = parts.flatMap(({ unevaluatedItems: rest }) => (rest === undefined ? [] : [rest as Schema]))
  // What `contains` has evaluated is for the validator to say.
  const isEvaluated = spoken.length > 0 || parts.some(({ contains }) => contains !== undefined)
  return [...spoken, ...(isEvaluated ? [] : unevaluated)]
}

interface Contained {
  readonly schema: Schema
  readonly count: number
}

function containedIn(parts: readonly SchemaObject[]): Contained[] {
  return parts.flatMap(({ contains, minContains = 1 }) =>
    contains === undefined ? [] : [{ schema: contains as Schema, count: minContains as number }],
  )
}

/** Which item takes part in which `contains`: from the end on, where tuples seldom reach; elsewhere in later attempts. */
function placesOf(contained: readonly Contained[], length: number, attempt: number): Map<number, Schema[]> {
  const places = new Map<number, Schema[]>()
  let next = attempt
  for (const { schema, count } of contained) {
    if (count > length) throw new Unsatisfied(`it must contain ${count} items, and may have ${length}`, '#')
    for (let i = 0; i < count; i++) {
      const index = length - 1 - (next % length)
      places.set(index, [...(places.get(index) ?? []), schema])
      next += 1
    }
  }
  return places
}

/** Items that must not be among the contained ones, where `maxContains` limits those. */
function limitsOf(parts: readonly SchemaObject[], places: ReadonlyMap<number, Schema[]>, index: number): Schema[] {
  return parts.flatMap(({ contains, maxContains }) => {
    if (contains === undefined || maxContains === undefined) return []
    return places.get(index)?.includes(contains as Schema) ? [] : [{ not: contains as Schema }]
  })
}
