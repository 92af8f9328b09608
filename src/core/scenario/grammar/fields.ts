/** The building blocks of the scenario grammar: schemas whose error message is what they expect, and shared fields. */
import * as z from 'zod'
import { DURATION_PATTERN, parseDuration, WINDOWS } from '../../lib/text/duration.ts'
import { isObject } from '../../lib/text/json.ts'
import type { Problem } from '../check/problem.ts'
import { checkPattern, checkRates } from './rule-checks.ts'

/** An object with these keys and no others. */
export const only = <Shape extends z.ZodRawShape>(shape: Shape, allowed: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : allowed),
  })
export const optional = <Value extends z.ZodType>(value: Value, description: string) =>
  value.optional().meta({ description })
export const byName = <Value extends z.ZodType>(value: Value, allowed: string, names: NameRule = ANY_NAME) =>
  z.record(names.schema, value, {
    error: (issue) => (issue.code === 'invalid_key' ? names.expected : allowed),
  })

interface NameRule {
  readonly schema: z.ZodString
  readonly expected: string
}

const ANY_NAME: NameRule = { schema: z.string().min(1), expected: 'a name of at least one character' }
const LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/
/** Names that answers repeat in a header. */
export const ONE_LINE: NameRule = {
  schema: z.string().regex(LINE),
  expected: 'a name of at least one character, without line breaks or other control characters',
}
export const line = (allowed: string) => z.string({ error: allowed }).regex(LINE, { error: allowed })
export const list = <Item extends z.ZodType>(item: Item, allowed: string) => z.array(item, { error: allowed })
export const oneOrMany = <Item extends z.ZodType>(item: Item, allowed: string) =>
  z.union([item, list(item, allowed).min(1, { error: allowed })], { error: allowed }).meta({ description: allowed })
export const plain = (allowed: string) => z.string({ error: allowed }).min(1, { error: allowed })
export const text = (pattern: RegExp, allowed: string) =>
  z.string({ error: allowed }).regex(pattern, { error: allowed }).meta({ description: allowed })
export const count = (min = 1, max?: number) => {
  const error = `a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`
  return z
    .int({ error })
    .min(min, { error })
    .max(max ?? Number.MAX_SAFE_INTEGER, { error })
}
export const flag = () => z.boolean({ error: 'true or false' })
export const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, { error: names.join(' or ') })

/** Reports the findings of a check as zod issues; by default also if the shape has problems elsewhere. */
export function report<Value>(
  check: (value: Value) => Problem[],
  runs: (payload: z.core.ParsePayload) => boolean = isWhole,
) {
  const refinement = (value: unknown, context: z.RefinementCtx): void => {
    for (const { path, message, isKey = false } of check(value as Value))
      context.addIssue({ code: 'custom', path: [...path], message, params: { isKey } })
  }
  return [refinement, { when: runs }] as const
}

const isWhole = ({ value }: z.core.ParsePayload): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))

// After "unknown field 'sya'. Did you mean 'say'?", a second problem that say is missing would confuse.
export const isWholeWithKnownKeys = (payload: z.core.ParsePayload): boolean =>
  isObject(payload.value) &&
  payload.issues.every(({ code, path }) => code !== 'unrecognized_keys' || (path ?? []).length > 0)

export const DURATION = 'a duration such as 300ms, 2s or 1m30s (at most a day)'
export const DAY_MS = WINDOWS.day
export const duration = text(DURATION_PATTERN, DURATION).refine((value) => (parseDuration(value) ?? 0) <= DAY_MS, {
  error: DURATION,
})
export const POSITIVE = 'a duration such as 300ms, 2s or 1m30s (from 1ms to a day)'
export const isPositive = (value: string): boolean => {
  const ms = parseDuration(value) ?? 0
  return ms >= 1 && ms <= DAY_MS
}
export const positive = text(DURATION_PATTERN, POSITIVE).refine(isPositive, { error: POSITIVE })
export const RATE = 'a rate such as 60 per minute (second, minute, hour or day)'
export const rate = text(new RegExp(`^[1-9]\\d{0,11} per (?:${Object.keys(WINDOWS).join('|')})$`), RATE)
export const RATES = `${RATE}, or a list of rates for different windows`
export const rates = oneOrMany(rate, RATES).superRefine(...report(checkRates, () => true))
export const texts = (allowed: string) => oneOrMany(plain(allowed).superRefine(...report(checkPattern)), allowed)
export const names = (allowed: string) => oneOrMany(plain(allowed), allowed)
export const numbers = (allowed: string) => oneOrMany(count(), allowed)
export const CHANCE = 'a chance such as 5%, or a number from 0 to 1'
export const chance = z
  .union(
    [
      text(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, CHANCE),
      z.number({ error: CHANCE }).min(0, { error: CHANCE }).max(1, { error: CHANCE }),
    ],
    { error: CHANCE },
  )
  .meta({ description: CHANCE })

export const anything = (allowed: string) => z.record(z.string(), z.unknown(), { error: allowed })
export const requestBody = (allowed: string) => z.union([z.string(), anything(allowed)], { error: allowed })
