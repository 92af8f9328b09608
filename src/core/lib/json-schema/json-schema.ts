/** JSON Schema types, and what can end the work on a schema: the errors of this folder, and the budget of work. */

export type SchemaObject = { readonly [keyword: string]: unknown }
export type JsonSchema = boolean | SchemaObject
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** A reason to give up a schema, or the choices made so far. */
export abstract class SchemaProblem extends Error {
  /** A JSON pointer into the schema. */
  readonly path: string
  constructor(reason: string, path: string) {
    super(reason)
    this.path = path
  }
}

/** The schema is unusable whatever is chosen: malformed, or a broken reference. */
export class MalformedSchema extends SchemaProblem {}

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
    if (this.spent > this.limit)
      throw new LimitExceeded(`more than ${this.limit} steps of work. Use a smaller or less entangled schema`, path)
  }
}
