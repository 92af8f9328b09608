/** An answer of the right shape, in which one value is none of those that the schema lists. */

import { validate } from '../../json-schema/validate/validate.ts'
import type { Random } from '../../random/random.ts'
import { isObject } from '../../text/json.ts'
import type { SemanticFault } from '../fault.ts'
import { transformJson } from './transform-json.ts'

export const wrongEnum: SemanticFault = {
  kind: 'semantic',
  name: 'wrong-enum',
  summary: 'JSON of the right shape, in which one value is none of those its enum lists.',
  options: {},
  endpoint: 'chat',
  needs: 'an answer made from a JSON Schema, and a value in it that the schema picks from a list (enum or const)',
  speech: (speech, _, random) => transformJson(speech, (text, schema) => withWrongValue(text, schema, random)),
}

function withWrongValue(text: string, schema: unknown, random: Random): string | undefined {
  if (schema === undefined) return undefined
  const listed = new Set(listedValues(schema))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const places = leaves(value).filter(({ leaf }) => listed.has(leaf))
  const start = random.below(Math.max(1, places.length))
  for (const { leaf, path } of [...places.slice(start), ...places.slice(0, start)]) {
    const bent = replaced(value, path, wrongValue(leaf, listed))
    // A value may be in some list of the schema and yet be free where it stands.
    if (validate(schema, bent) !== undefined) return JSON.stringify(bent)
  }
  return undefined
}

/** All texts and numbers that some `enum` or `const` of a schema lists. */
function listedValues(schema: unknown): unknown[] {
  const values: unknown[] = []
  const pending = [schema]
  while (pending.length > 0) {
    const one = pending.pop()
    if (Array.isArray(one)) pending.push(...one)
    if (!isObject(one)) continue
    if (Array.isArray(one.enum)) values.push(...one.enum)
    if (Object.hasOwn(one, 'const')) values.push(one.const)
    pending.push(...Object.values(one))
  }
  return values.filter((value) => typeof value === 'string' || typeof value === 'number')
}

type Path = readonly (string | number)[]

function leaves(value: unknown, path: Path = []): { readonly leaf: unknown; readonly path: Path }[] {
  if (typeof value !== 'object' || value === null) return [{ leaf: value, path }]
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, isList ? Number(key) : key]))
}

function replaced(value: unknown, [key, ...rest]: Path, leaf: unknown): unknown {
  if (key === undefined) return leaf
  const inner = replaced((value as Readonly<Record<string | number, unknown>>)[key], rest, leaf)
  return Array.isArray(value) ? value.with(key as number, inner) : { ...(value as object), [key]: inner }
}

// Twice as far out, one more than a number is the same number, and counting on would never end.
const MAX_COUNTED = 2 ** 52

/** Of the same type, and in none of the lists. */
function wrongValue(right: unknown, listed: ReadonlySet<unknown>): unknown {
  if (typeof right === 'number') {
    let number = Math.abs(right) < MAX_COUNTED ? right + 1 : 1
    while (listed.has(number)) number++
    return number
  }
  let text = 'unknown'
  while (listed.has(text)) text += '_value'
  return text
}
