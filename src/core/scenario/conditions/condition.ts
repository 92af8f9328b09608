/**
 * The interface of a condition of `when`. To add one, write a file next to this one and add it to catalogue.ts: the
 * grammar, the matcher, near misses, warnings, the journal filter and the docs read the catalogue.
 *
 * Most conditions are of a kind (kinds/): a text, a name, a value out of a list.
 */
import type { ZodType } from 'zod'
import type { Difference } from '../check/differences.ts'
import type { PatternCompiler } from '../compile/pattern-text.ts'
import type * as Fields from '../grammar/fields.ts'
import type { Facts } from './facts.ts'
import type { Match } from './match.ts'

/** One part of a value that differs. */
export interface PartDifference extends Difference {
  readonly wanted: unknown
  readonly sent: unknown
}

// The methods are written as methods so that a condition of any value fits `Condition`.
export interface Condition<Wanted = unknown, Schema extends ZodType = ZodType> {
  /** What the condition compares: `the last user message`. */
  readonly about: string
  /** What a value looks like: `the name of a state`. */
  readonly expected: string
  /** Whether a value may be a pattern, `/like this/i`. */
  readonly takesPatterns?: boolean
  /** Its field in a scenario. A function of the fields, because a built-in scenario starts without zod. */
  schema(fields: typeof Fields): Schema
  compile(wanted: Wanted, compilePattern: PatternCompiler): Match

  /** The call's value; undefined if the call has none. */
  read(facts: Facts): unknown
  /** The call's value, for messages. */
  describeFound(facts: Facts): string
  /** A wanted value, for messages. */
  describeWanted(wanted: Wanted): string

  /** The parts of a wanted value that the call differs in, for a value of many parts. */
  findDifferences?(wanted: Wanted, facts: Facts): readonly PartDifference[]

  /** Whether the journal filter accepts a value. */
  accepts(value: unknown): boolean
  /** Reads a value from a query. */
  parse(text: string): unknown

  /** The alternatives of a value: a call that matches the condition matches one of them. */
  split(wanted: Wanted): readonly unknown[]
  /**
   * Whether the condition certainly holds for a call.
   * @param known an alternative (see `split`) that the call matches; undefined if nothing is known.
   */
  covers(wanted: Wanted, known: unknown): boolean
  /**
   * Lists of traits, for comparing many rules: the condition covers an alternative only if that has all traits of one list.
   * Undefined, or without the method, if nothing is known. No list is empty.
   */
  needTraits?(wanted: Wanted): readonly (readonly string[])[] | undefined
  /** The traits of an alternative. */
  listTraits?(known: unknown): readonly string[]
}
