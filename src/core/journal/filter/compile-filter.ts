/**
 * The filter of the journal: one grammar in code, over the control plane, on the page and in matchers.
 *
 * What a call asked is filtered with the conditions of `when`, what became of it with conditions of the journal. All must
 * hold; a list means any of them. Each condition can say what differs in a call that does not fulfil it.
 */

import { patternsToText } from '../../scenario/compile/pattern-text.ts'
import type { Difference } from '../../scenario/diagnostics/differences.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import type { JournalEntry } from '../entry.ts'
import type { CallFilter } from './call-filter.ts'
import { FilterError, type FilterOptions, filterFields, Subject } from './conditions.ts'

/** The names that a filter may have. */
export const FILTER_NAMES = Object.keys(filterFields)

/** A filter, ready to use. */
export interface CompiledFilter {
  matches(entry: JournalEntry): boolean
  /** What the entry lacks to match; empty for one that matches. */
  differences(entry: JournalEntry): readonly Difference[]
  /** `endpoint 'chat', user /weather/`; '' for a filter without conditions. */
  readonly text: string
}

/**
 * Compiles a filter.
 * @throws FilterError when it has an unknown name or an unusable value.
 */
export function compileFilter(filter: CallFilter, options: FilterOptions): CompiledFilter {
  const given = Object.entries(filter).filter(([, wanted]) => wanted !== undefined)
  const unknown = given.find(([field]) => !Object.hasOwn(filterFields, field))
  if (unknown !== undefined) throw new FilterError(describeUnknown(unknown[0]))
  const conditions = given
    .sort(([a], [b]) => FILTER_NAMES.indexOf(a) - FILTER_NAMES.indexOf(b))
    .map(([field, wanted]) => filterFields[field]!.compile(field, patternsToText(wanted), options))
  return {
    matches: (entry) => {
      const subject = new Subject(entry)
      return conditions.every(({ holds }) => holds(subject))
    },
    differences: (entry) => {
      const subject = new Subject(entry)
      return conditions
        .filter(({ holds }) => !holds(subject))
        .map(({ field, needed, found }) => ({ field, found: found(subject), needed }))
    },
    text: conditions.map(({ field, needed }) => `${field} ${needed}`).join(', '),
  }
}

const describeUnknown = (name: string): string =>
  `A filter has no field '${name}'.${didYouMean(name, FILTER_NAMES)} Its fields are: ${FILTER_NAMES.join(', ')}.`
