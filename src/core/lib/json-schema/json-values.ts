/** Reads and compares JSON values as JSON Schema defines it, and writes JSON pointers. Anyone may have written the values. */
import { isObject } from '../text/json.ts'
import { type JsonType, LimitExceeded } from './json-schema.ts'

/** Reads an own property only: in a schema, `constructor` and `__proto__` are ordinary names. */
export const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}

/** The length of a text as JSON Schema defines it: in code points. */
export const countCodePoints = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

// Names as steps of a JSON pointer. @see https://www.rfc-editor.org/rfc/rfc6901
/** `a/b` -> `a~1b` */
export const pointerStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
/** `a~1b` -> `a/b` */
export const nameOfStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

const MAX_VALUE_DEPTH = 300

/** A text that two values share exactly when they are equal: 1 equals 1.0, and only the order of items matters. */
export function equalityKey(value: unknown, depth = 0): string {
  if (depth > MAX_VALUE_DEPTH)
    throw new LimitExceeded(`a value is nested more than ${MAX_VALUE_DEPTH} levels deep`, '#')
  if (Array.isArray(value)) return `[${value.map((item) => equalityKey(item, depth + 1)).join()}]`
  if (isObject(value)) {
    const names = Object.keys(value).sort()
    return `{${names.map((name) => `${JSON.stringify(name)}:${equalityKey(value[name], depth + 1)}`).join()}}`
  }
  // JSON.stringify writes negative zero as 0.
  return String(JSON.stringify(value))
}
