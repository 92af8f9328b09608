/**
 * Types that the generators of values share: the request for one value, and a run, of which a schema gets one or two.
 *
 * A value may have to meet several schemas at once, for example those of an `allOf`. These schemas are called its parts.
 */
import type { Random } from '../../random/random.ts'
import { type JsonSchema, NotFound, type SchemaObject, Unsatisfied, type WorkBudget } from '../json-schema.ts'
import { equalityKey } from '../json-values.ts'
import { SchemaIndex } from '../schema-index.ts'
import { Validator } from '../validator.ts'
import type { ChoiceSequence } from './choice-sequence.ts'
import { measureShapes, type ValueShape } from './value-shapes.ts'

/** A request for one value. */
export interface ValueRequest {
  /** The value must be valid against all of these. */
  readonly schemas: readonly JsonSchema[]
  /** A JSON pointer into the schema. */
  readonly path: string
  /** The name of the property that the value, or the array around it, belongs to. */
  readonly name: string
  /** The parts of each value around this one, the outermost first. */
  readonly around: readonly ReadonlySet<JsonSchema | undefined>[]
  /** True if recursion must end as soon as possible: the value is deep or large enough. */
  readonly isEnding: boolean
  /** The equality keys of the values that this one must differ from. */
  readonly taken?: ReadonlySet<string> | undefined
}

/** A run of the generator. Abstract, because `generate` calls the generators of arrays and objects, and these call it. */
export abstract class ValueGenerator {
  readonly random: Random
  readonly work: WorkBudget
  readonly index: SchemaIndex
  readonly validator: Validator
  readonly shapeOf: (schema: JsonSchema) => ValueShape
  /** True for the second run, after the first found no valid value: unusual values are tried, and the best ones taken. */
  readonly isLastRun: boolean

  constructor(schema: JsonSchema, random: Random, work: WorkBudget, isLastRun: boolean) {
    this.isLastRun = isLastRun
    this.random = random
    this.work = work
    this.index = new SchemaIndex(schema, work)
    this.validator = new Validator(this.index, work)
    this.shapeOf = measureShapes(this.index, work)
  }

  /** Generates a valid value. @throws Unsatisfied when there is none, NotFound when none was found. */
  abstract generate(request: ValueRequest): unknown

  /** Generates a value; undefined for an optional part that has none. The last run takes the best value of a required one. */
  generatePart(request: ValueRequest, { isRequired }: { readonly isRequired: boolean }): unknown {
    try {
      return this.generate(request)
    } catch (error) {
      if (!isRequired && error instanceof Unsatisfied) return undefined
      if (this.isLastRun && error instanceof NotFound) return error.best
      throw error
    }
  }

  /** The reason why the value is not a valid answer to the request, or undefined. */
  findProblem({ schemas, taken }: ValueRequest, value: unknown): string | undefined {
    if (taken?.has(equalityKey(value)) === true) return 'its items must be unique, and no more values were found'
    for (const schema of schemas) {
      const error = this.validator.check(schema, value)
      if (error !== undefined) return error
    }
    return undefined
  }
}

/**
 * Generates a value of one type that meets all parts; they are the last ones of `request.around`.
 * @throws Unsatisfied when there is none.
 */
export type PartsGenerator = (
  generator: ValueGenerator,
  parts: readonly SchemaObject[],
  request: ValueRequest,
  choices: ChoiceSequence,
) => unknown
