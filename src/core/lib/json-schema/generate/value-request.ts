/** The parts that the generators of arrays, objects and texts share. */
import type { Random } from '../../random/random.ts'
import {
  type JsonSchema,
  type JsonType,
  type SchemaObject,
  SchemaProblem,
  Unsatisfied,
  type WorkBudget,
} from '../json-schema.ts'
import type { SchemaIndex } from '../schema-index.ts'
import type { Validator } from '../validator.ts'
import type { ChoiceSequence } from './choice-sequence.ts'

/** A request for one value. */
export interface ValueRequest {
  /** The value must be valid against all of these. */
  readonly schemas: readonly JsonSchema[]
  /** A JSON pointer into the schema. */
  readonly path: string
  /** The name of the property that the value, or the array around it, belongs to. */
  readonly name: string
  readonly depth: number
  /** True if recursion must end as soon as possible: the value is deep or large enough. */
  readonly isEnding: boolean
  /** The equality keys of the values that this one must differ from. */
  readonly taken?: ReadonlySet<string>
}

/** The state of one run of the generator. */
export interface ValueGenerator {
  readonly random: Random
  readonly index: SchemaIndex
  readonly validator: Validator
  readonly work: WorkBudget
  /** The levels of the flattest value of a schema; infinite when it has no finite one. */
  readonly depthOf: (schema: JsonSchema) => number
  /** Cache of the types that schemas allow. */
  readonly types: Map<JsonSchema, readonly JsonType[]>
  /** Generates a value. @throws Unsatisfied when there is none. */
  generate(request: ValueRequest): unknown
}

/** Generates a value of one type that meets all parts. @throws Unsatisfied when there is none. */
export type PartsGenerator = (
  generator: ValueGenerator,
  parts: readonly SchemaObject[],
  request: ValueRequest,
  choices: ChoiceSequence,
) => unknown

export interface SizeRange {
  readonly min: number
  readonly max: number
}

/** The sizes that all schemas allow. @throws when there are none, or when the smallest is above `limit`. */
export function readSizeRange(
  parts: readonly SchemaObject[],
  keyword: 'Items' | 'Length' | 'Properties',
  limit: number,
  path: string,
): SizeRange {
  let [min, max] = [0, Number.POSITIVE_INFINITY]
  for (const part of parts as readonly Readonly<Record<string, number | undefined>>[]) {
    min = Math.max(min, part[`min${keyword}`] ?? min)
    max = Math.min(max, part[`max${keyword}`] ?? max)
  }
  if (min > max) throw new Unsatisfied(`min${keyword} ${min} is above max${keyword} ${max}`, path)
  if (min > limit) throw new SchemaProblem(`min${keyword} ${min} is above the limit of ${limit}`, path)
  return { min, max }
}
