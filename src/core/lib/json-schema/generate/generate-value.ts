/**
 * Generates a value that is valid against a JSON Schema: seeded, small and readable.
 *
 * Values are built from what the schema says, then validated. A value that fails is built again with the next
 * combination of choices (choice-sequence.ts). If none is valid, a second run also tries unusual values. A schema that certainly
 * has no value is reported as a problem; otherwise the best value is returned with a note.
 *
 * json-schema-faker 0.6.3 was weighed against it: of its values for the satisfiable schemas of the JSON-Schema-Test-Suite,
 * ajv takes 85%. It accepts unsatisfiable schemas, overflows the stack on deep ones, blocks for a minute on a large
 * minItems, and imports node:fs.
 */
import { type Random, rotate } from '../../random/random.ts'
import { isObject } from '../../text/json.ts'
import {
  type JsonSchema,
  type JsonType,
  LimitExceeded,
  NotFound,
  type SchemaObject,
  SchemaProblem,
  Unsatisfied,
  WorkBudget,
} from '../json-schema.ts'
import { listsOf, schemaList } from '../keywords.ts'
import { ChoiceSequence } from './choice-sequence.ts'
import { chooseBranches } from './choose-branches.ts'
import { generateArray } from './generate-array.ts'
import { generateNumber } from './generate-number.ts'
import { generateObject } from './generate-object.ts'
import { generateText } from './generate-text.ts'
import { type PartsGenerator, ValueGenerator, type ValueRequest } from './value-request.ts'
import { commonTypes } from './value-shapes.ts'

/** A value with notes for the journal, or the reason why there can be none and its place in the schema. */
type GeneratedValue =
  | { readonly value: unknown; readonly notes: readonly string[] }
  | { readonly problem: string; readonly path: string }

/** The steps of work that a value takes. */
const STEPS_PER_VALUE = 4
/** The entries of a list that one step of work tries. */
const LISTED_PER_STEP = 8
const MAX_DEPTH = 100
const MAX_COMBINATIONS = 200
/** The attempts at least after an invalid value. Those beyond the combinations differ only in their random draws. */
const MAX_DRAWS = 40
/** Further examples are not looked at. */
const MAX_EXAMPLES = 1000
/** Beyond these, recursion ends as soon as the schema allows it. */
const READABLE_VALUES = 300
const READABLE_RECURSION = 2
const READABLE_DEPTH = 8

/** The answer by type, if the generator found no value at all; `{}` for the other types. */
const EMPTY: Readonly<Partial<Record<JsonType, unknown>>> = { string: '', array: [], number: 0, boolean: false }

const GENERATORS: Readonly<Record<JsonType, PartsGenerator>> = {
  null: () => null,
  boolean: ({ random }) => random.below(2) === 0,
  number: generateNumber,
  string: generateText,
  array: generateArray,
  object: generateObject,
}

/** The type that a schema without `type` means, by its keywords. */
const TYPES_BY_KEYWORD: readonly (readonly [JsonType, RegExp])[] = [
  ['object', /propert|required/i],
  ['array', /items/i],
  ['string', /length|^(?:pattern|format)$/i],
  ['number', /imum$|^multipleOf$/],
]
const OTHER_TYPES: readonly JsonType[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

/**
 * Generates a value that is valid against the schema.
 * @param workLimit in steps of work, over both runs.
 * @example generateValue({ type: 'integer', minimum: 1, maximum: 6 }, new Random('a die')) // { value: 4, notes: [] }
 */
export function generateValue(schema: unknown, random: Random, workLimit?: number): GeneratedValue {
  const work = new WorkBudget(workLimit)
  const usual = runOnce(schema as JsonSchema, random, work, { isLastRun: false })
  if (!(usual instanceof SchemaProblem)) return usual
  // A malformed schema, and one beyond the limits, gets no second run.
  const last = usual instanceof Unsatisfied ? runOnce(schema as JsonSchema, random, work, { isLastRun: true }) : usual
  if (!(last instanceof SchemaProblem)) return last
  const { message: problem } = usual
  // The path of a recursive schema may be very long.
  const path = usual.path.length > 300 ? `${usual.path.slice(0, 200)}...${usual.path.slice(-80)}` : usual.path
  const mayHaveValue = last instanceof NotFound || last instanceof LimitExceeded
  if (!mayHaveValue) return { problem, path }
  const best = last instanceof NotFound ? last.best : undefined
  const [type] = isObject(schema) ? [schema.type].flat() : []
  const value = best ?? EMPTY[type as JsonType] ?? {}
  return { value, notes: [`the answer may violate its schema: ${problem} (at ${path})`] }
}

/** A valid value, or the reason why none was found. */
function runOnce(schema: JsonSchema, random: Random, work: WorkBudget, { isLastRun }: { isLastRun: boolean }) {
  try {
    const generator = new SchemaValueGenerator(schema, random, work, isLastRun)
    if (!Number.isFinite(generator.shapeOf(schema).depth)) {
      throw new Unsatisfied('no finite value is allowed: a required part is forbidden or endlessly recursive', '#')
    }
    const value = generator.generate({ schemas: [schema], path: '#', name: '', around: [], isEnding: false })
    return { value, notes: generator.validator.notes }
  } catch (error) {
    if (error instanceof SchemaProblem) return error
    throw error
  }
}

/** Attempts each value until it is valid, with other choices each time. */
class SchemaValueGenerator extends ValueGenerator {
  /** The requests that failed, so that the same one fails at once. */
  readonly #failures: { readonly schemas: readonly JsonSchema[]; readonly error: Unsatisfied }[] = []
  /** The number of values begun, those of failed attempts included. */
  #values = 0

  override generate(request: ValueRequest): unknown {
    const { path, around, schemas, taken } = request
    this.work.spend(STEPS_PER_VALUE, path)
    this.#values += 1
    if (around.length > MAX_DEPTH)
      throw new LimitExceeded(`a value would be nested more than ${MAX_DEPTH} levels deep`, path)
    // A request whose values must differ from others may fail for them alone.
    const isSame = (failed: readonly JsonSchema[]): boolean =>
      failed.length === schemas.length && failed.every((schema, index) => schema === schemas[index])
    const known = taken === undefined ? this.#failures.find((failure) => isSame(failure.schemas)) : undefined
    if (known !== undefined) throw known.error
    const salt = this.random.below(0x7fffffff)
    let combinations = 1
    let firstError: Unsatisfied | undefined
    let notFound: NotFound | undefined
    let attempt = 0
    for (; attempt < MAX_COMBINATIONS; attempt++) {
      const choices = new ChoiceSequence(attempt, salt)
      try {
        const value = this.#attempt(request, choices)
        const problem = this.findProblem(request, value)
        if (problem === undefined) return value
        notFound ??= new NotFound(`no valid value found: ${problem}`, path, value)
        firstError ??= notFound
        if (attempt > Math.max(this.isLastRun ? 0 : MAX_DRAWS, choices.combinations)) break
      } catch (error) {
        if (!(error instanceof Unsatisfied)) throw error
        firstError ??= error
        if (error instanceof NotFound) notFound ??= error
        // Some branches lead to more branch points than others.
        combinations = this.isLastRun ? Math.max(combinations, choices.combinations) : choices.combinations
        // An object that failed with some of its optional properties is tried without them and with all of them.
        if (attempt >= Math.max(combinations, this.isLastRun ? 1 : 3)) break
      }
    }
    // That no combination has a value is certain only if all were tried, each of which has none.
    const isCertain = notFound === undefined && attempt < MAX_COMBINATIONS && taken === undefined
    const error = isCertain ? firstError! : new NotFound(firstError!.message, firstError!.path, notFound?.best)
    if (taken === undefined) this.#failures.push({ schemas, error })
    throw error
  }

  /** Builds a value with these choices; it may not be valid. */
  #attempt(request: ValueRequest, choices: ChoiceSequence): unknown {
    const { schemas, around, path } = request
    const isLarge = around.length >= READABLE_DEPTH || this.#values >= READABLE_VALUES
    const isEnding = request.isEnding || isLarge || schemas.some((schema) => this.#isRecurring(schema, around))
    const parts = chooseBranches(this, { ...request, isEnding }, choices)
    const listed = this.#chooseListed(parts, request, choices)
    if (listed !== undefined) return listed.value

    const types = commonTypes(parts)
    const named = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat().join(' or ')]))
    if (types.length === 0) throw new Unsatisfied(`no type is allowed by all of: ${named.join('; ')}`, path)
    let type: JsonType
    if (isEnding) type = choices.takeInOrder(types)
    else if (named.length > 0) type = choices.takeSeeded(types, (each) => each === 'null')
    else {
      // First those that the keywords apply to, then the others.
      const keywords = parts.flatMap((part) => Object.keys(part))
      const inferred = TYPES_BY_KEYWORD.filter(([, pattern]) => keywords.some((keyword) => pattern.test(keyword)))
      type = choices.takeInOrder([...new Set([...inferred.map(([each]) => each), ...OTHER_TYPES])])
    }
    const isDeep = parts.some((part) => isRepeated(part, around))
    const inner = { isEnding: isEnding || isDeep, around: [...around, new Set(parts)] }
    return GENERATORS[type](this, parts, { ...request, ...inner }, choices)
  }

  /** True if the schema, its target, or one of its branches is repeated. */
  #isRecurring(schema: JsonSchema, around: ValueRequest['around']): boolean {
    if (typeof schema === 'boolean') return false
    const reached = [schema, ...schemaList(schema.anyOf), ...schemaList(schema.oneOf)]
    return reached.some((part) => {
      const target = typeof part === 'boolean' ? undefined : this.index.targetOf(part)
      return isRepeated(part, around) || isRepeated(target, around)
    })
  }

  /** A value that the schema lists in `enum` or `const`, or suggests in `examples` or `default`. */
  #chooseListed(
    parts: readonly SchemaObject[],
    request: ValueRequest,
    choices: ChoiceSequence,
  ): { readonly value: unknown } | undefined {
    const isValid = (value: unknown): boolean =>
      !isDeeper(value, MAX_DEPTH) && this.findProblem(request, value) === undefined
    const lists = parts.flatMap(listsOf)
    if (lists.length > 0) {
      const shortest = lists.reduce((left, right) => (right.length < left.length ? right : left))
      this.work.spend(shortest.length / LISTED_PER_STEP, request.path)
      const inOrder = rotate(shortest, this.random.below(shortest.length))
      const allowsNull = choices.isNullTurn
      for (const value of inOrder) if ((value !== null || allowsNull) && isValid(value)) return { value }
      if (shortest.includes(null) && isValid(null)) return { value: null }
      throw new Unsatisfied('none of the values of its enum or const is valid', request.path)
    }
    // Examples are for the first attempt at a value inside the answer. An example of the whole answer is not used.
    if (choices.attempt > 0 || request.around.length === 0) return undefined
    const suggested = parts.flatMap((part) => [
      ...(Array.isArray(part.examples) ? part.examples : []),
      ...(part.example === undefined ? [] : [part.example]),
    ])
    const examples = suggested.slice(0, MAX_EXAMPLES).filter(isValid)
    if (examples.length > 0) return { value: examples[this.random.below(examples.length)] }
    // `default: null` marks an optional value, and null shows nothing.
    const usual = parts.find((part) => (part.default ?? null) !== null && isValid(part.default))
    return usual === undefined ? undefined : { value: usual.default }
  }
}

/** True if the schema applies to several of the values around one. */
const isRepeated = (schema: JsonSchema | undefined, around: ValueRequest['around']): boolean =>
  around.filter((parts) => parts.has(schema)).length >= READABLE_RECURSION

/** True if a value is nested deeper than `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
