/**
 * The filter of the journal: one grammar in code, over the control plane, on the page and in matchers.
 *
 * What a call asked is filtered with conditions as rules have them (see `when`), what became of it with conditions of
 * its own. All must hold; a list means any of them. Each can say of a call that fails it what differs.
 */
import type { Reason } from '../plan.ts'
import type { Endpoint } from '../route.ts'
import { type Difference, neededBy } from '../scenario/differences.ts'
import { didYouMean } from '../suggest.ts'
import { type Condition, conditionMakers, FilterError, type FilterOptions, Subject } from './conditions.ts'
import type { JournalEntry, Outcome } from './entry.ts'

type OneOrMany<Value> = Value | readonly Value[]
/** A text that must occur (in any case), or a pattern; `'/like this/i'` is a pattern too. */
type Texts = OneOrMany<string | RegExp>

/** Which calls: all that is given must hold, and a list means any of them. */
export interface CallFilter {
  readonly endpoint?: OneOrMany<Endpoint> | undefined
  readonly method?: OneOrMany<string> | undefined
  /** The path from `/v1` on; `*` stands for any characters. */
  readonly path?: OneOrMany<string> | undefined
  /** A key, whole or as the journal shows it. */
  readonly key?: OneOrMany<string> | undefined
  /** `*` stands for any characters. */
  readonly model?: OneOrMany<string> | undefined
  /** The last user message. */
  readonly user?: Texts | undefined
  /** The system or developer text. */
  readonly system?: Texts | undefined
  /** The result of a tool that the conversation ends with. */
  readonly toolResult?: Texts | undefined
  /** A tool that the call offers; `*` stands for any characters. */
  readonly tool?: OneOrMany<string> | undefined
  /** How often the key had sent this very request. */
  readonly attempt?: OneOrMany<number> | undefined
  /** The number of user messages. */
  readonly turn?: OneOrMany<number> | undefined
  /** Anything in the request body or in the answer, as it was written. */
  readonly text?: Texts | undefined
  /** A status (0: no answer) or a class of them: `'4xx'`. */
  readonly status?: OneOrMany<number | string> | undefined
  /** The reply rule that matched: `replies[2]`. */
  readonly rule?: OneOrMany<string> | undefined
  /** The fault that struck: `rate-limit`. */
  readonly fault?: OneOrMany<string> | undefined
  /** The limit that refused it: `requests`. */
  readonly limit?: OneOrMany<string> | undefined
  /** What decided: `fault`, `limit`, `reply`, `echo`, ... */
  readonly by?: OneOrMany<Reason['by']> | undefined
  readonly outcome?: OneOrMany<Outcome> | undefined
  /** Whether it was a chat that no reply rule matched, in a scenario that has some. */
  readonly unmatched?: boolean | undefined
  /** Came at this time or later: milliseconds of the mock's clock, or so long ago: `'5s'`. */
  readonly since?: number | string | undefined
  /** Came at this time or earlier. */
  readonly until?: number | string | undefined
}

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
  const failing = (subject: Subject): Condition[] => conditions.filter(({ holds }) => !holds(subject))
  return {
    matches: (entry) => {
      const subject = new Subject(entry)
      return conditions.every(({ holds }) => holds(subject))
    },
    differences: (entry) => {
      const subject = new Subject(entry)
      return failing(subject).map(({ field, wanted, found }) => ({
        field,
        found: found(subject),
        needed: neededBy(field, wanted),
      }))
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
