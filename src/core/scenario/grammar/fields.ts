/** The building blocks of the scenario grammar: schemas whose error message is what they expect, and shared fields. */
import * as z from 'zod'
import { DURATION_PATTERN, parseDuration, WINDOWS } from '../../lib/text/duration.ts'
import { isObject } from '../../lib/text/json.ts'
import type { Problem } from '../check/problem.ts'
import { compilePattern } from '../compile/pattern.ts'
import { patternParts } from '../compile/pattern-text.ts'

type Fields = Readonly<Record<string, z.ZodType>>

/** An object with these fields and no others. A field is optional unless it is named as required. */
export const only = (fields: Fields, allowed: string, required: readonly string[] = []) => {
  // Described again, so that the description comes first in scenario.schema.json.
  const toOptional = (field: z.ZodType) => field.optional().describe(field.description ?? '')
  const entries = Object.entries(fields)
  const shape = entries.map(([name, field]) => [name, required.includes(name) ? field : toOptional(field)])
  const known = Object.keys(fields).join(', ')
  return z.strictObject(Object.fromEntries(shape) as Fields, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known : allowed),
  })
}
export const list = (item: z.ZodType, allowed: string) => z.array(item, { error: allowed })
/** A value of one of several forms. */
export const either = (forms: readonly z.ZodType[], allowed: string) =>
  z.union(forms, { error: allowed }).describe(allowed)
export const oneOrMany = (item: z.ZodType, allowed: string) =>
  either([item, list(item, allowed).min(1, { error: allowed })], allowed)
export const plain = (allowed: string) => z.string({ error: allowed }).min(1, { error: allowed })
/** A text of a form. @param accepts tells which of these texts are allowed. @param error what is expected of them. */
export const text = (form: RegExp, allowed: string, accepts = (_: string): boolean => true, error = allowed) =>
  z
    .string({ error: allowed })
    .regex(form, { error: allowed })
    .refine((value) => !form.test(value) || accepts(value), { error })
    .describe(allowed)
export const oneOf = (names: readonly string[]) => z.enum(names, { error: names.join(' or ') })
export const anything = (allowed: string) => z.record(z.string(), z.unknown(), { error: allowed })
/** A function, which only a scenario in code can have. @param inCode the name of its type. */
export const code = (inCode: string, allowed: string) =>
  z.custom((value) => typeof value === 'function', { error: allowed }).meta({ inCode })
export const flag = z.boolean({ error: 'true or false' })
export const count = (min = 1, max?: number) => {
  const error = `a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`
  return z
    .int({ error })
    .min(min, { error })
    .max(max ?? Number.MAX_SAFE_INTEGER, { error })
}
export const number = (min: number, max: number, error: string) =>
  z.number({ error }).min(min, { error }).max(max, { error })

/** Text without line breaks and other control characters. */
export const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/
const ANY_NAME = 'a name of at least one character'
const NAME_ON_ONE_LINE = `${ANY_NAME}, without line breaks or other control characters`
/** A map of names to values. Names that answers repeat in a header are on one line. */
export const byName = (value: z.ZodType, allowed: string, isOneLine = false) =>
  z.record(isOneLine ? z.string().regex(ONE_LINE) : z.string().min(1), value, {
    error: (issue) => (issue.code !== 'invalid_key' ? allowed : isOneLine ? NAME_ON_ONE_LINE : ANY_NAME),
  })

/** Adds a problem of a value, or of the key itself. */
export type AddProblem = (path: Problem['path'], message: string, of?: 'key') => void
type Checks<Value> = ((value: Value, add: AddProblem) => void)[]

/** Reports the problems that checks find as zod issues; by default also if the shape has problems elsewhere. */
export function report<Value>(checks: Checks<Value>, runs: (payload: z.core.ParsePayload) => boolean = isWhole) {
  const refinement = (value: unknown, context: z.RefinementCtx): void => {
    const add: AddProblem = (path, message, of) =>
      context.addIssue({ code: 'custom', path: [...path], message, params: { isKey: of === 'key' } })
    for (const check of checks) check(value as Value, add)
  }
  return [refinement, { when: runs }] as const
}

const isWhole = ({ value }: z.core.ParsePayload): boolean => typeof value === 'string' || isObject(value)

// After "unknown field 'sya'. Did you mean 'say'?", a second problem that say is missing would confuse.
export const isWholeWithKnownKeys = (payload: z.core.ParsePayload): boolean =>
  isObject(payload.value) &&
  payload.issues.every(({ code, path }) => code !== 'unrecognized_keys' || (path ?? []).length > 0)

export const DURATION = 'a duration such as 300ms, 2s or 1m30s (at most a day)'
export const POSITIVE = 'a duration such as 300ms, 2s or 1m30s (from 1ms to a day)'
/** True for a duration of at least `minMs` and at most a day. */
export const isWithinDay = (value: string, minMs = 0): boolean => {
  const ms = parseDuration(value) ?? 0
  return ms >= minMs && ms <= WINDOWS.day
}
export const duration = text(DURATION_PATTERN, DURATION, (value) => isWithinDay(value))
export const positive = text(DURATION_PATTERN, POSITIVE, (value) => isWithinDay(value, 1))

/** Checks that a text that is written as a pattern compiles. */
export function checkPattern(value: unknown, add: AddProblem): void {
  const parts = typeof value === 'string' ? patternParts(value) : undefined
  if (parts === undefined) return
  try {
    compilePattern(parts.source, parts.flags)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const whole = String(value)
    const shown = whole.length <= 60 ? whole : `${whole.slice(0, 59)}…`
    add([], `the pattern ${shown} is invalid: ${reason}`)
  }
}
