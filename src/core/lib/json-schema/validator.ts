/**
 * A small validator of JSON Schema, drafts 7 to 2020-12. Every generated value passes through it.
 *
 * `{ properties: { age: { type: 'integer' } } }` and `{ age: 'ten' }` -> `$.age is not of type integer`
 *
 * Two libraries were weighed against it. `@cfworker/json-schema` 4.1.6 matches patterns with RegExp (20 s for `^(a+)+$`
 * and 28 letters), overflows the stack at a reference to itself, and takes 8.6 s for a schema of 22 levels that double.
 * `ajv` generates code, which a page with a content security policy refuses.
 */
import { isObject, type JsonObject } from '../text/json.ts'
import { isMultiple } from './decimal.ts'
import { type JsonSchema, LimitExceeded, type SchemaObject, type WorkBudget } from './json-schema.ts'
import { countCodePoints, equalityKey, own, typeOf } from './json-values.ts'
import { itemSchema, readBounds, requiredNames, schemaList } from './keywords.ts'
import { PatternMatcher } from './regex/pattern-matcher.ts'
import type { SchemaIndex } from './schema-index.ts'
import { hasFormat } from './text-formats.ts'

const MAX_DEPTH = 250
/** Counting, matching and comparing so many characters takes as long as another step. */
const CHARACTERS_PER_STEP = 100
const LOOKUPS_PER_STEP = 8
const LISTED_PER_STEP = 1000

/** The verdicts of the schemas that a value was checked against by reference: an error, or undefined. */
type Verdicts = Map<JsonSchema, string | undefined>
type Bounds = Readonly<Record<string, number | undefined>>

export class Validator {
  readonly patterns: PatternMatcher
  /** The keywords that the last check met and did not check. */
  readonly #unchecked = new Set<string>()
  readonly #index: SchemaIndex
  readonly #work: WorkBudget
  /** The number of schemas that `#visit` is in. A check that threw leaves it as it was. */
  #depth = 0

  constructor(index: SchemaIndex, work: WorkBudget) {
    this.#index = index
    this.#work = work
    this.patterns = new PatternMatcher(work)
  }

  /** The first violation by the value, or undefined. */
  check(schema: JsonSchema, value: unknown): string | undefined {
    this.#depth = 0
    this.#unchecked.clear()
    return this.#visit(schema, value, '$')
  }

  /** A note that names the keywords that the last check met and did not check; none if it checked all. */
  get notes(): readonly string[] {
    const keywords = [...this.#unchecked].sort().join(', ')
    return keywords === '' ? [] : [`the answer may violate these keywords of its schema: ${keywords}`]
  }

  /** The schemas of the property of this name. */
  propertySchemas(schema: SchemaObject, name: string): JsonSchema[] {
    this.#work.spend(1 / LOOKUPS_PER_STEP)
    const found: JsonSchema[] = []
    const named = own((schema.properties ?? {}) as JsonObject, name) as JsonSchema | undefined
    if (named !== undefined) found.push(named)
    for (const [pattern, part] of Object.entries((schema.patternProperties ?? {}) as JsonObject)) {
      const isMatch = this.patterns.matches(pattern, name, '#')
      if (isMatch) found.push(part as JsonSchema)
      if (isMatch === undefined) this.#unchecked.add('patternProperties')
    }
    if (found.length === 0 && schema.additionalProperties !== undefined)
      found.push(schema.additionalProperties as JsonSchema)
    return found
  }

  /**
   * The first violation by the value at a place such as `$.people[0]`, or undefined.
   * @param verdicts those of the same value, so that schemas that double at each level are visited once.
   */
  #visit(schema: JsonSchema, value: unknown, at: string, verdicts: Verdicts = new Map()): string | undefined {
    this.#work.spend(typeof value === 'string' ? 1 + value.length / CHARACTERS_PER_STEP : 1)
    if (typeof schema === 'boolean') return schema ? undefined : `${at} is not allowed`
    for (const keyword of this.#index.notSimulated.get(schema) ?? []) {
      if (appliesTo(keyword, value)) this.#unchecked.add(keyword)
    }
    if (this.#depth >= MAX_DEPTH) throw new LimitExceeded(`it is nested more than ${MAX_DEPTH} levels deep`, '#')
    this.#depth += 1
    const target = this.#index.targetOf(schema)
    if (target !== undefined && !verdicts.has(target)) {
      // This verdict stands while the target is visited, and is found only by a reference that leads back to it.
      verdicts.set(target, `${at} is described by a reference that leads back to itself`)
      verdicts.set(target, this.#visit(target, value, at, verdicts))
    }
    const error =
      (target === undefined ? undefined : verdicts.get(target)) ??
      checkType(schema, value, at) ??
      this.#checkListed(schema, value, at) ??
      (typeof value === 'number' ? checkNumber(schema, value, at) : undefined) ??
      (typeof value === 'string' ? this.#checkText(schema, value, at) : undefined) ??
      (isObject(value) ? this.#checkObject(schema, value, at) : undefined) ??
      (Array.isArray(value) ? this.#checkArray(schema, value, at) : undefined) ??
      this.#checkCombined(schema, value, at, verdicts)
    this.#depth -= 1
    return error
  }

  #checkListed(schema: SchemaObject, value: unknown, at: string): string | undefined {
    if (schema.enum !== undefined && !this.#isListed(schema.enum as readonly unknown[], value)) {
      return `${at} is not one of the values of its enum`
    }
    const isConst = schema.const === undefined || this.#isListed([schema.const], value)
    return isConst ? undefined : `${at} is not the value of its const`
  }

  #isListed(list: readonly unknown[], value: unknown): boolean {
    this.#work.spend(list.length / LISTED_PER_STEP)
    if (typeof value !== 'object' || value === null) return list.includes(value)
    const key = this.#keyOf(value)
    return list.some((item) => typeof item === 'object' && this.#keyOf(item) === key)
  }

  #keyOf(value: unknown): string {
    const key = equalityKey(value)
    this.#work.spend(key.length / CHARACTERS_PER_STEP)
    return key
  }

  #checkText(schema: SchemaObject, value: string, at: string): string | undefined {
    const { minLength, maxLength } = schema as Bounds
    if (minLength !== undefined && countCodePoints(value) < minLength) return `${at} is shorter than ${minLength}`
    if (maxLength !== undefined && countCodePoints(value) > maxLength) return `${at} is longer than ${maxLength}`
    if (schema.pattern !== undefined) {
      const isMatch = this.patterns.matches(schema.pattern as string, value, '#')
      if (isMatch === false) return `${at} does not match the pattern ${schema.pattern}`
      if (isMatch === undefined) this.#unchecked.add('pattern')
    }
    const hasWanted = schema.format === undefined || hasFormat(schema.format as string, value)
    return hasWanted ? undefined : `${at} is not of the format ${schema.format}`
  }

  #checkObject(schema: SchemaObject, value: JsonObject, at: string): string | undefined {
    const missing = requiredNames(schema).find((name) => !Object.hasOwn(value, name))
    if (missing !== undefined) return `${at} lacks the required property '${missing}'`
    for (const name of schema.propertyNames === undefined ? [] : Object.keys(value)) {
      const error = this.#visit(schema.propertyNames as JsonSchema, name, `the name of ${at}.${name}`)
      if (error !== undefined) return error
    }
    for (const [name, inner] of Object.entries(value)) {
      for (const part of this.propertySchemas(schema, name)) {
        const error = this.#visit(part, inner, `${at}.${name}`)
        if (error !== undefined) return error
      }
    }
    return undefined
  }

  #checkArray(schema: SchemaObject, value: readonly unknown[], at: string): string | undefined {
    const { minItems, maxItems } = schema as Bounds
    if (minItems !== undefined && value.length < minItems) return `${at} has fewer than ${minItems} items`
    if (maxItems !== undefined && value.length > maxItems) return `${at} has more than ${maxItems} items`
    if (schema.uniqueItems === true && new Set(value.map((item) => this.#keyOf(item))).size < value.length) {
      return `${at} has equal items`
    }
    for (let index = 0; index < value.length; index++) {
      const part = itemSchema(schema, index)
      if (part === undefined) return undefined
      const error = this.#visit(part, value[index], `${at}[${index}]`)
      if (error !== undefined) return error
    }
    return undefined
  }

  #checkCombined(schema: SchemaObject, value: unknown, at: string, verdicts: Verdicts): string | undefined {
    for (const part of schemaList(schema.allOf)) {
      const error = this.#visit(part, value, at, verdicts)
      if (error !== undefined) return error
    }
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      if (schema[keyword] === undefined) continue
      let matches = 0
      let firstError: string | undefined
      for (const option of schemaList(schema[keyword])) {
        const error = this.#visit(option, value, at, verdicts)
        if (error === undefined) matches += 1
        firstError ??= error
        if (matches === (keyword === 'anyOf' ? 1 : 2)) break
      }
      if (matches === 0) return `${at} matches none of ${keyword} (${firstError})`
      if (matches > 1) return `${at} matches more than one of oneOf`
    }
    if (schema.not !== undefined && this.#visit(schema.not as JsonSchema, value, at, verdicts) === undefined) {
      return `${at} matches what 'not' excludes`
    }
    return undefined
  }
}

/** False for a keyword about properties or items that does not concern this value. */
function appliesTo(keyword: string, value: unknown): boolean {
  if (/properties|dependen/i.test(keyword)) return isObject(value)
  return /contains|items/i.test(keyword) ? Array.isArray(value) : true
}

function checkType({ type, nullable }: SchemaObject, value: unknown, at: string): string | undefined {
  if (type === undefined || (value === null && nullable === true)) return undefined
  const types = [type].flat()
  const isOfType = types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value))
  return isOfType ? undefined : `${at} is not of type ${types.join(' or ')}`
}

function checkNumber(schema: SchemaObject, value: number, at: string): string | undefined {
  const { from, to, isAbove, isBelow } = readBounds([schema])
  const { multipleOf } = schema as Bounds
  if (isAbove ? value <= from : value < from) return `${at} is ${isAbove ? 'not above' : 'below'} ${from}`
  if (isBelow ? value >= to : value > to) return `${at} is ${isBelow ? 'not below' : 'above'} ${to}`
  const isWanted = multipleOf === undefined || isMultiple(value, multipleOf)
  return isWanted ? undefined : `${at} is not a multiple of ${multipleOf}`
}
