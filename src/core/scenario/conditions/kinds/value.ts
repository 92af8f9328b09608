/** Conditions on a plain value that equals one of the wanted values: numbers, states, true or false. */
import type { ZodType } from 'zod'
import { toList } from '../../../lib/text/to-list.ts'
import { describeAll, describeValue } from '../../check/describe.ts'
import type { Condition } from '../condition.ts'
import type { Facts } from '../facts.ts'
import { NO_GROUPS, type OneOrMany } from '../match.ts'

type Value = string | number | boolean

export const NUMBERS = 'a whole number from 1, or a list of them'

export function valueCondition<Wanted extends Value, Schema extends ZodType>({
  read,
  ...rest
}: Pick<Condition<unknown, Schema>, 'about' | 'expected' | 'accepts' | 'schema'> & {
  readonly read: (facts: Facts) => Wanted | undefined
  /** Default: the text itself. */
  readonly parse?: (text: string) => unknown
}): Condition<OneOrMany<Wanted>, Schema> {
  return {
    parse: (text) => text,
    ...rest,
    compile(wanted) {
      const values = toList(wanted)
      return (facts) => (values.includes(read(facts) as Wanted) ? NO_GROUPS : undefined)
    },
    read,
    describeFound: (facts) => describeValue(read(facts)),
    describeWanted: (wanted) => describeAll(toList(wanted)),
    split: toList,
    covers: (wanted, known) => known !== undefined && toList(wanted).includes(known as Wanted),
    needTraits: (wanted) => toList(wanted).map((value) => [String(value)]),
    listTraits: (known) => [String(known)],
  }
}

/** A whole number from 1. A filter may ask for 0 too: calls without messages have no turn. */
export const numberCondition = (about: string, read: (facts: Facts) => number) =>
  valueCondition({
    about,
    expected: NUMBERS,
    schema: ({ numbers }) => numbers(NUMBERS),
    accepts: (value) => Number.isInteger(value) && (value as number) >= 0,
    parse: (text) => (/^\d+$/.test(text) ? Number(text) : text),
    read,
  })
