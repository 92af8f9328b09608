/**
 * What a condition of `when` is. To add one, write a file beside this one and add it to catalogue.ts: the grammar, the
 * matcher, near misses, warnings, the journal filter and the documents read the catalogue.
 *
 * Most conditions are of a kind (kinds/): a text, a name, a value out of a list.
 */
import type { ZodType } from 'zod'
import type { PatternCompiler } from '../compile/pattern-text.ts'
import type * as Fields from '../grammar/fields.ts'
import type { Facts } from './facts.ts'

/** What the named groups of a rule's patterns caught. */
export type Groups = Readonly<Record<string, string>>
export const NO_GROUPS: Groups = Object.freeze({})

/** Undefined when the condition does not hold. */
export type Match = (facts: Facts) => Groups | undefined

/** One or several values; several mean any of them. */
export type OneOrMany<Value> = Value | readonly Value[]

// The methods are written as methods so that a condition of any value fits `Condition`.
export interface Condition<Wanted = unknown, Schema extends ZodType = ZodType> {
  /** What it is about, as a noun: `the last user message`. */
  readonly about: string
  /** What a value looks like: `the name of a state`. */
  readonly expected: string
  /** Whether a value may be a pattern, `/like this/i`. */
  readonly takesPatterns?: boolean
  /** Its field in a scenario. A function of the fields, because a built-in scenario starts without zod. */
  schema(fields: typeof Fields): Schema
  compile(wanted: Wanted, compilePattern: PatternCompiler): Match

  /** What a call has for it; undefined when the call has none. */
  read(facts: Facts): unknown
  /** What a call has for it, for messages. */
  describeFound(facts: Facts): string
  /** A value of it, for messages. */
  describeWanted(wanted: Wanted): string

  /** Whether the journal filter takes a value, and how it reads one from a query. */
  accepts(value: unknown): boolean
  parse(text: string): unknown

  /** The values taken apart: a call that fulfils the condition fulfils one of them. */
  split(wanted: Wanted): readonly unknown[]
  /** Whether it surely holds for a call of which one part of `split` is known; undefined when nothing is known. */
  covers(wanted: Wanted, known: unknown): boolean
  /** Whether only a chat can fulfil it. */
  isForChatOnly(wanted: Wanted): boolean
}
