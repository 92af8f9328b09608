/**
 * The faults that break the JSON Schema which arguments, or an answer in JSON, were made for.
 *
 *     {"city":"Rome","unit":"celsius"}
 *     wrong-enum         {"city":"Rome","unit":"unknown"}
 *     missing-required   {"unit":"celsius"}
 *     wrong-type         {"city":917,"unit":"celsius"}
 *     extra-property     {"city":"Rome","unit":"celsius","confidence":0.9}
 *
 * Each tries changes in random order, until one breaks the schema: a property that a schema requires at one place may be
 * optional at another.
 */

import { findInvalid } from '../../lib/json-schema/validate.ts'
import { type Random, rotate } from '../../lib/random/random.ts'
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { onMessage, type SemanticFault } from './fault.ts'
import { changeJson, isStructure, type MessageJson, structureFault } from './json-syntax-faults.ts'

/**
 * A fault of JSON that was made for a schema.
 * @param candidates changes of it, of which the first one that the schema does not allow is sent.
 */
const schemaFault = (
  name: string,
  summary: string,
  needs: string,
  candidates: (json: MessageJson, random: Random) => Iterable<unknown>,
): SemanticFault =>
  onMessage(name, summary, needs, (message, _, random) =>
    changeJson(message, random, (json) => {
      const invalid = json.schema === undefined ? undefined : findInvalid(json.schema, candidates(json, random))
      return invalid === undefined ? undefined : JSON.stringify(invalid)
    }),
  )

export const wrongEnum = schemaFault(
  'wrong-enum',
  'JSON of the right shape with one value that is not in its enum.',
  'an answer made from a JSON Schema that has an enum or a const. Send a response_format with an enum',
  function* ({ value, schema }, random) {
    const inLists = collect(schema, (part): unknown[] => [...(Array.isArray(part.enum) ? part.enum : []), part.const])
    const listed = new Set<unknown>(inLists.filter((item) => typeof item === 'string' || typeof item === 'number'))
    // A value can be in a list of the schema and still be unrestricted at its path.
    const places = valuesIn(value).filter((inner) => listed.has(inner.value))
    for (const { path } of inRandomOrder(places, random)) {
      yield changeAt(value, path, (inner) => pickUnlisted(inner, listed))
    }
  },
)

export const missingRequired = schemaFault(
  'missing-required',
  'Arguments of a call, or JSON by a schema, without a property that the schema requires.',
  'a tool call, or JSON by a response_format, whose schema has a required property',
  function* ({ value, schema }, random) {
    if (!isStructure(value)) return
    const required = new Set(collect(schema, ({ required }) => (Array.isArray(required) ? required : [])))
    const properties = valuesIn(value).filter(({ path }) => required.has(path.at(-1)))
    for (const { path } of inRandomOrder(properties, random)) {
      yield changeAt(value, path.slice(0, -1), (object) => {
        const { [String(path.at(-1))]: _, ...others } = object as JsonObject
        return others
      })
    }
  },
)

export const wrongType = schemaFault(
  'wrong-type',
  'Arguments of a call, or JSON by a schema, with one property of a wrong type: a number where a string belongs.',
  'a tool call, or JSON by a response_format, with a property whose schema has a type',
  function* ({ value }, random) {
    if (!isStructure(value)) return
    const properties = valuesIn(value).filter(({ path }) => typeof path.at(-1) === 'string')
    for (const { value: property, path } of inRandomOrder(properties, random)) {
      const text = isStructure(property) ? JSON.stringify(property) : String(property)
      // First a type that models confuse (`"5"` for 5, a number for a text), then those that hardly any schema allows.
      const others = [typeof property === 'string' ? random.below(1000) : text, [property], null]
      for (const other of others) yield changeAt(value, path, () => other)
    }
  },
)

export const extraProperty = structureFault(
  'extra-property',
  'Arguments of a call, or JSON by a schema, with a property that the schema does not have.',
  'a tool call, or JSON by a response_format, with a schema of an object',
  ({ value, schema }, random) => {
    if (!isObject(value) || schema === undefined) return undefined
    const declared = collect(schema, ({ properties }) => (isObject(properties) ? Object.keys(properties) : []))
    const taken = new Set([...Object.keys(value), ...declared])
    const [first, extra] = EXTRAS[random.below(EXTRAS.length)]!
    let name: string = first
    while (taken.has(name)) name += '_2'
    return JSON.stringify({ ...value, [name]: extra })
  },
)

/** Properties that models like to add. */
const EXTRAS = [
  ['explanation', 'The user asked for this.'],
  ['confidence', 0.9],
  ['comment', 'Done.'],
  ['reasoning', 'This follows from the question.'],
  ['is_final', true],
] as const

// From 2 ** 53 on, a number plus one is the same number, and counting up would never end.
const MAX_COUNTED = 2 ** 52

/** A value of the same type that is not listed. */
function pickUnlisted(value: unknown, listed: ReadonlySet<unknown>): unknown {
  if (typeof value === 'number') {
    let number = Math.abs(value) < MAX_COUNTED ? value + 1 : 1
    while (listed.has(number)) number++
    return number
  }
  let text = 'unknown'
  while (listed.has(text)) text += '_value'
  return text
}

/** Names of properties and indices of array items. */
type Path = readonly (string | number)[]

/** A value inside another, and the way to it. */
interface PlacedValue {
  readonly value: unknown
  readonly path: Path
}

const MAX_DEPTH = 100
const MAX_VALUES = 10_000

/** The value itself and all values in it, each before those inside it. */
function valuesIn(value: unknown): readonly PlacedValue[] {
  const found: PlacedValue[] = []
  const pending: PlacedValue[] = [{ value, path: [] }]
  for (let next = pending.pop(); next !== undefined && found.length < MAX_VALUES; next = pending.pop()) {
    found.push(next)
    const { value, path } = next
    if (!isStructure(value) || path.length === MAX_DEPTH) continue
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value).slice(0, MAX_VALUES).reverse()) {
      pending.push({ value: inner, path: [...path, isList ? Number(key) : key] })
    }
  }
  return found
}

/** The value with the one at the path replaced by what `change` returns for it. */
function changeAt(value: unknown, [key, ...rest]: Path, change: (inner: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  const inner = changeAt((value as Readonly<Record<string | number, unknown>>)[key], rest, change)
  return Array.isArray(value) ? value.with(key as number, inner) : { ...(value as object), [key]: inner }
}

/** The list from a random item on, and then from its start. */
const inRandomOrder = <Item>(list: readonly Item[], random: Random): readonly Item[] =>
  rotate(list, random.below(Math.max(1, list.length)))

/** All that `read` finds in the objects of a JSON Schema: in subschemas, and in objects whose names are names of properties. */
function collect<Value>(schema: unknown, read: (part: JsonObject) => readonly Value[]): Value[] {
  const collected: Value[] = []
  const pending = [schema]
  while (pending.length > 0) {
    const part = pending.pop()
    if (!isStructure(part)) continue
    // Not `push(...list)`: more than a hundred thousand arguments overflow the stack.
    if (isObject(part)) for (const value of read(part)) collected.push(value)
    for (const inner of Object.values(part)) pending.push(inner)
  }
  return collected
}
