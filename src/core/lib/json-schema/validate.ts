/** Validates values against a JSON Schema. */
import { isObject } from '../text/json.ts'
import { SchemaProblem, WorkBudget } from './json-schema.ts'
import { SchemaIndex } from './schema-index.ts'
import { Validator } from './validator.ts'

/** Beyond this work, `findInvalid` tries no other value. */
const MAX_TRIED_WORK = 10_000
const CHARACTERS_PER_STEP = 10

/**
 * The first violation by the value, or the mistake in the schema itself; undefined if the value is valid.
 * @example validate({ type: 'integer', minimum: 1 }, 0) // '$ is below 1'
 */
export function validate(schema: unknown, value: unknown, work = new WorkBudget()): string | undefined {
  if (typeof schema !== 'boolean' && !isObject(schema)) return 'the schema is neither an object nor true or false'
  try {
    return new Validator(new SchemaIndex(schema, work), work).check(schema, value)
  } catch (error) {
    if (error instanceof SchemaProblem) return `the schema can't be used: ${error.message} (at ${error.path})`
    throw error
  }
}

/** The notes on every answer for a schema that `validate` takes: they name the keywords that nobody checks. */
export function notesOf(schema: unknown): readonly string[] {
  return isObject(schema) ? new SchemaIndex(schema, new WorkBudget()).notes : []
}

/** The first of the values that is not valid; undefined if all that were tried are valid. */
export function findInvalid(schema: unknown, values: Iterable<unknown>): unknown {
  let spent = 0
  for (const value of values) {
    const work = new WorkBudget()
    if (validate(schema, value, work) !== undefined) return value
    // A schema that says little validates a large value in a few steps.
    spent += work.spent + JSON.stringify(value).length / CHARACTERS_PER_STEP
    if (spent > MAX_TRIED_WORK) return undefined
  }
  return undefined
}
