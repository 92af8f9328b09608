/** The interface of a condition of `when`, and the forms that its values have. */
import { isObject, toList } from '../../lib/text/json.ts'
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { type Difference, describeAll } from '../check/describe-values.ts'
import { matchesGlob } from '../compile/glob.ts'
import { type PatternCompiler, patternParts } from '../compile/pattern-text.ts'
import type { Facts } from './facts.ts'

/** The captured texts of the named groups of a rule's patterns. */
export type Groups = Readonly<Record<string, string>>
export const NO_GROUPS: Groups = Object.freeze({})

/** Tests a call; undefined when the condition does not hold. */
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
  /** Describes both. Not done before it is needed: the nearest of thousands of rules is found without. */
  describe(): Pick<Difference, 'found' | 'needed'>
}

export interface Condition {
  /** The part of the call that it compares: `the last user message`. */
  readonly about: string
  readonly form: ConditionForm
  /** The form of a value, for messages: `the name of a state`. */
  readonly expected: string
  readonly compile: (wanted: unknown, compilePattern: PatternCompiler) => Match

  /** The call's value, or its values; undefined if the call has none. */
  readonly read: (facts: Facts) => unknown
  /** The call's value, for messages. */
  readonly describeFound: (facts: Facts) => string
  /** A wanted value, for messages. */
  readonly describeWanted: (wanted: unknown) => string
  /** The parts of a wanted value that the call differs in, for a value of many parts. */
  readonly findDifferences?: (wanted: unknown, facts: Facts) => readonly PartDifference[]

  /** True for a value that the journal filter can use. */
  readonly accepts: (value: unknown) => boolean
  /** Reads a value from a query. */
  readonly parse: (text: string) => unknown
}

export const toDifference = ({ field, describe }: PartDifference): Difference => ({ field, ...describe() })

/** Maximum number of the call's texts in a message. */
const MAX_SHOWN = 3

/**
 * A condition on a part of a call. It holds if a wanted value is one of those that the call has.
 * @param form how values are compared: a text contains the wanted one, in any case, or matches a pattern; in a name, `*`
 * stands for any characters; other values are equal.
 */
export const conditionOf = (form: ConditionForm, about: string, read: Condition['read']): Condition => ({
  about,
  form,
  expected: FORMS[form],
  compile: (wanted, compilePattern) => {
    const values = toList(wanted)
    if (form === 'texts') {
      const match = compileTexts(values as readonly string[], compilePattern)
      return (facts) => {
        const sent = read(facts)
        // The first text that matches gives the named groups.
        return typeof sent === 'string' ? match(sent) : firstOf(toList(sent) as readonly string[], match)
      }
    }
    const isWanted =
      form === 'names'
        ? (name: unknown) => values.some((glob) => matchesGlob(glob as string, name as string))
        : (value: unknown) => values.includes(value)
    return (facts) => {
      const sent = read(facts)
      return (Array.isArray(sent) ? sent.some(isWanted) : isWanted(sent)) ? NO_GROUPS : undefined
    }
  },
  read,
  describeFound: (facts) => {
    const sent = toList(read(facts))
    return describeAll(form === 'names' ? sent.filter((name) => name !== '') : sent.slice(0, MAX_SHOWN))
  },
  describeWanted: (wanted) => describeAll(toList(wanted)),
  accepts: (value) => {
    if (form === 'flag') return typeof value === 'boolean'
    // A filter may ask for 0 too: calls without messages have no turn.
    if (form === 'numbers') return Number.isInteger(value) && (value as number) >= 0
    if (form === 'endpoint') return (MODEL_ENDPOINTS as readonly unknown[]).includes(value)
    if (form === 'request' && isObject(value)) return true
    return typeof value === 'string' && (value !== '' || form === 'state' || form === 'request')
  },
  parse: (text) => {
    if (form === 'flag' && /^(?:true|false)$/.test(text)) return text === 'true'
    return form === 'numbers' && /^\d+$/.test(text) ? Number(text) : text
  },
})

/** Compiles texts and patterns to a test of a text, which passes if one of them occurs. */
export function compileTexts(
  wanted: readonly string[],
  compilePattern: PatternCompiler,
): (text: string) => Groups | undefined {
  const tests = wanted.map((one) => {
    const parts = patternParts(one)
    if (parts !== undefined) return compilePattern(parts.source, parts.flags)
    const lower = one.toLowerCase()
    return (text: string) => (text.toLowerCase().includes(lower) ? NO_GROUPS : undefined)
  })
  return (text) => firstOf(tests, (test) => test(text))
}

/** The first result that is defined. */
function firstOf<Item>(items: readonly Item[], find: (item: Item) => Groups | undefined): Groups | undefined {
  for (const item of items) {
    const groups = find(item)
    if (groups !== undefined) return groups
  }
  return undefined
}
