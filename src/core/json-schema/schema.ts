/**
 * What a JSON Schema is to this folder: its types, the readers of untrusted objects, and the two ways to fail.
 *
 * ```
 * generateValue: references (an index of the schema) -> way-out (where does recursion end?)
 *                node: expand (one choice at each fork) -> shape -> object | array | string | number -> validate
 *                      `-- on failure: the next combination of choices, until all are tried or the work is spent
 * ```
 */

export type SchemaObject = { readonly [keyword: string]: unknown }
export type Schema = boolean | SchemaObject
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** These choices can't be met: another choice may be. */
export class Unsatisfied extends Error {
  readonly path: string
  constructor(reason: string, path: string) {
    super(reason)
    this.path = path
  }
}

/** The schema can't be worked with at all, whatever is chosen: malformed, a broken reference, or beyond the limits. */
export class SchemaProblem extends Error {
  readonly path: string
  constructor(reason: string, path: string) {
    super(reason)
    this.path = path
  }
}

/** Counts steps, so that the work is bounded by a number and not by a clock. */
export class Work {
  spent = 0
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  spend(steps: number, path = '#'): void {
    this.spent += steps
    if (this.spent > this.limit) {
      throw new SchemaProblem(`more than ${this.limit} steps of work. Use a smaller or less entangled schema`, path)
    }
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property that is the object's own: `constructor` and `__proto__` are names like any other. */
export const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Sets a property whatever its name: a plain assignment to `__proto__` would be lost. */
export function define(record: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}

/** How many characters a text has as JSON Schema counts them: code points. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    if (isPair) {
      count -= 1
      i += 1
    }
  }
  return count
}

/** `a/b` -> `a~1b`: a name as a step of a JSON pointer. */
export const pointerStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Whether a value is nested deeper than this. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
