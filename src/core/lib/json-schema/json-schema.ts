/** JSON Schema types, the errors of this folder, and helpers for schemas and values that anyone may have written. */
import { isObject } from '../text/json.ts'

export type SchemaObject = { readonly [keyword: string]: unknown }
export type JsonSchema = boolean | SchemaObject
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** The schema is unusable whatever is chosen: malformed, or a broken reference. */
export class SchemaProblem extends Error {
  /** A JSON pointer into the schema. */
  readonly path: string
  constructor(reason: string, path: string) {
    super(reason)
    this.path = path
  }
}

/** The schema may be good, but a value takes more work or space than the limits allow. */
export class LimitExceeded extends SchemaProblem {}

/** No value can fit the choices made so far; other choices may work. */
export class Unsatisfied extends SchemaProblem {}

/** No value was found for the choices made so far, although there may be one. */
export class NotFound extends Unsatisfied {
  /** The most fitting value of those that were tried. */
  readonly best: unknown
  constructor(reason: string, path: string, best: unknown) {
    super(reason, path)
    this.best = best
  }
}

/** Counts steps of work, so that a run is bounded by a number and not by a clock. A step takes about 10 µs. */
export class WorkBudget {
  spent = 0
  readonly limit: number

  constructor(limit = 80_000) {
    this.limit = limit
  }

  spend(steps: number, path = '#'): void {
    this.spent += steps
    if (this.spent > this.limit) {
      throw new LimitExceeded(`more than ${this.limit} steps of work. Use a smaller or less entangled schema`, path)
    }
  }
}

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
