/** What the generators of arrays and objects share: the request for a value, and the generator of inner values. */
import type { Random } from '../../random/random.ts'
import type { Steps } from '../../work/steps.ts'
import type { Schema } from '../schema.ts'
import type { Validator } from '../validate/validator.ts'
import type { MinDepth } from './min-depth.ts'

/** A request for one value. */
export interface ValueRequest {
  /** The value must be valid against all of these. */
  readonly schemas: readonly Schema[]
  /** Where in the schema, as a JSON pointer. */
  readonly path: string
  /** The name of the property that the value, or the array around it, belongs to. */
  readonly name: string
  readonly depth: number
  /** Whether to end recursion as soon as possible: the value is deep or large enough. */
  readonly isEnding: boolean
  /** The equality keys of the values that this one must differ from. */
  readonly taken?: ReadonlySet<string>
}

export interface ValueGenerator {
  readonly random: Random
  readonly validator: Validator
  readonly minDepth: MinDepth
  /** Generates a value, or throws `Unsatisfied`. */
  generate(request: ValueRequest): Steps<unknown>
}

/** The part of a request that is the same for all values one level further in. */
export const requestInside = (
  { depth, isEnding }: ValueRequest,
  path: string,
): Pick<ValueRequest, 'path' | 'depth' | 'isEnding'> => ({ path, depth: depth + 1, isEnding })
