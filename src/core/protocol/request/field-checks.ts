/**
 * Checks of request fields as data: a table of fields reads like the API reference.
 *
 *     const FIELDS = object({ model: required(text()), n: integer({ min: 1, max: 128 }), stop: either(text(), ...) })
 *     FIELDS.problem({ model: 'gpt-4o', n: 0 }, '')          the error integer-below-min, for the path `n`
 *     FIELDS.unknownIn({ model: 'gpt-4o', m: 1 }, '', [])    'm'
 *
 * A check accepts some types and, within them, some values. The first problem is reported, as by the real service.
 * `null` counts as absent for optional fields.
 */

import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { quotedList } from '../../lib/text/wording.ts'
import { type ApiError, apiError } from '../errors/error-catalogue.ts'

/** The check of one value. */
export interface Check {
  /** The accepted type in the words of the error: `an array of objects`. */
  readonly expected: string
  /** True if the field must be present. `null` is then a wrong type. */
  readonly isRequired?: boolean
  /** True if the type is right. */
  accepts(value: unknown): boolean
  /** The first problem of a value of the right type. */
  problem?(value: unknown, path: string): ApiError | undefined
  /**
   * The path of the first key, at any depth of a value of the right type, that the service refuses as unknown.
   * @param tolerated gets the paths of unknown keys in open objects.
   */
  unknownIn?(value: unknown, path: string, tolerated: string[]): string | undefined
  /** The parts of the check, for the comparison with the service's published types (`npm run drift`). */
  readonly parts?: CheckParts
}

/** The parts that a check is made of. A check has one of them at most. */
export interface CheckParts {
  /** The accepted texts. */
  readonly values?: readonly string[]
  /** The check of each item of an array, or of each value of a dictionary. */
  readonly item?: Check
  /** The fields of an object, for each of its shapes. */
  readonly shapes?: readonly Fields[]
  /** The alternatives. */
  readonly checks?: readonly Check[]
}

/** The checks of an object's fields, in the order in which they run. */
export type Fields = Readonly<Record<string, Check>>

/** The check of a field that must be present. */
export const required = (check: Check): Check => ({ ...check, isRequired: true })

/** The first problem of a value of any type. */
function findProblem(check: Check, value: unknown, path: string): ApiError | undefined {
  if (check.accepts(value)) return check.problem?.(value, path)
  return apiError('invalid-type', { path, expected: check.expected, got: typeName(value) })
}

/** A value of a wrong type has no keys that matter: its type is the problem. */
const unknownInValue = (check: Check, value: unknown, path: string, tolerated: string[]): string | undefined =>
  check.unknownIn !== undefined && check.accepts(value) ? check.unknownIn(value, path, tolerated) : undefined

export const boolean: Check = { expected: 'a boolean', accepts: (value) => typeof value === 'boolean' }
export const anything: Check = { expected: 'a value', accepts: () => true }
export const anyObject: Check = { expected: 'an object', accepts: isObject }

interface Bounds {
  /** A bigint where a number would be rounded. */
  readonly min?: number | bigint
  readonly max?: number | bigint
}

interface TextBounds {
  readonly min?: number
  readonly max?: number
  /** Tested after the length. */
  readonly pattern?: RegExp
}

/** A text; an empty one is refused from `min: 1` on. */
export function text({ min = 0, max = Number.POSITIVE_INFINITY, pattern }: TextBounds = {}): Check {
  return {
    expected: 'a string',
    accepts: (value) => typeof value === 'string',
    problem: (value, path) => {
      const { length } = value as string
      if (length < min) return apiError('empty-string', { path })
      if (length > max) return apiError('string-too-long', { path, bound: max, got: length })
      const fits = pattern === undefined || pattern.test(value as string)
      return fits ? undefined : apiError('string-mismatch', { path, pattern: pattern.source })
    },
  }
}

export const integer = (bounds: Bounds = {}): Check => numberCheck('integer', 'an integer', Number.isInteger, bounds)

export const decimal = (bounds: Bounds): Check =>
  numberCheck('decimal', 'a decimal', (value) => typeof value === 'number', bounds)

function numberCheck(
  type: 'integer' | 'decimal',
  expected: string,
  accepts: Check['accepts'],
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bounds,
): Check {
  return {
    expected,
    accepts,
    problem: (value, path) => {
      const got = value as number
      if (got < min) return apiError(`${type}-below-min`, { path, bound: min, got })
      // JSON.parse has rounded the number, so it is compared with the rounded bound.
      return got > Number(max) ? apiError(`${type}-above-max`, { path, bound: max, got }) : undefined
    },
  }
}

export function oneOf(...allowed: readonly string[]): Check {
  return {
    expected: `one of ${quotedList(allowed, 'or')}`,
    parts: { values: allowed },
    accepts: (value) => typeof value === 'string',
    problem: (got, path) =>
      allowed.includes(got as string) ? undefined : apiError('invalid-value', { path, got: got as string, allowed }),
  }
}

/** @param plural the items in the words of the type error: `objects`. */
export function arrayOf(item: Check, plural: string, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds = {}): Check {
  return {
    expected: `an array of ${plural}`,
    parts: { item },
    accepts: Array.isArray,
    problem: (value, path) => {
      const items = value as readonly unknown[]
      if (items.length < min) return apiError('empty-array', { path })
      if (items.length > max) return apiError('array-too-long', { path, bound: max, got: items.length })
      for (let index = 0; index < items.length; index++) {
        const problem = findProblem(item, items[index], `${path}[${index}]`)
        if (problem !== undefined) return problem
      }
      return undefined
    },
    unknownIn: (value, path, tolerated) => {
      for (const [index, element] of (value as readonly unknown[]).entries()) {
        const unknown = unknownInValue(item, element, `${path}[${index}]`, tolerated)
        if (unknown !== undefined) return unknown
      }
      return undefined
    },
  }
}

/** The check of an object with certain fields. The path is '' for a whole body. */
export interface ObjectCheck extends Required<Omit<Check, 'isRequired'>> {
  readonly fields: Fields
  /** The names of the fields, in the order in which they are checked. */
  readonly names: readonly string[]
}

/** @param isOpen true if unknown keys are ignored. */
export function object(fields: Fields, { isOpen = false }: { readonly isOpen?: boolean } = {}): ObjectCheck {
  const names = Object.keys(fields)
  const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
  return {
    expected: 'an object',
    parts: { shapes: [fields] },
    fields,
    names,
    accepts: isObject,
    problem: (object, path) => {
      for (const name of names) {
        const check = fields[name]!
        const value = (object as JsonObject)[name]
        if ((value === undefined || value === null) && check.isRequired !== true) continue
        if (value === undefined) return apiError('missing-parameter', { path: join(path, name) })
        const problem = findProblem(check, value, join(path, name))
        if (problem !== undefined) return problem
      }
      return undefined
    },
    unknownIn: (object, path, tolerated) => {
      for (const [name, value] of Object.entries(object as JsonObject)) {
        if (!Object.hasOwn(fields, name)) {
          if (!isOpen) return join(path, name)
          tolerated.push(join(path, name))
          continue
        }
        const unknown = unknownInValue(fields[name]!, value, join(path, name), tolerated)
        if (unknown !== undefined) return unknown
      }
      return undefined
    },
  }
}

/** An object with any keys, whose values all have one check. @param expected what the error of a wrong type calls it. */
export function dictionary(
  value: Check,
  { maxKeys, maxKeyLength, expected = 'an object' }: { maxKeys: number; maxKeyLength: number; expected?: string },
): Check {
  return {
    expected,
    parts: { item: value },
    accepts: isObject,
    problem: (named, path) => {
      const entries = Object.entries(named as JsonObject)
      if (entries.length > maxKeys)
        return apiError('too-many-properties', { path, bound: maxKeys, got: entries.length })
      for (const [key, property] of entries) {
        if (key.length > maxKeyLength) return apiError('property-name-too-long', { path, key, bound: maxKeyLength })
        const problem = findProblem(value, property, `${path}.${key}`)
        if (problem !== undefined) return problem
      }
      return undefined
    },
  }
}

/** Sixteen texts by their names. */
export const METADATA = dictionary(text({ max: 512 }), {
  maxKeys: 16,
  maxKeyLength: 64,
  expected: 'a metadata object',
})

/**
 * An object with one of several shapes; the field `by` says which.
 * @param open the shapes in which unknown keys are ignored.
 */
export function variant(by: string, shapes: Readonly<Record<string, Fields>>, open: readonly string[] = []): Check {
  const discriminator = { [by]: required(oneOf(...Object.keys(shapes))) }
  const shapeUnknown = object(discriminator)
  const checks = new Map(
    Object.entries(shapes).map(([name, fields]) => [
      name,
      object({ ...discriminator, ...fields }, { isOpen: open.includes(name) }),
    ]),
  )
  const checkOf = (value: unknown): ObjectCheck => checks.get((value as JsonObject)[by] as string) ?? shapeUnknown
  return {
    expected: 'an object',
    parts: { shapes: [...checks.values()].map(({ fields }) => fields) },
    accepts: isObject,
    problem: (value, path) => checkOf(value).problem(value, path),
    unknownIn: (value, path, tolerated) => {
      const check = checkOf(value)
      return check === shapeUnknown ? undefined : check.unknownIn(value, path, tolerated)
    },
  }
}

/** A value of one of several types. The first check that accepts the type decides. */
export function either(...checks: readonly Check[]): Check {
  const checkOf = (value: unknown): Check | undefined => checks.find((check) => check.accepts(value))
  // The service writes only the first type with an article.
  const expected = checks.map((check, index) => (index === 0 ? check.expected : check.expected.replace(/^an? /, '')))
  return {
    expected: `one of ${expected.join(' or ')}`,
    parts: { checks },
    accepts: (value) => checkOf(value) !== undefined,
    problem: (value, path) => checkOf(value)!.problem?.(value, path),
    unknownIn: (value, path, tolerated) => checkOf(value)!.unknownIn?.(value, path, tolerated),
  }
}

/** A value's type in the words of the service. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number'
  return typeof value === 'string' ? 'a string' : typeof value === 'boolean' ? 'a boolean' : 'an object'
}
