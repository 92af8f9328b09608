/** Equality of JSON values: 1 equals 1.0, and only the order of items matters. */
import { isObject } from '../../text/json.ts'
import { SchemaProblem } from '../schema.ts'

const MAX_DEPTH = 300

/** A text that two values share exactly when they are equal. */
export function equalityKey(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new SchemaProblem(`a value is nested more than ${MAX_DEPTH} levels deep`, '#')
  if (Array.isArray(value)) return `[${value.map((item) => equalityKey(item, depth + 1)).join()}]`
  if (isObject(value)) {
    const names = Object.keys(value).sort()
    return `{${names.map((name) => `${JSON.stringify(name)}:${equalityKey(value[name], depth + 1)}`).join()}}`
  }
  // JSON.stringify writes negative zero as 0.
  return String(JSON.stringify(value))
}
