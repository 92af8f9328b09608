/** Validates a value against a JSON Schema. */

import { isObject } from '../../text/json.ts'
import { finish, type Steps } from '../../work/steps.ts'
import { References } from '../references.ts'
import { Patterns } from '../regex/patterns.ts'
import { countValues, SchemaProblem, WorkBudget } from '../schema.ts'
import { Validator } from './validator.ts'

const WORK_LIMIT = 80_000
/** After so many steps of work and values looked at, `findInvalid` tries no other value. */
const MAX_TRIED_WORK = 10_000

/**
 * What is wrong with the value, or with the schema itself; undefined if the value is valid.
 * @example validate({ type: 'integer', minimum: 1 }, 0) // '$ is below 1'
 */
export const validate = (schema: unknown, value: unknown): string | undefined => finish(validateInSteps(schema, value))

/** The same in steps. */
export const validateInSteps = (schema: unknown, value: unknown): Steps<string | undefined> =>
  check(schema, value, new WorkBudget(WORK_LIMIT))

/** The first of the values that is not valid; undefined if all that were tried are valid. */
export function findInvalid(schema: unknown, values: Iterable<unknown>): unknown {
  let spent = 0
  for (const value of values) {
    const work = new WorkBudget(WORK_LIMIT)
    if (finish(check(schema, value, work)) !== undefined) return value
    // A schema that says little validates a large value in a few steps.
    spent += work.spent + countValues(value)
    if (spent > MAX_TRIED_WORK) return undefined
  }
  return undefined
}

function* check(schema: unknown, value: unknown, work: WorkBudget): Steps<string | undefined> {
  if (typeof schema !== 'boolean' && !isObject(schema)) return 'the schema is neither an object nor true or false'
  try {
    const references = yield* References.read(schema, work)
    return yield* new Validator(references, new Patterns(work), work).check(schema, value)
  } catch (error) {
    if (error instanceof SchemaProblem) return `the schema can't be used: ${error.message} (at ${error.path})`
    throw error
  }
}
