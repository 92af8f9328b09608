/** Validates a value against a JSON Schema. */

import { isObject } from '../../text/json.ts'
import { References } from '../references.ts'
import { Patterns } from '../regex/patterns.ts'
import { SchemaProblem, WorkBudget } from '../schema.ts'
import { Validator } from './validator.ts'

const WORK_LIMIT = 80_000

/**
 * What is wrong with the value, or with the schema itself; undefined if the value is valid.
 * @example validate({ type: 'integer', minimum: 1 }, 0) // '$ is below 1'
 */
export function validate(schema: unknown, value: unknown): string | undefined {
  if (typeof schema !== 'boolean' && !isObject(schema)) return 'the schema is neither an object nor true or false'
  const work = new WorkBudget(WORK_LIMIT)
  try {
    return new Validator(new References(schema, work), new Patterns(work), work).check(schema, value)
  } catch (error) {
    if (error instanceof SchemaProblem) return `the schema can't be used: ${error.message} (at ${error.path})`
    throw error
  }
}
