/** The parts that the generators of values share: the request, the state of a run, and the choices of an attempt. */
import { mix32 } from '../../random/hash.ts'
import { type Random, rotate } from '../../random/random.ts'
import {
  type JsonSchema,
  type JsonType,
  type SchemaObject,
  SchemaProblem,
  Unsatisfied,
  type WorkBudget,
} from '../json-schema.ts'
import { SchemaIndex } from '../schema-index.ts'
import { Validator } from '../validator.ts'
import { measureDepths } from './least-depths.ts'

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
export abstract class ValueGenerator {
  readonly random: Random
  readonly work: WorkBudget
  readonly index: SchemaIndex
  readonly validator: Validator
  /** The levels of the flattest value of a schema; infinite when it has no finite one. */
  readonly depthOf: (schema: JsonSchema) => number
  /** Cache of the types that schemas allow. */
  readonly types = new Map<JsonSchema, readonly JsonType[]>()

  constructor(schema: JsonSchema, random: Random, work: WorkBudget) {
    this.random = random
    this.work = work
    this.index = new SchemaIndex(schema, work)
    this.validator = new Validator(this.index, work)
    this.depthOf = measureDepths(this.index, work)
  }

  /** Generates a value. @throws Unsatisfied when there is none. */
  abstract generate(request: ValueRequest): unknown

  /** Generates a value; undefined when there is none. */
  tryToGenerate(request: ValueRequest): unknown {
    try {
      return this.generate(request)
    } catch (error) {
      if (error instanceof Unsatisfied) return undefined
      throw error
    }
  }
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

/** Null shows less than a value: it comes once in so many values, or when everything else fails. */
const VALUES_PER_NULL = 8

/**
 * The sequence of choices that one attempt at a value makes.
 *
 * The number of the attempt is read as digits, one per branch point, the first point changing fastest: counting
 * attempts up tries every combination once, from a seeded one on. Attempt 0 comes before the count and may begin with
 * a rare option.
 */
export class ChoiceSequence {
  /** The number of combinations of the branch points met so far. */
  combinations = 1
  readonly attempt: number
  readonly #salt: number
  #rest: number
  #points = 0

  constructor(attempt: number, salt: number) {
    this.attempt = attempt
    this.#rest = Math.max(0, attempt - 1)
    this.#salt = salt
  }

  /** The options in their order, from a seeded one on. */
  rotate<Option>(options: readonly Option[]): Option[] {
    return rotate(options, mix32(this.#salt + this.#points) % options.length)
  }

  /** Takes one of the options: the first in the first attempt, then the others. */
  takeInOrder<Option>(options: readonly Option[]): Option {
    const digit = this.#rest % options.length
    this.#rest = Math.floor(this.#rest / options.length)
    this.combinations *= options.length
    this.#points += 1
    return options[digit]!
  }

  /** Takes one of the options, a seeded one first. Nulls come after all values, but first where `isNullTurn`. */
  takeSeeded<Option>(options: readonly Option[], isNull: (option: Option) => boolean): Option {
    const values = options.filter((option) => !isNull(option))
    const nulls = options.filter(isNull)
    if (values.length === 0 || nulls.length === 0) return this.takeInOrder(this.rotate(options))
    return this.takeInOrder(this.isNullTurn ? [...nulls, ...values] : [...this.rotate(values), ...nulls])
  }

  /** True for the first attempt at one in `VALUES_PER_NULL` values. */
  get isNullTurn(): boolean {
    return this.attempt === 0 && mix32(this.#salt + this.#points + 7919) % VALUES_PER_NULL === 0
  }
}
