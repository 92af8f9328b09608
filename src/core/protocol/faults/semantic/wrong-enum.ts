/** JSON of the right shape with one value that the schema does not allow. */

import type { Random } from '../../../lib/random/random.ts'
import type { SemanticFault } from '../fault.ts'
import { changeAt, firstInvalid, objectsOfSchema, placesIn, rotate } from './change-value.ts'
import { type JsonText, transformJson } from './transform-json.ts'

export const wrongEnum: SemanticFault = {
  kind: 'semantic',
  name: 'wrong-enum',
  summary: 'JSON of the right shape with one value that is not in its enum.',
  options: {},
  endpoint: 'chat',
  needs: 'an answer made from a JSON Schema that has an enum or a const. Send a response_format with an enum',
  message: (message, _, random) => transformJson(message, (json) => replaceListedValue(json, random)),
}

function replaceListedValue({ value, schema }: JsonText, random: Random): string | undefined {
  if (schema === undefined) return undefined
  // A value can be in a list of the schema and still be unrestricted at its path.
  return firstInvalid(schema, replacements(value, new Set(listedValues(schema)), random))
}

function* replacements(value: unknown, listed: ReadonlySet<unknown>, random: Random): Iterable<unknown> {
  const candidates = placesIn(value).filter((place) => listed.has(place.value))
  for (const { path } of rotate(candidates, random)) yield changeAt(value, path, (leaf) => pickUnlisted(leaf, listed))
}

/** All texts and numbers in the `enum`s and `const`s of a schema. */
function listedValues(schema: unknown): unknown[] {
  const values: unknown[] = []
  for (const one of objectsOfSchema(schema)) {
    if (Array.isArray(one.enum)) for (const value of one.enum) values.push(value)
    if (Object.hasOwn(one, 'const')) values.push(one.const)
  }
  return values.filter((value) => typeof value === 'string' || typeof value === 'number')
}

// From 2 ** 53 on, a number plus one is the same number, and counting up would never end.
const MAX_COUNTED = 2 ** 52

/** A value of the same type that no list has. */
function pickUnlisted(listedValue: unknown, listed: ReadonlySet<unknown>): unknown {
  if (typeof listedValue === 'number') {
    let number = Math.abs(listedValue) < MAX_COUNTED ? listedValue + 1 : 1
    while (listed.has(number)) number++
    return number
  }
  let text = 'unknown'
  while (listed.has(text)) text += '_value'
  return text
}
