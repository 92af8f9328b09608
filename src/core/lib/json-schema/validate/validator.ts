/**
 * A small validator of JSON Schema, drafts 7 to 2020-12. Every generated value passes through it.
 *
 * A value is a tree of nodes. The verdict of a referenced schema is cached at its node, so that schemas that refer to
 * each other many times cost at most schemas times nodes.
 */
import { isObject, type JsonObject } from '../../text/json.ts'
import type { Steps } from '../../work/steps.ts'
import { isMultiple } from '../decimal.ts'
import { hasFormat } from '../formats.ts'
import type { References } from '../references.ts'
import type { Patterns } from '../regex/patterns.ts'
import {
  countCodePoints,
  countValues,
  type Schema,
  type SchemaObject,
  SchemaProblem,
  schemaList,
  typeOf,
  type WorkBudget,
} from '../schema.ts'
import { equalityKey } from './equality.ts'
import { InstanceNode, type SchemaVisitor } from './instance-node.ts'
import { checkArray } from './validate-array.ts'
import { checkObject } from './validate-object.ts'

const MAX_DEPTH = 250
/** Counting and matching this many characters takes as long as another step. */
const CHARACTERS_PER_STEP = 100
const VALUES_PER_STEP = 4
const LOOKUPS_PER_STEP = 8

export class Validator implements SchemaVisitor {
  readonly references: References
  readonly patterns: Patterns
  readonly #work: WorkBudget
  #depth = 0

  constructor(references: References, patterns: Patterns, work: WorkBudget) {
    this.references = references
    this.patterns = patterns
    this.#work = work
  }

  /** What is wrong with the value, or undefined. */
  *check(schema: Schema, value: unknown): Steps<string | undefined> {
    this.#depth = 0
    return yield* this.visit(schema, new InstanceNode(value, '$'))
  }

  spendLookups(count: number): void {
    this.#work.spend(Math.floor(count / LOOKUPS_PER_STEP))
  }

  *visit(schema: Schema, node: InstanceNode): Steps<string | undefined> {
    this.#work.spend(1 + stepsToRead(schema, node.value))
    if (this.#work.isPauseDue) yield this.#work.pause()
    if (schema === true) return undefined
    if (schema === false) return `${node.at} is not allowed`
    if (this.#depth >= MAX_DEPTH) throw new SchemaProblem(`it is nested more than ${MAX_DEPTH} levels deep`, '#')
    this.#depth += 1
    const error =
      (yield* this.#referenced(schema, node)) ??
      checkPlain(schema, node, this.patterns) ??
      (hasObject(node) ? yield* checkObject(this, schema, node) : undefined) ??
      (hasArray(node) ? yield* checkArray(this, schema, node) : undefined) ??
      (yield* this.#combined(schema, node))
    this.#depth -= 1
    return error
  }

  *#referenced(schema: SchemaObject, node: InstanceNode): Steps<string | undefined> {
    for (const target of this.references.targets(schema)) {
      const known = node.verdicts.get(target)
      if (known === 'open') return `${node.at} is described by a reference that leads back to itself`
      if (known === undefined) node.verdicts.set(target, 'open')
      const { error } = known ?? { error: yield* this.visit(target, node) }
      node.verdicts.set(target, { error })
      if (error !== undefined) return error
    }
    return undefined
  }

  *#combined(schema: SchemaObject, node: InstanceNode): Steps<string | undefined> {
    for (const part of schemaList(schema.allOf)) {
      const error = yield* this.visit(part, node)
      if (error !== undefined) return error
    }
    if (schema.anyOf !== undefined) {
      const { count, first } = yield* this.#matches(schemaList(schema.anyOf), node, 1)
      if (count === 0) return `${node.at} matches none of anyOf (${first})`
    }
    if (schema.oneOf !== undefined) {
      const { count, first } = yield* this.#matches(schemaList(schema.oneOf), node, 2)
      if (count === 0) return `${node.at} matches none of oneOf (${first})`
      if (count > 1) return `${node.at} matches more than one of oneOf`
    }
    if (schema.not !== undefined && (yield* this.visit(schema.not as Schema, node)) === undefined) {
      return `${node.at} matches what 'not' excludes`
    }
    if (schema.if === undefined) return undefined
    const holds = (yield* this.visit(schema.if as Schema, node)) === undefined
    const branch = (holds ? schema.then : schema.else) as Schema | undefined
    return branch === undefined ? undefined : yield* this.visit(branch, node)
  }

  *#matches(
    options: readonly Schema[],
    node: InstanceNode,
    enough: number,
  ): Steps<{ readonly count: number; readonly first: string | undefined }> {
    let count = 0
    let first: string | undefined
    for (const option of options) {
      const error = yield* this.visit(option, node)
      if (error === undefined) count += 1
      else first ??= error
      if (count >= enough) break
    }
    return { count, first }
  }
}

/** What comparing and matching a value takes besides visiting it. */
function stepsToRead(schema: Schema, value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_PER_STEP)
  if (typeof schema === 'boolean' || typeof value !== 'object' || value === null) return 0
  const isCompared = schema.uniqueItems === true || schema.enum !== undefined || Object.hasOwn(schema, 'const')
  return isCompared ? Math.floor(countValues(value) / VALUES_PER_STEP) : 0
}

const hasObject = (node: InstanceNode): node is InstanceNode<JsonObject> => isObject(node.value)
const hasArray = (node: InstanceNode): node is InstanceNode<readonly unknown[]> => Array.isArray(node.value)

/** Checks the keywords that apply to a value without its parts. */
function checkPlain(schema: SchemaObject, { at, value }: InstanceNode, patterns: Patterns): string | undefined {
  if (schema.type !== undefined && !hasType(schema, value)) {
    return `${at} is not of type ${[schema.type].flat().join(' or ')}`
  }
  if (schema.enum !== undefined && !enumKeys(schema.enum as unknown[]).has(equalityKey(value))) {
    return `${at} is not one of the values of its enum`
  }
  if (Object.hasOwn(schema, 'const') && equalityKey(schema.const) !== equalityKey(value)) {
    return `${at} is not the value of its const`
  }
  if (typeof value === 'number') return checkNumber(schema, value, at)
  if (typeof value === 'string') return checkText(schema, value, at, patterns)
  return undefined
}

const keysOfEnums = new WeakMap<readonly unknown[], ReadonlySet<string>>()

/** The equality keys of a list, cached: lists of thousands of values are checked thousands of times. */
function enumKeys(list: readonly unknown[]): ReadonlySet<string> {
  const keys = keysOfEnums.get(list) ?? new Set(list.map((item) => equalityKey(item)))
  keysOfEnums.set(list, keys)
  return keys
}

function hasType(schema: SchemaObject, value: unknown): boolean {
  const type = typeOf(value)
  if (type === 'null' && schema.nullable === true) return true
  return [schema.type].flat().some((name) => name === type || (name === 'integer' && Number.isInteger(value)))
}

function checkNumber(schema: SchemaObject, value: number, at: string): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | undefined
  >
  const isAbove = schema.exclusiveMinimum === true
  const isBelow = schema.exclusiveMaximum === true
  if (minimum !== undefined && (value < minimum || (isAbove && value === minimum))) return `${at} is below ${minimum}`
  if (maximum !== undefined && (value > maximum || (isBelow && value === maximum))) return `${at} is above ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `${at} is not above ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `${at} is not below ${exclusiveMaximum}`
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return `${at} is not a multiple of ${multipleOf}`
  return undefined
}

function checkText(schema: SchemaObject, value: string, at: string, patterns: Patterns): string | undefined {
  const { minLength, maxLength } = schema as Record<string, number | undefined>
  if (minLength !== undefined && countCodePoints(value) < minLength) return `${at} is shorter than ${minLength}`
  if (maxLength !== undefined && countCodePoints(value) > maxLength) return `${at} is longer than ${maxLength}`
  if (schema.pattern !== undefined && !patterns.matches(schema.pattern as string, value, '#')) {
    return `${at} does not match the pattern ${schema.pattern}`
  }
  if (schema.format !== undefined && !hasFormat(schema.format as string, value))
    return `${at} is not of the format ${schema.format}`
  return undefined
}
