/**
 * The filter of the journal: one grammar in code, over the control plane, on the page and in matchers.
 *
 * What a call asked is filtered with the conditions of `when`, what became of it with conditions of the journal. All must
 * hold; a list means any of them. Each condition can say what differs in a call that does not fulfil it.
 */

import { didYouMean } from '../../lib/text/did-you-mean.ts'
import type { Difference } from '../../scenario/check/describe-values.ts'
import { patternsToText } from '../../scenario/compile/pattern-text.ts'
import type { JournalEntry } from '../entry.ts'
import type { CallFilter } from './call-filter.ts'
import { compileCondition, FilterError, type FilterOptions, filterFields, Subject } from './conditions.ts'

/** The names that a filter may have. */
export const FILTER_NAMES = Object.keys(filterFields)

/** A filter, ready to use. */
export interface CompiledFilter {
  matches(entry: JournalEntry): boolean
  /** The conditions that the entry does not fulfil; empty for one that matches. */
  differences(entry: JournalEntry): readonly Difference[]
  /** True if it reads bodies or timelines, which the oldest entries may have lost. */
  readonly readsPayload: boolean
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
  if (unknown !== undefined) {
    const name = unknown[0].slice(0, 60)
    const all = FILTER_NAMES.join(', ')
    throw new FilterError(`A filter has no field '${name}'.${didYouMean(name, FILTER_NAMES)} Its fields are: ${all}.`)
  }
  const conditions = given
    .sort(([a], [b]) => FILTER_NAMES.indexOf(a) - FILTER_NAMES.indexOf(b))
    .map(([field, wanted]) => compileCondition(field, patternsToText(wanted), options))
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
    readsPayload: given.some(([field]) => filterFields[field]!.readsPayload === true),
    text: conditions.map(({ field, needed }) => `${field} ${needed}`).join(', '),
  }
}

/**
 * Reads a filter from the query of an address. A name that comes more than once means any of its values. Names and
 * values are checked when the filter is compiled.
 * @example readFilter(new URLSearchParams('status=429&status=500')) // { status: ['429', '500'] }
 */
export function readFilter(query: URLSearchParams): CallFilter {
  const entries = [...new Set(query.keys())].map((name) => {
    const field = Object.hasOwn(filterFields, name) ? filterFields[name] : undefined
    const values = query.getAll(name).map((text) => field?.parse?.(text) ?? text)
    return [name, values.length === 1 ? values[0] : values]
  })
  return Object.fromEntries(entries)
}
