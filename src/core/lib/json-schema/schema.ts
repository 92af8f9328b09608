/**
 * JSON Schema types, helpers for untrusted objects, and the two errors of this folder.
 *
 * ```
 * generateValue: References (index of the schema) -> MinDepth (where does recursion end?)
 *                make: expand (one choice per branch) -> type -> object | array | string | number -> validate
 *                      `-- on failure: the next combination of choices, until all are tried or the budget is spent
 * ```
 */

export type SchemaObject = { readonly [keyword: string]: unknown }
export type Schema = boolean | SchemaObject
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** Why no value was generated, and where in the schema. */
export class SchemaError extends Error {
  /** A JSON pointer. */
  readonly path: string
  constructor(reason: string, path: string) {
    super(reason)
    this.path = path
  }
}

/** No value fits the choices made so far; other choices may work. */
export class Unsatisfied extends SchemaError {}

/** The schema is unusable whatever is chosen: malformed, a broken reference, or beyond the limits. */
export class SchemaProblem extends SchemaError {}

/** What a step of work is in units of `Steps`, which are smaller. */
const UNITS_PER_STEP = 10
const MIN_STEPS_PER_PART = 100

/** Counts steps of work, so that a run is bounded by a number and not by a clock. */
export class WorkBudget {
  spent = 0
  readonly limit: number
  /** The steps of work before the last pause. */
  #paused = 0

  constructor(limit: number) {
    this.limit = limit
  }

  spend(steps: number, path = '#'): void {
    this.spent += steps
    if (this.spent > this.limit) {
      throw new SchemaProblem(`more than ${this.limit} steps of work. Use a smaller or less entangled schema`, path)
    }
  }

  /** Whether so much was spent that others should have their turn: then yield what `pause` returns. */
  get isPauseDue(): boolean {
    return this.spent - this.#paused >= MIN_STEPS_PER_PART
  }

  /** The units of work since this was last called. */
  pause(): number {
    const steps = this.spent - this.#paused
    this.#paused = this.spent
    return steps * UNITS_PER_STEP
  }
}

/** The schemas in a list keyword such as `allOf`; none when the keyword is absent. */
export const schemaList = (value: unknown): readonly Schema[] => (value ?? []) as readonly Schema[]

/** Reads an own property only: in a schema, `constructor` and `__proto__` are ordinary names. */
export const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Sets a property of any name: a plain assignment to `__proto__` would be lost. */
export function define(record: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}

/** The length of a text as JSON Schema defines it: in code points. */
export const countCodePoints = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** `a/b` -> `a~1b`: a name as one step of a JSON pointer. */
export const pointerStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Whether a value is nested deeper than `levels`. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** How many values a value is made of, itself included. */
export function countValues(value: unknown): number {
  const pending = [value]
  for (let at = 0; at < pending.length; at++) {
    const next = pending[at]
    if (typeof next !== 'object' || next === null) continue
    for (const inner of Object.values(next)) pending.push(inner)
  }
  return pending.length
}
