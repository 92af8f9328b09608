/** Arguments, or an answer in JSON, that break the JSON Schema they were made for. */

import type { Random } from '../../../../lib/random/random.ts'
import { isObject, type JsonObject } from '../../../../lib/text/json.ts'
import type { SemanticFault } from '../../fault.ts'
import { changeAt, firstInvalid, objectsOfSchema, placesIn, rotate } from '../change-value.ts'
import { transformStructure } from '../transform-json.ts'

const chat = { kind: 'semantic', options: {}, endpoint: 'chat' } as const

export const missingRequired: SemanticFault = {
  ...chat,
  name: 'missing-required',
  summary: 'Arguments of a call, or JSON by a schema, without a property that the schema requires.',
  needs: 'a tool call, or JSON by a response_format, whose schema has a required property',
  message: (message, _, random) =>
    transformStructure(message, ({ value, schema }) =>
      schema === undefined ? undefined : firstInvalid(schema, withoutOne(value, requiredNames(schema), random)),
    ),
}

export const wrongType: SemanticFault = {
  ...chat,
  name: 'wrong-type',
  summary:
    'Arguments of a call, or JSON by a schema, with one property of a wrong type: a number where a string belongs.',
  needs: 'a tool call, or JSON by a response_format, with a property whose schema has a type',
  message: (message, _, random) =>
    transformStructure(message, ({ value, schema }) =>
      schema === undefined ? undefined : firstInvalid(schema, withOtherTypes(value, random)),
    ),
}

export const extraProperty: SemanticFault = {
  ...chat,
  name: 'extra-property',
  summary: 'Arguments of a call, or JSON by a schema, with a property that the schema does not have.',
  needs: 'a tool call, or JSON by a response_format, with a schema of an object',
  message: (message, _, random) =>
    transformStructure(message, ({ value, schema }) =>
      isObject(value) && schema !== undefined ? withExtra(value, schema, random) : undefined,
    ),
}

function requiredNames(schema: unknown): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  for (const { required } of objectsOfSchema(schema)) {
    if (Array.isArray(required)) for (const name of required) names.add(name)
  }
  return names
}

/** The value without one of the properties of these names. */
function* withoutOne(value: unknown, names: ReadonlySet<unknown>, random: Random): Iterable<unknown> {
  const paths = placesIn(value).flatMap(({ path }) => (names.has(path.at(-1)) ? [path] : []))
  for (const path of rotate(paths, random)) {
    const name = String(path.at(-1))
    yield changeAt(value, path.slice(0, -1), (object) => {
      const { [name]: _, ...others } = object as JsonObject
      return others
    })
  }
}

/** The value with one property of another type. */
function* withOtherTypes(value: unknown, random: Random): Iterable<unknown> {
  const properties = placesIn(value).filter(({ path }) => typeof path.at(-1) === 'string')
  for (const place of rotate(properties, random)) {
    for (const other of otherTypes(place.value, random)) yield changeAt(value, place.path, () => other)
  }
}

/** What models confuse first: `"5"` for 5, a number for a text; then what hardly any schema allows. */
function otherTypes(value: unknown, random: Random): readonly unknown[] {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return [typeof value === 'string' ? random.below(1000) : text, [value], null]
}

/** Properties that models like to add. */
const EXTRAS = [
  ['explanation', 'The user asked for this.'],
  ['confidence', 0.9],
  ['comment', 'Done.'],
  ['reasoning', 'This follows from the question.'],
  ['is_final', true],
] as const

function withExtra(value: JsonObject, schema: unknown, random: Random): string {
  const taken = new Set(Object.keys(value))
  for (const { properties } of objectsOfSchema(schema)) {
    if (isObject(properties)) for (const name of Object.keys(properties)) taken.add(name)
  }
  const [first, extra] = EXTRAS[random.below(EXTRAS.length)]!
  let name: string = first
  while (taken.has(name)) name += '_2'
  return JSON.stringify({ ...value, [name]: extra })
}
