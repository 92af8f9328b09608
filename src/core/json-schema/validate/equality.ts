/** Equality of JSON values: 1 is 1.0, the order of properties does not matter, that of items does. */
import { isRecord, SchemaProblem } from '../schema.ts'

const MAX_DEPTH = 300

/** A text that two values share when, and only when, they are equal. */
export function equalityKey(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new SchemaProblem(`a value is nested more than ${MAX_DEPTH} levels deep`, '#')
  if (Array.isArray(value)) return `[${value.map((item) => equalityKey(item, depth + 1)).join()}]`
  if (isRecord(value)) {
    const names = Object.keys(value).sort()
    return `{${names.map((name) => `${JSON.stringify(name)}:${equalityKey(value[name], depth + 1)}`).join()}}`
  }
  // JSON has no negative zero, and writes it as 0.
  return String(JSON.stringify(value))
}

/** Whether two JSON values are equal. */
export const areEqual = (left: unknown, right: unknown): boolean =>
  left === right || (typeof left === typeof right && equalityKey(left) === equalityKey(right))
