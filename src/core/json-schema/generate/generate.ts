/**
 * A value that is valid against a JSON Schema: seeded, small and readable.
 *
 * Values are built from what the schema says, then judged by the validator. A value that fails is built again with the
 * next combination of choices; when all are tried, or the work is spent, the schema is declared a problem.
 *
 * Our own, after weighing json-schema-faker 0.6.3 on the schemas of the public JSON-Schema-Test-Suite (those with a valid
 * instance, ajv as the judge): 97.7% valid here, 85.2% there. It also takes a schema that has no value for one that has,
 * runs out of stack on deep ones, blocks for a minute on a large minItems, and imports node:fs.
 */
import type { Random } from '../../random/random.ts'
import { inferredTypes } from '../infer-type.ts'
import { References } from '../references.ts'
import { Patterns } from '../regex/pattern.ts'
import {
  isDeeper,
  isRecord,
  type JsonType,
  type Schema,
  type SchemaObject,
  SchemaProblem,
  Unsatisfied,
  Work,
} from '../schema.ts'
import { equalityKey } from '../validate/equality.ts'
import { Validator } from '../validate/validator.ts'
import { makeArray } from './arrays.ts'
import { Choices } from './choices.ts'
import { expand, typesOfAll } from './expand.ts'
import { MinDepth } from './min-depth.ts'
import { rangeOfName } from './name-values.ts'
import { makeNumber } from './numbers.ts'
import { makeObject } from './objects.ts'
import { makeString } from './strings.ts'
import type { GenerateOptions, Maker, Task } from './task.ts'

export type { GenerateOptions } from './task.ts'
/** A value, or why there is none and where in the schema the reason is. */
export type Generated = { readonly value: unknown } | { readonly problem: string; readonly path: string }

const WORK_LIMIT = 250_000
const MAX_DEPTH = 100
const MAX_COMBINATIONS = 200
// Where nothing is left to choose, luck alone decides: how often it is given a chance.
const MAX_DRAWS = 40
const MANY_VALUES = 300
const MAX_VALUES = 20_000
const ENOUGH_RECURSION = 2
const ENOUGH_DEPTH = 8

/**
 * Makes a value that is valid against the schema. An unsatisfiable schema is a problem, and so is one that takes more
 * work than `workLimit`; neither is ever a loop.
 * @example generateValue({ type: 'integer', minimum: 1, maximum: 6 }, new Random('a die')) // { value: 4 }
 */
export function generateValue(schema: unknown, random: Random, options: GenerateOptions = {}): Generated {
  if (typeof schema !== 'boolean' && !isRecord(schema)) {
    return { problem: 'a schema must be an object, true or false', path: '#' }
  }
  const work = new Work(options.workLimit ?? WORK_LIMIT)
  try {
    return { value: new ValueMaker(schema, random, options, work).makeRoot() }
  } catch (error) {
    if (!(error instanceof Unsatisfied || error instanceof SchemaProblem)) throw error
    return { problem: error.message, path: shortened(error.path) }
  }
}

const shortened = (path: string): string => (path.length > 300 ? `${path.slice(0, 200)}...${path.slice(-80)}` : path)

class ValueMaker implements Maker {
  readonly random: Random
  readonly options: GenerateOptions
  readonly validator: Validator
  readonly wayOut: MinDepth
  readonly #root: Schema
  readonly #work: Work
  readonly #references: References
  readonly #patterns: Patterns
  /** How often each schema is at work on the way from the root to here. */
  readonly #active = new Map<SchemaObject, number>()
  readonly #hopeless = new Map<string, Unsatisfied>()
  readonly #types = new Map<Schema, readonly JsonType[]>()
  readonly #numbers = new Map<Schema, number>()
  #values = 0

  constructor(root: Schema, random: Random, options: GenerateOptions, work: Work) {
    this.#root = root
    this.random = random
    this.options = options
    this.#work = work
    this.#references = new References(root, work)
    this.#patterns = new Patterns(work)
    this.validator = new Validator(this.#references, this.#patterns, work)
    this.wayOut = new MinDepth(this.#references, work)
  }

  makeRoot(): unknown {
    if (this.wayOut.height(this.#root) === Number.POSITIVE_INFINITY) {
      throw new Unsatisfied('no finite value is allowed: what must be there never ends, or is forbidden', '#')
    }
    const task = { schemas: [this.#root], path: '#', name: '', depth: 0, isEnding: false }
    let error: string | undefined
    for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
      this.#values = 0
      const value = this.make(task)
      error = this.validator.check(this.#root, value)
      if (error === undefined) return value
    }
    throw new Unsatisfied(`no valid value found: ${error}`, '#')
  }

  inside(task: Task, path: string): Pick<Task, 'path' | 'depth' | 'isEnding'> {
    return { path, depth: task.depth + 1, isEnding: task.isEnding }
  }

  make(task: Task): unknown {
    const { path, depth } = task
    this.#work.spend(1, path)
    this.#values += 1
    if (depth > MAX_DEPTH) throw new SchemaProblem(`a value would be nested more than ${MAX_DEPTH} levels deep`, path)
    if (this.#values > MAX_VALUES) throw new SchemaProblem(`a value would have more than ${MAX_VALUES} parts`, path)
    const key = this.#keyOf(task.schemas)
    const known = task.taken === undefined ? this.#hopeless.get(key) : undefined
    if (known !== undefined) throw known
    const salt = this.random.below(0x7fffffff)
    let first: Unsatisfied | undefined
    for (let attempt = 0; attempt < MAX_COMBINATIONS; attempt++) {
      const choices = new Choices(attempt, salt)
      try {
        const value = this.#attempt(task, choices)
        const error = this.#doubt(task, value)
        if (error === undefined) return value
        first ??= new Unsatisfied(`no valid value found: ${error}`, path)
        if (attempt > Math.max(MAX_DRAWS, choices.combinations)) break
      } catch (error) {
        if (!(error instanceof Unsatisfied)) throw error
        first ??= error
        // An object that could not be made with some of its optional properties gets two chances without, and with all.
        if (attempt >= Math.max(choices.combinations, 3)) break
      }
    }
    if (task.taken === undefined) this.#hopeless.set(key, first!)
    throw first!
  }

  #attempt(task: Task, choices: Choices): unknown {
    const { path } = task
    const parts = expand(task.schemas, {
      references: this.#references,
      wayOut: this.wayOut,
      work: this.#work,
      types: this.#types,
      choices,
      isEnding: this.#isEnding(task),
      path,
    })
    const listed = this.#listed(parts, task, choices)
    if (listed !== undefined) return listed.value
    const type = this.#type(parts, choices, task)
    const recursion = parts.filter((part) => (this.#active.get(part) ?? 0) >= ENOUGH_RECURSION)
    const isEnding = this.#isEnding(task) || recursion.length > 0
    for (const part of parts) this.#active.set(part, (this.#active.get(part) ?? 0) + 1)
    try {
      return this.#ofType(type, parts, { ...task, isEnding }, choices)
    } finally {
      for (const part of parts) this.#active.set(part, this.#active.get(part)! - 1)
    }
  }

  #isEnding(task: Task): boolean {
    const isEnough = task.depth >= ENOUGH_DEPTH || this.#values >= MANY_VALUES
    return task.isEnding || isEnough || task.schemas.some((schema) => this.#isRecurring(schema))
  }

  #isRecurring(schema: Schema): boolean {
    if (typeof schema === 'boolean') return false
    const ways = [schema, ...this.#references.targets(schema)]
    for (const way of [...((schema.anyOf ?? []) as Schema[]), ...((schema.oneOf ?? []) as Schema[])]) {
      if (typeof way !== 'boolean') ways.push(way, ...this.#references.targets(way))
    }
    return ways.some((way) => typeof way !== 'boolean' && (this.#active.get(way) ?? 0) >= ENOUGH_RECURSION)
  }

  /** A value that the schema itself lists: in `enum` or `const`, or else in `examples` or `default`. */
  #listed(parts: readonly SchemaObject[], task: Task, choices: Choices): { readonly value: unknown } | undefined {
    const isValid = (value: unknown): boolean => !isDeeper(value, MAX_DEPTH) && this.#doubt(task, value) === undefined
    const lists = parts.flatMap((part) => [
      ...(part.enum === undefined ? [] : [part.enum as unknown[]]),
      ...(Object.hasOwn(part, 'const') ? [[part.const]] : []),
    ])
    if (lists.length > 0) {
      const shortest = lists.reduce((left, right) => (right.length < left.length ? right : left))
      this.#work.spend(Math.ceil(shortest.length / 8), task.path)
      const start = this.random.below(shortest.length)
      const inOrder = [...shortest.slice(start), ...shortest.slice(0, start)]
      const isNullWelcome = choices.seldom(8)
      const value = inOrder.find((each) => (each !== null || isNullWelcome) && isValid(each))
      if (value !== undefined) return { value }
      if (shortest.includes(null) && isValid(null)) return { value: null }
      throw new Unsatisfied('none of the values of its enum or const is valid', task.path)
    }
    if (choices.attempt > 0 || task.depth === 0) return undefined
    const suggested = parts.flatMap((part) => [
      ...(Array.isArray(part.examples) ? part.examples : []),
      ...(part.example === undefined ? [] : [part.example]),
    ])
    const examples = suggested.filter(isValid)
    if (examples.length > 0) return { value: examples[this.random.below(examples.length)] }
    const usual = parts.flatMap((part) => (Object.hasOwn(part, 'default') ? [part.default] : []))
    // `default: null` says that something is left out: no reason to show nothing.
    const value = usual.find((each) => each !== null && isValid(each))
    return value === undefined ? undefined : { value }
  }

  #type(parts: readonly SchemaObject[], choices: Choices, task: Task): JsonType {
    const types = typesOfAll(parts)
    if (types.length === 0) {
      const named = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat().join(' or ')]))
      throw new Unsatisfied(`no type is allowed by all of: ${named.join('; ')}`, task.path)
    }
    if (this.#isEnding(task)) return choices.first(types)
    const something = types.filter((type) => type !== 'null')
    const nothing = types.filter((type) => type === 'null')
    if (!parts.some((part) => part.type !== undefined)) {
      return choices.first(inferredTypes(parts))
    }
    const isNull = something.length === 0 || (nothing.length > 0 && choices.seldom(8))
    return choices.first(isNull ? [...nothing, ...something] : [...choices.rotated(something), ...nothing])
  }

  #ofType(type: JsonType, parts: readonly SchemaObject[], task: Task, choices: Choices): unknown {
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return this.random.below(2) === 0
      case 'number':
        return makeNumber(parts, rangeOfName(task.name), this.random, choices.attempt > 3, task.path)
      case 'string':
        return makeString(parts, task.name, this.#patterns, this.random, task.path, choices.attempt)
      case 'array':
        return makeArray(this, parts, task, choices.attempt)
      default:
        return makeObject(this, parts, task, choices)
    }
  }

  /** What the validator says of a value that was not built in a way that makes sure of it. */
  #doubt(task: Task, value: unknown): string | undefined {
    if (task.taken?.has(equalityKey(value)) === true) return 'its items must be unique, and no more values were found'
    for (const schema of task.schemas) {
      const error = this.validator.check(schema, value)
      if (error !== undefined) return error
    }
    return undefined
  }

  #keyOf(schemas: readonly Schema[]): string {
    return schemas
      .map((schema) => {
        const number = this.#numbers.get(schema) ?? this.#numbers.size
        this.#numbers.set(schema, number)
        return number
      })
      .join()
  }
}
