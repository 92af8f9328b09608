/** Generates an object: which properties it has, and what each of them must be. */
import { type JsonSchema, pointerStep, Unsatisfied } from '../json-schema.ts'
import { equalityKey } from '../validator.ts'
import { drawPropertyName } from './name-values.ts'
import { type PartsGenerator, readSizeRange } from './value-request.ts'

/** The most optional properties of an object that need not have more. */
const MAX_READABLE_PROPERTIES = 24
const MAX_PROPERTIES = 5000
const MAX_NAME_DRAWS = 40
/** The share of the optional properties that an object has. */
const OPTIONAL_SHARE = 0.7

export const generateObject: PartsGenerator = (generator, parts, request, { attempt }) => {
  const { random, validator, depthOf } = generator
  const { path, depth, isEnding } = request
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? (part.required as string[]) : [])))
  const { min, max } = readSizeRange(parts, 'Properties', MAX_PROPERTIES, path)
  const rules = parts.flatMap(({ propertyNames }) => (propertyNames === undefined ? [] : [propertyNames as JsonSchema]))
  const inner = { depth: depth + 1, isEnding }
  const value: Record<string, unknown> = {}
  /** The equality keys of the names. */
  const taken = new Set<string>()

  const schemasOf = (name: string): JsonSchema[] => parts.flatMap((part) => validator.propertySchemas(part, name))
  const isNameAllowed = (name: string): boolean => rules.every((rule) => validator.check(rule, name) === undefined)
  const isPossible = (name: string): boolean =>
    isNameAllowed(name) && schemasOf(name).every((schema) => depthOf(schema) < Number.POSITIVE_INFINITY)
  const add = (name: string, isRequired: boolean): void => {
    if (Object.hasOwn(value, name)) return
    const propertyPath = `${path}/properties/${pointerStep(name)}`
    if (!isNameAllowed(name)) throw new Unsatisfied(`the property name '${name}' is not allowed`, propertyPath)
    const wanted = { ...inner, schemas: schemasOf(name), path: propertyPath, name }
    const made = isRequired ? generator.generate(wanted) : generator.tryToGenerate(wanted)
    if (made === undefined) return
    // A plain assignment to `__proto__` would be lost.
    Object.defineProperty(value, name, { value: made, enumerable: true, configurable: true, writable: true })
    taken.add(equalityKey(name))
  }
  /** The first attempt takes a share of the optional properties; later ones none, then all, then a share again. */
  const chooseOptional = (optional: readonly string[]): readonly string[] => {
    const room = Math.min(max - required.size, Math.max(MAX_READABLE_PROPERTIES, min))
    if (isEnding || room <= 0) return optional.slice(0, Math.max(0, Math.min(min - required.size, room)))
    if (attempt % 4 === 1) return []
    if (attempt % 4 === 2) return optional.slice(0, room)
    const chosen = optional.filter(() => random.fraction() < OPTIONAL_SHARE)
    // An object with optional properties only would sometimes be empty, which shows nothing.
    const some = chosen.length === 0 && required.size === 0 ? optional.slice(0, 1) : chosen
    return some.slice(0, room)
  }

  /** Draws a name that matches the pattern and all `propertyNames`; undefined when none is found. */
  const drawName = (pattern: string | undefined, draw: number): string | undefined => {
    if (pattern === undefined && rules.length === 0) {
      const word = drawPropertyName(random)
      return draw < 12 ? word : `${word}_${draw}`
    }
    const schemas = [{ type: 'string', ...(pattern === undefined ? {} : { pattern }) }, ...rules]
    const namePath = `${path}/${pattern === undefined ? 'propertyNames' : 'patternProperties'}`
    return generator.tryToGenerate({ ...inner, schemas, path: namePath, name: 'word', taken }) as string | undefined
  }

  // In the schema's own order, which is the order that people read and models write.
  const declared = [...new Set(parts.flatMap((part) => Object.keys((part.properties ?? {}) as object)))]
  const optional = declared.filter((name) => !required.has(name) && isPossible(name))
  const chosen = new Set(chooseOptional(optional))
  for (const name of declared) {
    if (required.has(name) || (chosen.has(name) && taken.size < max)) add(name, required.has(name))
  }
  for (const name of required) add(name, true)
  for (const name of optional) if (taken.size < min) add(name, false)

  // Then properties that the schema does not name: from `patternProperties`, or of any name where it allows them.
  const patterns = parts.flatMap((part) => Object.keys((part.patternProperties ?? {}) as object))
  const isDescribed = patterns.length > 0 || parts.some((part) => typeof part.additionalProperties === 'object')
  const readable = taken.size === 0 && isDescribed && !isEnding ? 1 + random.below(2) : 0
  const wanted = Math.min(max, Math.max(min, readable))
  for (let draw = 0; taken.size < wanted && draw < wanted + MAX_NAME_DRAWS; draw++) {
    const pattern = draw % 3 === 2 ? undefined : patterns[draw % Math.max(1, patterns.length)]
    const name = drawName(pattern, draw)
    if (name !== undefined && !Object.hasOwn(value, name) && isPossible(name)) add(name, false)
  }
  if (taken.size < min) throw new Unsatisfied(`no way found to have ${min} properties`, path)
  if (taken.size > max) throw new Unsatisfied(`it must have ${taken.size} properties, and may have ${max}`, path)
  return value
}
