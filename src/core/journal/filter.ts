/**
 * The filter of the journal: one grammar in code, over the control plane, on the page and in matchers.
 *
 *     { user: /weather/, status: ['4xx', 500] }     calls that ask about the weather and failed
 *
 * What a call asked is filtered with the conditions of `when`, what became of it with conditions of the journal. All must
 * hold; a list means any of them. Each condition can say what differs in a call that does not fulfil it.
 */

import type { Conditions } from '../../generated/scenario-input.ts'
import { didYouMean } from '../lib/text/did-you-mean.ts'
import type { Reason } from '../protocol/plan/plan.ts'
import type { RoutedEndpoint } from '../protocol/request/endpoints.ts'
import type { Difference } from '../scenario/check/describe-values.ts'
import { patternsToText } from '../scenario/compile/pattern-text.ts'
import type { OneOrMany } from '../scenario/conditions/condition.ts'
import type { JournalEntry, Outcome } from './entry.ts'
import { compileField, FilterError, type FilterOptions, filterFields, subjectOf } from './filter-fields.ts'

/** Selection of calls: all conditions must hold; of a list, any value. */
export interface CallFilter extends Omit<Conditions, 'endpoint'> {
  readonly endpoint?: OneOrMany<RoutedEndpoint> | undefined
  readonly method?: OneOrMany<string> | undefined
  /** The path from `/v1` on; `*` stands for any characters. */
  readonly path?: OneOrMany<string> | undefined
  /** A key, whole or masked as the journal shows it. */
  readonly key?: OneOrMany<string> | undefined
  /** The session that the call names; `*` stands for any characters. */
  readonly session?: OneOrMany<string> | undefined
  /** Text anywhere in the request body or the answer (in any case), or a pattern; `'/like this/i'` is a pattern too. */
  readonly text?: OneOrMany<string | RegExp> | undefined
  /** A status, a class such as `'4xx'`, or 0 for no answer. */
  readonly status?: OneOrMany<number | string> | undefined
  /** The reply rule that matched: `replies[2]`. */
  readonly rule?: OneOrMany<string> | undefined
  /** The fault that happened: `rate-limit`. */
  readonly fault?: OneOrMany<string> | undefined
  /** The limit that refused the call: `requests`. */
  readonly limit?: OneOrMany<string> | undefined
  /** The stage that decided the answer: `fault`, `limit`, `reply`, `echo`, ... */
  readonly by?: OneOrMany<Reason['by']> | undefined
  readonly outcome?: OneOrMany<Outcome> | undefined
  /** True for a chat that no reply rule matched, in a scenario with reply rules. */
  readonly unmatched?: boolean | undefined
  /** Earliest time: milliseconds of the mock's clock, or so long ago: `'5s'`. */
  readonly since?: number | string | undefined
  /** Latest time, as `since`. */
  readonly until?: number | string | undefined
}

/** The names that a filter may have. */
export const FILTER_NAMES = Object.keys(filterFields)

/** A filter, ready to use. */
export type CompiledFilter = Readonly<ReturnType<typeof compileFilter>>

/**
 * Compiles a filter.
 * @throws FilterError when it has an unknown name or an unusable value.
 */
export function compileFilter(filter: CallFilter, options: FilterOptions) {
  const given = Object.entries(filter).filter(([, wanted]) => wanted !== undefined)
  for (const [field] of given) {
    if (Object.hasOwn(filterFields, field)) continue
    const name = field.slice(0, 60)
    const all = FILTER_NAMES.join(', ')
    throw new FilterError(`A filter has no field '${name}'.${didYouMean(name, FILTER_NAMES)} Its fields are: ${all}.`)
  }
  // In the order of the fields, so that those that cost least to compare come first.
  const conditions = given
    .sort(([a], [b]) => FILTER_NAMES.indexOf(a) - FILTER_NAMES.indexOf(b))
    .map(([field, wanted]) => compileField(field, patternsToText(wanted), options))
  return {
    matches: (entry: JournalEntry): boolean => {
      const subject = subjectOf(entry)
      return conditions.every(({ holds }) => holds(subject))
    },
    /** The conditions that the entry does not fulfil; empty for one that matches. */
    differences: (entry: JournalEntry): readonly Difference[] => {
      const subject = subjectOf(entry)
      return conditions
        .filter(({ holds }) => !holds(subject))
        .map(({ field, needed, describeFound }) => ({ field, found: describeFound(subject), needed }))
    },
    /** True if it reads bodies or timelines, which the oldest entries may have lost. */
    readsPayload: given.some(([field]) => filterFields[field]!.readsPayload === true),
    /** `endpoint 'chat', user /weather/`; '' for a filter without conditions. */
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
    const texts = query.getAll(name)
    const parse = Object.hasOwn(filterFields, name) ? filterFields[name]!.parse : undefined
    const values = parse === undefined ? texts : texts.map(parse)
    return [name, values.length === 1 ? values[0] : values]
  })
  return Object.fromEntries(entries)
}
