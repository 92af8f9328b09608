/** How a condition is asked about a call, and what it captures. */
import type { Facts } from './facts.ts'

/** The captured texts of the named groups of a rule's patterns. */
export type Groups = Readonly<Record<string, string>>
export const NO_GROUPS: Groups = Object.freeze({})

/** Undefined when the condition does not hold. */
export type Match = (facts: Facts) => Groups | undefined

/** One or several values; several mean any of them. */
export type OneOrMany<Value> = Value | readonly Value[]
