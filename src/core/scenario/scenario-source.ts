/** The type of a scenario that was checked or read from a file: that of one in code, with any text in place of patterns and forms. */
import type { ScenarioInput } from '../../generated/scenario-input.ts'

type Widened<Value> = Value extends RegExp
  ? never
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
