/**
 * The type of a scenario that was checked or read from a file, and those of its parts.
 *
 * It is the type of a scenario in code, with any text in place of patterns and forms.
 */
import type { ScenarioInput } from '../../generated/scenario-input.ts'

type Widened<Value> = Value extends RegExp
  ? never
  : Value extends (...request: never[]) => unknown
    ? Value
    : Value extends string
      ? Record<never, never> extends Record<Value, true>
        ? string
        : Value
      : Value extends readonly (infer Item)[]
        ? Widened<Item>[]
        : Value extends object
          ? { -readonly [Name in keyof Value]: Widened<Value[Name]> }
          : Value

/** A scenario as it is written. */
export type ScenarioSource = Widened<ScenarioInput>

/** A text in place of a function, which JSON, YAML and another thread cannot have. */
export const FUNCTION = '[function]'

/** The source as data, for JSON, YAML and another thread: each function is a text. */
export function plainSource(source: ScenarioSource): ScenarioSource {
  const isCode = (value: unknown): boolean => typeof value === 'function'
  const scenarios = [source, ...Object.values(source.keys ?? {}).map(({ scenario }) => scenario)]
  const hasCode = scenarios.some(
    (one) =>
      typeof one === 'object' &&
      one.replies?.some(({ say, call, reply }) => [say, call, reply].flat().some(isCode)) === true,
  )
  if (!hasCode) return source
  return JSON.parse(JSON.stringify(source, (_, value) => (isCode(value) ? FUNCTION : value)))
}

/** The source without the scenarios of sessions. */
export function withoutSessions(source: ScenarioSource): ScenarioSource {
  if (source.keys === undefined) return source
  const entries = Object.entries(source.keys).map(([key, { scenario: _, ...settings }]) => [key, settings])
  return { ...source, keys: Object.fromEntries(entries) }
}

/** The fault rules of a scenario and of its states, with their places. */
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
