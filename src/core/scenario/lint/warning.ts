/** What a warning is: something that a scenario may have, and that can't do what it is there for. */
import type { ScenarioSource } from '../grammar/schema.ts'

/** Its message is whole: nothing needs to be said before it. */
export interface Warning {
  /** From the top of the scenario: `['replies', 0]`. */
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Whether it is about the key itself, not its value. */
  readonly isKey?: boolean
}

export type Path = Warning['path']
export type When = NonNullable<NonNullable<ScenarioSource['replies']>[number]['when']>
