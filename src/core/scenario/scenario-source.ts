/**
 * The type of a scenario as data, `ScenarioSource`: one that was checked, or read from a file; and the types of its parts.
 *
 * It is the type of a scenario in code with wider texts, because a file may have any, and without patterns, which a file
 * writes as texts:
 *
 *   ScenarioInput    { when?: { user?: string | RegExp }, delay?: `${number}ms` | `${number}s`, unmatched?: 'echo' | 'refuse' }
 *   ScenarioSource   { when?: { user?: string }, delay?: string, unmatched?: 'echo' | 'refuse' }
 */
import type { ScenarioInput } from '../../generated/scenario-input.ts'

/** A scenario as it is written. */
export type ScenarioSource = Widened<ScenarioInput>

type Widened<Value> = Value extends RegExp
  ? never
  : Value extends (...request: never[]) => unknown
    ? Value
    : Value extends string
      ? WidenedText<Value>
      : Value extends readonly (infer Item)[]
        ? Widened<Item>[]
        : Value extends object
          ? { -readonly [Name in keyof Value]: Widened<Value[Name]> }
          : Value

/**
 * `string` for a form such as `${number}ms`; a literal such as 'echo' stays. A record tells them apart: `Record<'echo', true>`
 * requires the field `echo`, so `{}` does not fit; a record of all texts of a form requires none, so `{}` fits.
 */
type WidenedText<Text extends string> = Record<never, never> extends Record<Text, true> ? string : Text

/** A text in place of a function, which JSON, YAML and another thread cannot have. */
export const FUNCTION = '[function]'

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** The source as data, for JSON, YAML and another thread: each function is a text. */
export function plainSource(source: ScenarioSource): ScenarioSource {
  const ofSessions = Object.values(source.keys ?? {}).map(({ scenario }) => scenario)
  const scenarios = [source, ...ofSessions].filter((scenario) => typeof scenario === 'object')
  const rules = scenarios.flatMap(({ replies = [] }) => replies)
  const hasFunctions = rules.some(({ say, call, reply }) => [say, call, reply].flat().some(isFunction))
  if (!hasFunctions) return source
  return JSON.parse(JSON.stringify(source, (_, value) => (isFunction(value) ? FUNCTION : value)))
}

/** The source without the scenarios of sessions. */
export function withoutSessions(source: ScenarioSource): ScenarioSource {
  if (source.keys === undefined) return source
  const entries = Object.entries(source.keys).map(([key, { scenario: _, ...settings }]) => [key, settings])
  return { ...source, keys: Object.fromEntries(entries) }
}

/** The fault rules of a scenario and of its states, each with its path: `['states', 'down', 'faults', 0]`. */
export const faultRulesOf = ({ faults = [], states = {} }: ScenarioSource) => [
  ...faults.map((rule, index) => ({ rule, path: ['faults', index] })),
  ...Object.entries(states).flatMap(([name, state]) =>
    (state.faults ?? []).map((rule, index) => ({ rule, path: ['states', name, 'faults', index] })),
  ),
]

export type KeySource = NonNullable<ScenarioSource['keys']>[string]
export type ModelSource = NonNullable<ScenarioSource['models']>[string]
export type ReplySource = NonNullable<ScenarioSource['replies']>[number]
export type FaultSource = NonNullable<ScenarioSource['faults']>[number]
export type StateSource = NonNullable<ScenarioSource['states']>[string]
export type WhenSource = NonNullable<ReplySource['when']>
export type PaceSource = NonNullable<ScenarioSource['pace']>
/** A recorded answer as a cassette has it. */
export type AnswerSource = Exclude<NonNullable<ReplySource['answer']>, readonly unknown[]>
