/** Generates an object: which properties it has, and what each of them must be. */

import type { Steps } from '../../work/steps.ts'
import { define, pointerStep, type Schema, type SchemaObject, Unsatisfied } from '../schema.ts'
import { equalityKey } from '../validate/equality.ts'
import { findPropertySchemas } from '../validate/validate-object.ts'
import type { ChoiceSequence } from './choice-sequence.ts'
import { drawPropertyName } from './name-values.ts'
import { readSizeRange, type SizeRange } from './size-range.ts'
import { requestInside, type ValueGenerator, type ValueRequest } from './value-generator.ts'

/** The most optional properties of an object that need not have more. */
const MAX_READABLE_PROPERTIES = 24
const MAX_PROPERTIES = 5000
const MAX_NAME_DRAWS = 40
/** The share of the optional properties that an object has. */
const OPTIONAL_SHARE = 0.7

/** Throws `Unsatisfied` when a required property can't be generated. */
export function* generateObject(
  generator: ValueGenerator,
  parts: readonly SchemaObject[],
  request: ValueRequest,
  choices: ChoiceSequence,
): Steps<unknown> {
  const { path, isEnding } = request
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? (part.required as string[]) : [])))
  const range = readSizeRange(parts, 'Properties', MAX_PROPERTIES, path)
  const { min, max } = range
  const value: Record<string, unknown> = {}
  // In order of insertion.
  const names = new Set<string>()

  function* add(name: string): Steps<void> {
    if (names.has(name)) return
    const propertyPath = `${path}/properties/${pointerStep(name)}`
    if (!(yield* isNameAllowed(generator, parts, name))) {
      throw new Unsatisfied(`the property name '${name}' is not allowed`, propertyPath)
    }
    const schemas = propertySchemas(generator, parts, name)
    names.add(name)
    define(value, name, yield* generator.generate({ ...requestInside(request, propertyPath), schemas, name }))
  }
  function* addIfPossible(name: string): Steps<void> {
    const before = names.size
    try {
      yield* add(name)
    } catch (error) {
      if (!(error instanceof Unsatisfied)) throw error
      for (const added of [...names].slice(before)) {
        delete value[added]
        names.delete(added)
      }
    }
  }

  // In the schema's own order, which is the order that people read and models write.
  const declared = [...new Set(parts.flatMap((part) => Object.keys((part.properties ?? {}) as object)))]
  const optional: string[] = []
  for (const name of declared) {
    if (!required.has(name) && (yield* isPossible(generator, parts, name))) optional.push(name)
  }
  const chosen = new Set(chooseOptional(generator, optional, required.size, range, choices, isEnding))
  for (const name of declared) {
    if (required.has(name)) yield* add(name)
    else if (chosen.has(name) && names.size < max) yield* addIfPossible(name)
  }
  for (const name of required) yield* add(name)
  for (const name of optional) if (names.size < min) yield* addIfPossible(name)
  yield* addUnnamed(generator, parts, request, range, names, addIfPossible)
  if (names.size < min) throw new Unsatisfied(`no way found to have ${min} properties`, path)
  if (names.size > max) throw new Unsatisfied(`it must have ${names.size} properties, and may have ${max}`, path)
  return value
}

/** The first attempt takes a share of the optional properties; later ones none, then all, then a share again. */
function chooseOptional(
  { random }: ValueGenerator,
  optional: readonly string[],
  requiredCount: number,
  { min, max }: SizeRange,
  { attempt }: ChoiceSequence,
  isEnding: boolean,
): readonly string[] {
  const room = Math.min(max - requiredCount, Math.max(MAX_READABLE_PROPERTIES, min))
  if (isEnding || room <= 0) return optional.slice(0, Math.max(0, Math.min(min - requiredCount, room)))
  if (attempt % 4 === 1) return []
  if (attempt % 4 === 2) return optional.slice(0, room)
  const chosen = optional.filter(() => random.fraction() < OPTIONAL_SHARE)
  // An object with optional properties only would sometimes be empty, which shows nothing.
  const some = chosen.length === 0 && requiredCount === 0 ? optional.slice(0, 1) : chosen
  return some.slice(0, room)
}

/** Adds properties that the schema does not name: from `patternProperties`, or of any name where it allows them. */
function* addUnnamed(
  generator: ValueGenerator,
  parts: readonly SchemaObject[],
  request: ValueRequest,
  { min, max }: SizeRange,
  names: ReadonlySet<string>,
  addIfPossible: (name: string) => Steps<void>,
): Steps<void> {
  const patterns = parts.flatMap((part) => Object.keys((part.patternProperties ?? {}) as object))
  const schemas = parts.flatMap(({ propertyNames }) => (propertyNames === undefined ? [] : [propertyNames as Schema]))
  const isMap = parts.some(({ additionalProperties: rest }) => typeof rest === 'object')
  const isDescribed = isMap || patterns.length > 0
  const readable = names.size === 0 && isDescribed && !request.isEnding ? 1 + generator.random.below(2) : 0
  const wanted = Math.min(max, Math.max(min, readable))
  for (let attempt = 0; names.size < wanted && attempt < wanted + MAX_NAME_DRAWS; attempt++) {
    const name = yield* generateName(generator, request, patterns, schemas, attempt, names)
    if (name !== undefined && !names.has(name) && (yield* isPossible(generator, parts, name)))
      yield* addIfPossible(name)
  }
}

function* generateName(
  generator: ValueGenerator,
  request: ValueRequest,
  patterns: readonly string[],
  nameSchemas: readonly Schema[],
  attempt: number,
  names: ReadonlySet<string>,
): Steps<string | undefined> {
  const pattern = patterns[attempt % Math.max(1, patterns.length)]
  const isFromPattern = pattern !== undefined && attempt % 3 !== 2
  if (!isFromPattern && nameSchemas.length === 0) {
    const word = drawPropertyName(generator.random)
    return attempt < 12 ? word : `${word}_${attempt}`
  }
  const schemas: Schema[] = [{ type: 'string', ...(isFromPattern ? { pattern } : {}) }, ...nameSchemas]
  const path = `${request.path}/${isFromPattern ? 'patternProperties' : 'propertyNames'}`
  const taken = new Set([...names].map((other) => equalityKey(other)))
  try {
    return (yield* generator.generate({ ...requestInside(request, path), schemas, name: 'word', taken })) as string
  } catch (error) {
    if (error instanceof Unsatisfied) return undefined
    throw error
  }
}

function* isNameAllowed({ validator }: ValueGenerator, parts: readonly SchemaObject[], name: string): Steps<boolean> {
  for (const { propertyNames } of parts) {
    if (propertyNames !== undefined && (yield* validator.check(propertyNames as Schema, name)) !== undefined)
      return false
  }
  return true
}

/** All schemas that a property must meet. */
function propertySchemas({ validator }: ValueGenerator, parts: readonly SchemaObject[], name: string): Schema[] {
  validator.spendLookups(parts.length)
  return parts.flatMap((part) => findPropertySchemas(validator.patterns, part, name))
}

function* isPossible(generator: ValueGenerator, parts: readonly SchemaObject[], name: string): Steps<boolean> {
  const { minDepth } = generator
  if (!(yield* isNameAllowed(generator, parts, name))) return false
  for (const schema of propertySchemas(generator, parts, name)) {
    yield* minDepth.measure(schema)
    if (minDepth.of(schema) === Number.POSITIVE_INFINITY) return false
  }
  return true
}
