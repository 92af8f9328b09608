/** Validates values against a JSON Schema. */
import { type JsonSchema, LimitExceeded, SchemaProblem, WorkBudget } from './json-schema.ts'
import { SchemaIndex } from './schema-index.ts'
import { Validator } from './validator.ts'

/** Beyond this work, `findInvalid` tries no other value. */
const MAX_TRIED_WORK = 10_000
const CHARACTERS_PER_STEP = 10

/** The verdict on a value. */
interface Validation {
  /** The first violation, the mistake in the schema itself, or the limit exceeded; undefined if the value is valid. */
  readonly problem?: string | undefined
  /** True if a limit stopped the check. */
  readonly isUnchecked?: boolean
  /** They name the keywords of the schema that are not checked. */
  readonly notes: readonly string[]
}

/**
 * Checks a value, and the schema itself.
 * @param value undefined if the text is not JSON.
 * @example validate({ type: 'integer', minimum: 1 }, 0) // { problem: '$ is below 1', notes: [] }
 */
export function validate(schema: unknown, value: unknown, work = new WorkBudget()): Validation {
  if (value === undefined) return { problem: 'it is not JSON', notes: [] }
  try {
    const validator = new Validator(new SchemaIndex(schema as JsonSchema, work), work)
    return { problem: validator.check(schema as JsonSchema, value), notes: validator.notes }
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error
    const reason = `${error.message} (at ${error.path})`
    if (error instanceof LimitExceeded) return { problem: reason, isUnchecked: true, notes: [] }
    return { problem: `the schema can't be used: ${reason}`, notes: [] }
  }
}

/** The first of the values that is not valid; undefined if all that were tried are valid. */
export function findInvalid(schema: unknown, values: Iterable<unknown>): unknown {
  let spent = 0
  for (const value of values) {
    const work = new WorkBudget()
    if (validate(schema, value, work).problem !== undefined) return value
    // A schema that says little validates a large value in a few steps.
    spent += work.spent + JSON.stringify(value).length / CHARACTERS_PER_STEP
    if (spent > MAX_TRIED_WORK) return undefined
  }
  return undefined
}
