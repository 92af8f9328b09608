/** A problem or warning of a scenario: what is wrong, and where. */
export interface Problem {
  /** From the top of the scenario: `['replies', 0, 'say']`. */
  readonly path: readonly (string | number)[]
  /** What was expected, what was found, and what was probably meant. */
  readonly message: string
  /** Whether the key itself is wrong, not its value. */
  readonly isKey?: boolean
  /** In a file: counted from 1. */
  readonly line?: number
  readonly column?: number
}
