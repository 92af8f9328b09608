/**
 * Checks of request fields, as data: a table of fields reads like the reference of the API.
 *
 * A check knows which types it takes and, within them, which values. The first problem wins, as at the real service;
 * `null` counts as left out for optional fields.
 */

import { type ApiError, apiError } from '../errors/catalogue.ts'
import { isObject, type JsonObject } from '../text/json.ts'

export interface Check {
  /** What it takes, in the words of the type error: `an array of objects`. */
  readonly expected: string
  accepts(value: unknown): boolean
  /** The first problem of a value whose type is accepted. */
  problem(value: unknown, path: string): ApiError | undefined
}

/** A field of an object. Required ones stand in the table like the others. */
export interface Field {
  readonly name: string
  readonly check: Check
  readonly required?: boolean
}

/** The first problem of a value, its type included. */
function problemOf(check: Check, value: unknown, path: string): ApiError | undefined {
  if (check.accepts(value)) return check.problem(value, path)
  return apiError('invalid-type', { path, expected: check.expected, got: typeName(value) })
}

/** The fields of an object: the table, and where each name stands in it. */
interface Table {
  readonly fields: readonly Field[]
  readonly required: readonly Field[]
  readonly places: ReadonlyMap<string, number>
}

/** A table of fields, ready to check with. */
export function table(fields: readonly Field[]): Table {
  return {
    fields,
    required: fields.filter(({ required }) => required === true),
    places: new Map(fields.map(({ name }, place) => [name, place])),
  }
}

/**
 * The first problem among the fields of an object, in the order of the table. Only the fields that are there are
 * looked at: a request has few of the many it could have.
 */
export function problemAmong(table: Table, object: JsonObject, path = ''): ApiError | undefined {
  const { fields, required, places } = table
  let first: ApiError | undefined
  let firstPlace = fields.length
  const look = (place: number): void => {
    if (place >= firstPlace) return
    const problem = fieldProblem(fields[place]!, object, path)
    if (problem === undefined) return
    first = problem
    firstPlace = place
  }
  for (const name of Object.keys(object)) look(places.get(name) ?? fields.length)
  for (const { name } of required) if (object[name] === undefined) look(places.get(name)!)
  return first
}

function fieldProblem(
  { name, check, required = false }: Field,
  object: JsonObject,
  path: string,
): ApiError | undefined {
  const value = object[name]
  if (value === null && !required) return undefined
  const fieldPath = path === '' ? name : `${path}.${name}`
  return value === undefined ? apiError('missing-parameter', { path: fieldPath }) : problemOf(check, value, fieldPath)
}

const fine = (): undefined => undefined

export const boolean: Check = { expected: 'a boolean', accepts: (value) => typeof value === 'boolean', problem: fine }
export const anyObject: Check = { expected: 'an object', accepts: isObject, problem: fine }

interface Bounds {
  readonly min?: number
  readonly max?: number
}

interface TextBounds extends Bounds {
  /** Tested after the length. */
  readonly pattern?: RegExp
}

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

export function integer({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bounds = {}): Check {
  return {
    expected: 'an integer',
    accepts: Number.isInteger,
    problem: (value, path) => {
      const got = value as number
      if (got < min) return apiError('integer-below-min', { path, bound: min, got })
      return got > max ? apiError('integer-above-max', { path, bound: max, got }) : undefined
    },
  }
}

export function decimal({ min, max }: Required<Bounds>): Check {
  return {
    expected: 'a decimal',
    accepts: (value) => typeof value === 'number',
    problem: (value, path) => {
      const got = value as number
      if (got < min) return apiError('decimal-below-min', { path, bound: min, got })
      return got > max ? apiError('decimal-above-max', { path, bound: max, got }) : undefined
    },
  }
}

export function oneOf(...allowed: readonly string[]): Check {
  return {
    expected: `one of ${allowed.map((value) => `'${value}'`).join(', ')}`,
    accepts: (value) => typeof value === 'string',
    problem: (value, path) =>
      allowed.includes(value as string)
        ? undefined
        : apiError('invalid-value', { path, got: value as string, allowed }),
  }
}

/** @param plural what it holds, for the type error: `objects`. */
export function arrayOf(item: Check, plural: string, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds = {}): Check {
  return {
    expected: `an array of ${plural}`,
    accepts: Array.isArray,
    problem: (value, path) => {
      const items = value as readonly unknown[]
      if (items.length < min) return apiError('empty-array', { path })
      if (items.length > max) return apiError('array-too-long', { path, bound: max, got: items.length })
      for (let index = 0; index < items.length; index++) {
        const problem = problemOf(item, items[index], `${path}[${index}]`)
        if (problem !== undefined) return problem
      }
      return undefined
    },
  }
}

export function object(fields: readonly Field[]): Check {
  const known = table(fields)
  return {
    expected: 'an object',
    accepts: isObject,
    problem: (value, path) => problemAmong(known, value as JsonObject, path),
  }
}

/** An object with any keys: how many, and how long keys and values may be. */
export function dictionary(value: Check, { most, longestKey }: { most: number; longestKey: number }): Check {
  return {
    expected: 'an object',
    accepts: isObject,
    problem: (object, path) => {
      const entries = Object.entries(object as JsonObject)
      if (entries.length > most) return apiError('too-many-properties', { path, bound: most, got: entries.length })
      for (const [key, one] of entries) {
        const keyPath = `${path}.${key}`
        if (key.length > longestKey) {
          return apiError('string-too-long', { path: keyPath, bound: longestKey, got: key.length })
        }
        const problem = problemOf(value, one, keyPath)
        if (problem !== undefined) return problem
      }
      return undefined
    },
  }
}

/** An object whose field `by` says which of several shapes it has. */
export function variant(by: string, shapes: Readonly<Record<string, readonly Field[]>>): Check {
  const discriminator = table([{ name: by, check: oneOf(...Object.keys(shapes)), required: true }])
  const tables = new Map(Object.entries(shapes).map(([name, fields]) => [name, table(fields)]))
  return {
    expected: 'an object',
    accepts: isObject,
    problem: (value, path) => {
      const object = value as JsonObject
      const problem = problemAmong(discriminator, object, path)
      return problem ?? problemAmong(tables.get(object[by] as string)!, object, path)
    },
  }
}

/** A value of one of several types: the first check that takes the type decides. */
export function either(...checks: readonly Check[]): Check {
  const expected = checks.map((check) =>
    check.expected.replace(/^an? (?=array)/, '').replace(/^one of .*$/, 'a string'),
  )
  return {
    expected: `one of ${expected.join(' or ')}`,
    accepts: (value) => checks.some((check) => check.accepts(value)),
    problem: (value, path) => checks.find((check) => check.accepts(value))!.problem(value, path),
  }
}

/** A value's type in the words of the service. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  switch (typeof value) {
    case 'string':
      return 'a string'
    case 'boolean':
      return 'a boolean'
    case 'number':
      return Number.isInteger(value) ? 'an integer' : 'a decimal number'
    default:
      return 'an object'
  }
}
