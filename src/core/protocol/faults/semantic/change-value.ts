/** Places in a JSON value, and copies of the value with one place changed. */

import { findInvalid } from '../../../lib/json-schema/validate/validate.ts'
import type { Random } from '../../../lib/random/random.ts'
import { isObject } from '../../../lib/text/json.ts'

/** Names of properties and indices of array items. */
export type Path = readonly (string | number)[]

export interface Place {
  readonly value: unknown
  readonly path: Path
}

const MAX_DEPTH = 100
const MAX_PLACES = 10_000

/** The value itself and all values in it, each before those inside it. */
export function placesIn(value: unknown): readonly Place[] {
  const places: Place[] = []
  const pending: Place[] = [{ value, path: [] }]
  for (let place = pending.pop(); place !== undefined && places.length < MAX_PLACES; place = pending.pop()) {
    places.push(place)
    const { value, path } = place
    if (typeof value !== 'object' || value === null || path.length === MAX_DEPTH) continue
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value).slice(0, MAX_PLACES).reverse()) {
      pending.push({ value: inner, path: [...path, isList ? Number(key) : key] })
    }
  }
  return places
}

/** The value with the one at the path replaced by what `change` returns for it. */
export function changeAt(value: unknown, [key, ...rest]: Path, change: (inner: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  const inner = changeAt((value as Readonly<Record<string | number, unknown>>)[key], rest, change)
  return Array.isArray(value) ? value.with(key as number, inner) : { ...(value as object), [key]: inner }
}

/** The list from a random item on, and then from its start. */
export function rotate<Item>(list: readonly Item[], random: Random): readonly Item[] {
  const start = random.below(Math.max(1, list.length))
  return [...list.slice(start), ...list.slice(0, start)]
}

/** The objects in a JSON Schema: subschemas, and objects whose names are names of properties. */
export function* objectsOfSchema(schema: unknown): Iterable<Readonly<Record<string, unknown>>> {
  const pending = [schema]
  while (pending.length > 0) {
    const one = pending.pop()
    // Not `push(...list)`: more than a hundred thousand arguments overflow the stack.
    if (Array.isArray(one)) for (const item of one) pending.push(item)
    if (!isObject(one)) continue
    yield one
    for (const value of Object.values(one)) pending.push(value)
  }
}

/** The first of the values that the schema does not allow, as JSON. */
export function firstInvalid(schema: unknown, values: Iterable<unknown>): string | undefined {
  const value = findInvalid(schema, values)
  return value === undefined ? undefined : JSON.stringify(value)
}
