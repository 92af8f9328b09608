/** Texts and numbers to try where the usual ones are not valid: beside `not`, `oneOf`, or several rules at once. */
import { isObject } from '../../text/json.ts'
import type { JsonSchema } from '../json-schema.ts'
import { schemaList } from '../keywords.ts'
import type { SchemaIndex } from '../schema-index.ts'

const MAX_SCHEMAS = 50
const MAX_LENGTH = 1000
const MAX_TEXTS = 16
const MAX_CUT_LENGTH = 100
const CHARACTERS = ['a', 'A', '7', '-', ' ', 'é']

/** The numbers that the schemas mention about one value: bounds, lengths, listed values. Most rules change at one of them. */
function numbersIn(schemas: readonly JsonSchema[], index: SchemaIndex): readonly number[] {
  const reached = new Set<unknown>(schemas)
  for (const schema of reached) {
    if (!isObject(schema) || reached.size > MAX_SCHEMAS) continue
    const { not, allOf, anyOf, oneOf } = schema
    const inner = [not, index.findTarget(schema), ...[allOf, anyOf, oneOf].flatMap(schemaList)]
    for (const one of inner) reached.add(one)
  }
  const values = [...reached].flatMap((schema) => (isObject(schema) ? Object.values(schema) : []))
  return [...new Set(values.filter(Number.isFinite) as number[])]
}

/** The numbers beside those that the schemas mention, and some steps in a row, of which a list of unique items needs many. */
export function* unusualNumbers(
  schemas: readonly JsonSchema[],
  index: SchemaIndex,
  row: { readonly start: number; readonly step: number; readonly count: number },
): Iterable<number> {
  for (const number of [0, ...numbersIn(schemas, index)]) {
    yield* [number, number + 1, number - 1, number + 0.5, number - 0.5]
  }
  const first = Math.ceil(row.start / row.step)
  for (let steps = 0; steps < row.count; steps++) yield (first + steps) * row.step
}

/** Texts of the lengths that the schemas mention, and each given text with a part of it replaced by another. */
export function* unusualTexts(
  schemas: readonly JsonSchema[],
  index: SchemaIndex,
  texts: Iterable<string>,
): Iterable<string> {
  const parts = [...new Set(texts)].slice(0, MAX_TEXTS)
  yield* parts
  const near = numbersIn(schemas, index).flatMap((number) => [number - 1, number, number + 1])
  for (const length of new Set([...near, 0, 1, 2, 3, 4, 5])) {
    if (!Number.isInteger(length) || length < 0 || length > MAX_LENGTH) continue
    for (const character of CHARACTERS) yield character.repeat(length)
    for (const part of parts) yield part.slice(0, length)
  }
  const short = parts.filter(({ length }) => length <= MAX_CUT_LENGTH)
  for (const outer of short) {
    for (const inner of short) {
      for (let at = 0; at <= outer.length; at++) yield* [inner + outer.slice(at), outer.slice(0, at) + inner]
    }
  }
}
