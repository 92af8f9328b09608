/**
 * The building blocks of the scenario grammar: zod schemas whose message says only what they expect, and shared fields.
 *
 *   count(1, 10)    has the message `a whole number from 1 to 10`
 *   times: 12       check-source.ts writes: times: expected a whole number from 1 to 10, got 12.
 *
 * In the files beside this one, the schema of a field has the name of the field: `rates`, `pace`, `when`.
 */
import * as z from 'zod'
import { DURATION_PATTERN, parseDuration, WINDOWS } from '../../lib/text/duration.ts'
import { isObject } from '../../lib/text/json.ts'
import { describeValue } from '../check/describe-values.ts'
import type { Problem } from '../check/problem.ts'
import { compilePattern } from '../compile/pattern.ts'
import { patternParts } from '../compile/pattern-text.ts'

// Forms of values. `expected` is the message: what is expected in place of a wrong value.

type Fields = Readonly<Record<string, z.ZodType>>

/**
 * A map with these fields and no others. A field is optional unless it is named as required. The message for an unknown
 * field is the list of the known ones.
 */
export const mapOf = (fields: Fields, expected: string, required: readonly string[] = []) => {
  // Described again, so that the description comes first in scenario.schema.json.
  const toOptional = (field: z.ZodType) => field.optional().describe(field.description ?? '')
  const entries = Object.entries(fields)
  const shape = entries.map(([name, field]) => [name, required.includes(name) ? field : toOptional(field)])
  const known = Object.keys(fields).join(', ')
  return z.strictObject(Object.fromEntries(shape) as Fields, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known : expected),
  })
}

/** A map with any fields. */
export const anyMap = (expected: string) => z.record(z.string(), z.unknown(), { error: expected })

/** Text without line breaks and other control characters. */
export const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/
const ANY_NAME = 'a name of at least one character'
const NAME_ON_ONE_LINE = `${ANY_NAME}, without line breaks or other control characters`
/** A map of names to values. Names that answers repeat in a header are on one line. */
export const byName = (value: z.ZodType, expected: string, isOneLine = false) => {
  const name = isOneLine ? z.string().regex(ONE_LINE) : z.string().min(1)
  const expectedName = isOneLine ? NAME_ON_ONE_LINE : ANY_NAME
  return z.record(name, value, { error: (issue) => (issue.code === 'invalid_key' ? expectedName : expected) })
}

export const list = (item: z.ZodType, expected: string) => z.array(item, { error: expected })
/** A value of one of several forms. */
export const either = (forms: readonly z.ZodType[], expected: string) =>
  z.union(forms, { error: expected }).describe(expected)
export const oneOrMany = (item: z.ZodType, expected: string) =>
  either([item, list(item, expected).min(1, { error: expected })], expected)
export const oneOf = (names: readonly string[]) => z.enum(names, { error: names.join(' or ') })

/** Any text but an empty one. */
export const nonEmpty = (expected: string) => z.string({ error: expected }).min(1, { error: expected })
/**
 * A text of a form.
 * @param accepts tells which texts of the form are allowed.
 * @param error the message for those that are not allowed.
 */
export const text = (form: RegExp, expected: string, accepts = (_: string): boolean => true, error = expected) =>
  z
    .string({ error: expected })
    .regex(form, { error: expected })
    .refine((value) => !form.test(value) || accepts(value), { error })
    .describe(expected)
/** A function, which only a scenario in code can have. @param inCode the name of its type. */
export const codeFunction = (inCode: string, expected: string) =>
  z.custom((value) => typeof value === 'function', { error: expected }).meta({ inCode })

export const flag = z.boolean({ error: 'true or false' })
export const number = (min: number, max: number, error: string) =>
  z.number({ error }).min(min, { error }).max(max, { error })
/** A whole number. */
export const count = (min = 1, max = Number.MAX_SAFE_INTEGER) => {
  const end = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`
  const error = `a whole number from ${min}${end}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

export const DURATION = 'a duration such as 300ms, 2s or 1m30s (at most a day)'
export const POSITIVE_DURATION = 'a duration such as 300ms, 2s or 1m30s (from 1ms to a day)'
/** True for a duration of at least `minMs` and at most a day. */
export const isWithinDay = (value: string, minMs = 0): boolean => {
  const ms = parseDuration(value) ?? 0
  return ms >= minMs && ms <= WINDOWS.day
}
export const duration = text(DURATION_PATTERN, DURATION, (value) => isWithinDay(value))
export const positiveDuration = text(DURATION_PATTERN, POSITIVE_DURATION, (value) => isWithinDay(value, 1))

// Checks beyond the form of a value, such as that two fields are not given together

/** Adds a problem of a value, or of the key itself. */
export type AddProblem = (path: Problem['path'], message: string, of?: 'key') => void

/** True for a map without unknown fields. After "unknown field 'sya'. Did you mean 'say'?", a missing `say` would confuse. */
export const isMapWithKnownKeys = (payload: z.core.ParsePayload): boolean =>
  isObject(payload.value) &&
  payload.issues.every(({ code, path }) => code !== 'unrecognized_keys' || (path ?? []).length > 0)

/**
 * The arguments of `superRefine` for checks, whose messages are whole sentences.
 * @param runs tells when they run. Default: for any text or map, also if its form is wrong somewhere else.
 * @example mapOf({ good, bad }, 'periods').superRefine(...checkedBy([checkPeriods]))
 */
export function checkedBy<Value>(
  checks: ((value: Value, add: AddProblem) => void)[],
  runs = ({ value }: z.core.ParsePayload): boolean => typeof value === 'string' || isObject(value),
) {
  const refinement = (value: unknown, context: z.RefinementCtx): void => {
    const add: AddProblem = (path, message, of) =>
      context.addIssue({ code: 'custom', path: [...path], message, params: { isKey: of === 'key' } })
    for (const check of checks) check(value as Value, add)
  }
  return [refinement, { when: runs }] as const
}

/** Checks that a text that is written as a pattern compiles. */
export function checkPattern(value: unknown, add: AddProblem): void {
  const pattern = typeof value === 'string' ? patternParts(value) : undefined
  if (pattern === undefined) return
  try {
    compilePattern(pattern.source, pattern.flags)
  } catch (error) {
    add([], `the pattern ${describeValue(value)} is invalid: ${(error as Error).message}`)
  }
}
