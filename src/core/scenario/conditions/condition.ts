/** The interface of a condition of `when`, and the forms that its values have. */
import { isObject, toList } from '../../lib/text/json.ts'
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { type Difference, describeAll } from '../check/describe-values.ts'
import type { PatternCompiler } from '../compile/pattern-text.ts'
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

// The methods are written as methods so that a condition of any value fits `Condition`.
export interface Condition<Wanted = unknown> {
  /** The part of the call that it compares: `the last user message`. */
  readonly about: string
  readonly form: ConditionForm
  /** The form of a value, for messages: `the name of a state`. */
  readonly expected: string
  compile(wanted: Wanted, compilePattern: PatternCompiler): Match

  /** The call's value; undefined if the call has none. */
  read(facts: Facts): unknown
  /** The call's value, for messages. */
  describeFound(facts: Facts): string
  /** A wanted value, for messages. */
  describeWanted(wanted: Wanted): string
  /** The parts of a wanted value that the call differs in, for a value of many parts. */
  findDifferences?(wanted: Wanted, facts: Facts): readonly PartDifference[]

  /** True for a value that the journal filter can use. */
  accepts(value: unknown): boolean
  /** Reads a value from a query. */
  parse(text: string): unknown
}

export const toDifference = ({ field, describe }: PartDifference): Difference => ({ field, ...describe() })

type FormMembers = Pick<Condition, 'about' | 'form' | 'expected' | 'describeWanted' | 'accepts' | 'parse'>

/** The members of a condition that follow from the form of its values. */
export const ofForm = (form: ConditionForm, about: string): FormMembers => ({
  about,
  form,
  expected: FORMS[form],
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
