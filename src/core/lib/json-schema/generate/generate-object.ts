/** Generates an object: which properties it has, and what each of them must be. */
import type { Random } from '../../random/random.ts'
import { type JsonSchema, Unsatisfied } from '../json-schema.ts'
import { equalityKey, pointerStep } from '../json-values.ts'
import { requiredNames } from '../keywords.ts'
import { drawPropertyName } from './name-values.ts'
import type { PartsGenerator } from './value-request.ts'

/** The most optional properties of an object. */
const MAX_OPTIONAL = 24
/** The share of the optional properties that an object has. */
const OPTIONAL_SHARE = 0.7
const MAX_NAME_DRAWS = 40
/** After so many draws, the words for names are used up, and are drawn with a number. */
const MAX_PLAIN_WORDS = 12

export const generateObject: PartsGenerator = (generator, parts, request, { attempt }) => {
  const { random, validator, shapeOf } = generator
  const { path, around, isEnding } = request
  const required = new Set(parts.flatMap((part) => requiredNames(part)))
  const nameRules = parts.flatMap(({ propertyNames: rule }) => (rule === undefined ? [] : [rule as JsonSchema]))
  const object: Record<string, unknown> = {}
  /** The equality keys of the names. */
  const taken = new Set<string>()

  const schemasOf = (name: string): JsonSchema[] => parts.flatMap((part) => validator.propertySchemas(part, name))
  const isNameAllowed = (name: string): boolean => nameRules.every((rule) => validator.check(rule, name) === undefined)
  const isPossible = (name: string): boolean =>
    isNameAllowed(name) && schemasOf(name).every((schema) => Number.isFinite(shapeOf(schema).depth))
  const add = (name: string): void => {
    const propertyPath = `${path}/properties/${pointerStep(name)}`
    if (!isNameAllowed(name)) throw new Unsatisfied(`the property name '${name}' is not allowed`, propertyPath)
    const property = { around, isEnding, schemas: schemasOf(name), path: propertyPath, name }
    const value = generator.generatePart(property, { isRequired: required.has(name) })
    if (value === undefined) return
    // A plain assignment to `__proto__` would be lost.
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
    taken.add(equalityKey(name))
  }
  /** Draws a name that matches the pattern and all `propertyNames`; undefined when none is found. */
  const drawName = (pattern: string | undefined, draw: number): string | undefined => {
    if (pattern === undefined && nameRules.length === 0) {
      const word = drawPropertyName(random)
      return draw < MAX_PLAIN_WORDS ? word : `${word}_${draw}`
    }
    const schemas = [{ type: 'string', ...(pattern === undefined ? {} : { pattern }) }, ...nameRules]
    const namePath = `${path}/${pattern === undefined ? 'propertyNames' : 'patternProperties'}`
    const name = { around, isEnding, schemas, path: namePath, name: 'word', taken }
    return generator.generatePart(name, { isRequired: false }) as string | undefined
  }

  // In the schema's own order, which is the order that people read and models write.
  const declared = [...new Set(parts.flatMap((part) => Object.keys((part.properties ?? {}) as object)))]
  const optional = declared.filter((name) => !required.has(name) && isPossible(name))
  const chosen = isEnding ? [] : chooseOptional(optional, required.size === 0, attempt, random)
  for (const name of declared) if (required.has(name) || chosen.includes(name)) add(name)
  for (const name of required) if (!Object.hasOwn(object, name)) add(name)

  // An empty object whose schema describes properties without naming them has one or two of those.
  const patterns = parts.flatMap((part) => Object.keys((part.patternProperties ?? {}) as object))
  const isDescribed = patterns.length > 0 || parts.some((part) => typeof part.additionalProperties === 'object')
  const unnamed = taken.size === 0 && isDescribed && !isEnding ? 1 + random.below(2) : 0
  // In the last run, an object that must differ from others has one more.
  const size = generator.isLastRun && request.taken !== undefined ? taken.size + 1 : unnamed
  for (let draw = 0; taken.size < size && draw < size + MAX_NAME_DRAWS; draw++) {
    // Every third property is one of `additionalProperties`, whose names match no pattern.
    const pattern = draw % 3 === 2 ? undefined : patterns[draw % Math.max(1, patterns.length)]
    const name = drawName(pattern, draw)
    if (name !== undefined && !Object.hasOwn(object, name) && isPossible(name)) add(name)
  }
  return object
}

/** The first attempt takes a share of the optional properties; later ones none, then all, then a share again. */
function chooseOptional(
  optional: readonly string[],
  isAllOptional: boolean,
  attempt: number,
  random: Random,
): readonly string[] {
  if (attempt % 4 === 1) return []
  const chosen = attempt % 4 === 2 ? optional : optional.filter(() => random.fraction() < OPTIONAL_SHARE)
  // An object with optional properties only would sometimes be empty, which shows nothing.
  return (chosen.length === 0 && isAllOptional ? optional.slice(0, 1) : chosen).slice(0, MAX_OPTIONAL)
}
