/**
 * The filter of the journal: one grammar in code, over the control plane, on the page and in matchers.
 *
 * What a call asked is filtered with conditions as rules have them (see `when`), what became of it with conditions of
 * its own. All must hold; a list means any of them. Each can say of a call that fails it what differs.
 */
import { type Difference, neededBy } from '../../scenario/diagnostics/differences.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import type { JournalEntry } from '../entry.ts'
import type { CallFilter } from './call-filter.ts'
import { type Condition, conditionMakers, FilterError, type FilterOptions, Subject } from './conditions.ts'

/** The names that a filter may have. */
export const FILTER_NAMES = Object.keys(conditionMakers) as readonly (keyof CallFilter)[]

/** A filter, ready to use. */
export interface CompiledFilter {
  matches(entry: JournalEntry): boolean
  /** What an entry would have to have otherwise; empty for one that matches. */
  differences(entry: JournalEntry): readonly Difference[]
  /** `endpoint 'chat', user /weather/`; '' for a filter without conditions. */
  readonly text: string
}

/**
 * Reads a filter.
 * @throws FilterError when it has an unknown name, or a value that is none.
 */
export function compileFilter(filter: CallFilter, options: FilterOptions): CompiledFilter {
  const conditions: Condition[] = []
  // In the order of the makers: what costs least to look at comes first.
  for (const field of [...new Set([...FILTER_NAMES, ...Object.keys(filter)])]) {
    const wanted = (filter as Readonly<Record<string, unknown>>)[field]
    if (wanted === undefined) continue
    if (!Object.hasOwn(conditionMakers, field)) throw new FilterError(unknownName(field))
    conditions.push(conditionMakers[field as keyof CallFilter](field, inTexts(wanted), options))
  }
  return {
    matches: (entry) => {
      const subject = new Subject(entry)
      return conditions.every(({ holds }) => holds(subject))
    },
    differences: (entry) => {
      const subject = new Subject(entry)
      return conditions
        .filter(({ holds }) => !holds(subject))
        .map(({ field, wanted, found }) => ({ field, found: found(subject), needed: neededBy(field, wanted) }))
    },
    text: conditions.map(({ field, wanted }) => `${field} ${neededBy(field, wanted)}`).join(', '),
  }
}

const unknownName = (name: string): string =>
  `A filter of calls has no '${name}'.${didYouMean(name, FILTER_NAMES)} It may have: ${FILTER_NAMES.join(', ')}.`

/** A pattern as the text that a file would have; g and y are about where to go on, which no condition asks. */
function inTexts(wanted: unknown): unknown {
  if (Array.isArray(wanted)) return wanted.map(inTexts)
  return wanted instanceof RegExp ? `/${wanted.source}/${wanted.flags.replace(/[dgy]/g, '')}` : wanted
}
