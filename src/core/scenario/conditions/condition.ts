/**
 * The interface of a condition of `when`, the forms that its values have, and `conditionOf`, which makes a condition of a
 * form and a function that reads the call. condition-table.ts has all conditions.
 */
import { isObject, toList } from '../../lib/text/json.ts'
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { type Difference, describeAll } from '../check/describe-values.ts'
import { matchesGlob } from '../compile/glob.ts'
import { type PatternCompiler, patternParts } from '../compile/pattern-text.ts'
import type { Facts } from './facts.ts'

/** The captured texts of the named groups of a rule's patterns. */
export type Groups = Readonly<Record<string, string>>
export const NO_GROUPS: Groups = Object.freeze({})

/** Tests a call: the captured groups, or undefined when the condition does not hold. */
export type Match = (facts: Facts) => Groups | undefined

/** One or several values; several mean any of them. */
export type OneOrMany<Value> = Value | readonly Value[]

/** The forms of values, each as messages describe it. The grammar has a schema for each. */
export const FORMS = {
  texts: 'text that must occur (in any case), a pattern /like this/i, or a list of them',
  names: 'a name, with * for any characters, or a list of them',
  numbers: 'a whole number from 1, or a list of them',
  state: 'the name of a state, or a list of them',
  endpoint: MODEL_ENDPOINTS.join(' or '),
  flag: 'true or false',
  request: 'a request body as a map, or as text when it is not a JSON object',
} as const
export type ConditionForm = keyof typeof FORMS

/** One part of a value that differs from the call's. */
export interface PartDifference {
  /** The path of the part: `request.messages[0]`. */
  readonly field: string
  readonly wanted: unknown
  readonly sent: unknown
  /** Describes both, for a message. A function, because most differences are only counted, never shown. */
  describe(): Pick<Difference, 'found' | 'needed'>
}

/** A condition of `when`, and how it is compiled, described and filtered by. */
export interface Condition {
  /** The part of the call that it compares: `the last user message`. */
  readonly about: string
  readonly form: ConditionForm
  /** The form of a value, for messages: `the name of a state`. */
  readonly expected: string
  /** Compiles a wanted value to a test of a call. */
  readonly compile: (wanted: unknown, compilePattern: PatternCompiler) => Match

  /** The call's value, or its values; undefined if the call has none. */
  readonly read: (facts: Facts) => unknown
  /** The call's value, for messages. */
  readonly describeFound: (facts: Facts) => string
  /** A wanted value, for messages. */
  readonly describeWanted: (wanted: unknown) => string
  /** The parts of a wanted value that differ from the call's; only a condition on a value of many parts has this. */
  readonly findDifferences?: (wanted: unknown, facts: Facts) => readonly PartDifference[]

  // For the journal filter, whose values come from code or from the query of an address.
  /** True for a value that it can use. */
  readonly accepts: (value: unknown) => boolean
  /** Reads a value from a query: `true`, `2`, or the text itself. */
  readonly parse: (text: string) => unknown
}

/** A difference with its texts, for messages. */
export const toDifference = ({ field, describe }: PartDifference): Difference => ({ field, ...describe() })

/** Maximum number of the call's texts in a message. */
const MAX_SHOWN = 3

/**
 * A condition on a part of a call, for the table of conditions. It holds if a wanted value is one of those that the call has.
 * @param read the call's value, or its values.
 * @example conditionOf('names', 'the model of the request', (facts) => facts.model) // when: { model: gpt-* }
 */
export const conditionOf = (form: ConditionForm, about: string, read: Condition['read']): Condition => ({
  about,
  form,
  expected: FORMS[form],
  compile: (wanted, compilePattern) => compileForm(form, toList(wanted), read, compilePattern),
  read,
  describeFound: (facts) => {
    const sent = toList(read(facts))
    return describeAll(form === 'names' ? sent.filter((name) => name !== '') : sent.slice(0, MAX_SHOWN))
  },
  describeWanted: (wanted) => describeAll(toList(wanted)),
  accepts: FILTER_VALUES[form],
  parse: (text) => {
    if (form === 'flag' && /^(?:true|false)$/.test(text)) return text === 'true'
    return form === 'numbers' && /^\d+$/.test(text) ? Number(text) : text
  },
})

/**
 * Compiles wanted values to a test of a call: a text of the call contains a wanted one, in any case, or matches a pattern;
 * in a name, `*` stands for any characters; other values are equal.
 */
function compileForm(
  form: ConditionForm,
  wanted: readonly unknown[],
  read: Condition['read'],
  compilePattern: PatternCompiler,
): Match {
  if (form === 'texts') {
    const match = compileTexts(wanted as readonly string[], compilePattern)
    return (facts) => {
      const sent = read(facts)
      // The first text that matches gives the named groups.
      return typeof sent === 'string' ? match(sent) : firstDefined(toList(sent) as readonly string[], match)
    }
  }
  const isWanted =
    form === 'names'
      ? (name: unknown) => wanted.some((glob) => matchesGlob(glob as string, name as string))
      : (value: unknown) => wanted.includes(value)
  return (facts) => {
    const sent = read(facts)
    return (Array.isArray(sent) ? sent.some(isWanted) : isWanted(sent)) ? NO_GROUPS : undefined
  }
}

/** The values of each form that the journal filter can look for. */
const FILTER_VALUES: Readonly<Record<ConditionForm, (value: unknown) => boolean>> = {
  texts: (value) => typeof value === 'string' && value !== '',
  names: (value) => typeof value === 'string' && value !== '',
  // Also 0: calls without messages have no turn.
  numbers: (value) => Number.isInteger(value) && (value as number) >= 0,
  state: (value) => typeof value === 'string',
  endpoint: (value) => (MODEL_ENDPOINTS as readonly unknown[]).includes(value),
  flag: (value) => typeof value === 'boolean',
  request: (value) => isObject(value) || typeof value === 'string',
}

/** Compiles texts and patterns to a test of a text, which passes if one of them occurs in it. */
export function compileTexts(
  wanted: readonly string[],
  compilePattern: PatternCompiler,
): (text: string) => Groups | undefined {
  const tests = wanted.map((textOrPattern) => {
    const pattern = patternParts(textOrPattern)
    if (pattern !== undefined) return compilePattern(pattern.source, pattern.flags)
    const lower = textOrPattern.toLowerCase()
    return (text: string) => (text.toLowerCase().includes(lower) ? NO_GROUPS : undefined)
  })
  return (text) => firstDefined(tests, (test) => test(text))
}

/** The first result that is defined. */
function firstDefined<Item>(items: readonly Item[], find: (item: Item) => Groups | undefined): Groups | undefined {
  for (const item of items) {
    const groups = find(item)
    if (groups !== undefined) return groups
  }
  return undefined
}
