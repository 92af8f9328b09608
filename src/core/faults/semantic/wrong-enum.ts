/** JSON of the right shape with one value that the schema does not allow. */

import { validate } from '../../json-schema/validate/validate.ts'
import type { Random } from '../../random/random.ts'
import { isObject, parseJson } from '../../text/json.ts'
import type { SemanticFault } from '../fault.ts'
import { transformJson } from './transform-json.ts'

export const wrongEnum: SemanticFault = {
  kind: 'semantic',
  name: 'wrong-enum',
  summary: 'JSON of the right shape with one value that is not in its enum.',
  options: {},
  endpoint: 'chat',
  needs: 'an answer made from a JSON Schema that has an enum or a const. Send a response_format with an enum',
  message: (message, _, random) => transformJson(message, (text, schema) => replaceListedValue(text, schema, random)),
}

function replaceListedValue(text: string, schema: unknown, random: Random): string | undefined {
  if (schema === undefined) return undefined
  const listed = new Set(listedValues(schema))
  const value = parseJson(text)
  const candidates = leaves(value).filter(({ leaf }) => listed.has(leaf))
  const start = random.below(Math.max(1, candidates.length))
  for (const { leaf, path } of [...candidates.slice(start), ...candidates.slice(0, start)]) {
    const wrong = replaceLeaf(value, path, pickUnlisted(leaf, listed))
    // A value can be in a list of the schema and still be unrestricted at this path.
    if (validate(schema, wrong) !== undefined) return JSON.stringify(wrong)
  }
  return undefined
}

/** All texts and numbers in the `enum`s and `const`s of a schema. */
function listedValues(schema: unknown): unknown[] {
  const values: unknown[] = []
  const pending = [schema]
  while (pending.length > 0) {
    const one = pending.pop()
    // Not `push(...list)`: more than a hundred thousand arguments overflow the stack.
    if (Array.isArray(one)) for (const item of one) pending.push(item)
    if (!isObject(one)) continue
    if (Array.isArray(one.enum)) for (const value of one.enum) values.push(value)
    if (Object.hasOwn(one, 'const')) values.push(one.const)
    for (const value of Object.values(one)) pending.push(value)
  }
  return values.filter((value) => typeof value === 'string' || typeof value === 'number')
}

type Path = readonly (string | number)[]

function leaves(value: unknown, path: Path = []): { readonly leaf: unknown; readonly path: Path }[] {
  if (typeof value !== 'object' || value === null) return [{ leaf: value, path }]
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, isList ? Number(key) : key]))
}

function replaceLeaf(value: unknown, [key, ...rest]: Path, leaf: unknown): unknown {
  if (key === undefined) return leaf
  const inner = replaceLeaf((value as Readonly<Record<string | number, unknown>>)[key], rest, leaf)
  return Array.isArray(value) ? value.with(key as number, inner) : { ...(value as object), [key]: inner }
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
