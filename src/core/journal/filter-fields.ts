/**
 * The fields of a filter: how each value is read, what it is compared with, and what messages show.
 *
 *     status: ['4xx', 500]   holds for an entry with the status 429
 *     user: 'weather'        holds for an entry whose last user message has the word
 *
 * The fields of a journal entry are described here. The conditions of `when` are those of the scenario, and are compared
 * with the facts of the stored call.
 */

import { callerOf } from '../decide/state/session-id.ts'
import { didYouMean } from '../lib/text/did-you-mean.ts'
import { durationMs, parseDuration } from '../lib/text/duration.ts'
import { toList } from '../lib/text/json.ts'
import { MockError } from '../protocol/errors/mock-error.ts'
import { REASONS } from '../protocol/plan/plan.ts'
import { ENDPOINT_NAMES } from '../protocol/request/endpoints.ts'
import { describeAll, describeValue } from '../scenario/check/describe-values.ts'
import { matchesGlob } from '../scenario/compile/glob.ts'
import { type PatternCompiler, patternParts } from '../scenario/compile/pattern-text.ts'
import { type Condition, compileTexts } from '../scenario/conditions/condition.ts'
import { conditions } from '../scenario/conditions/condition-table.ts'
import { buildFacts, type Facts } from '../scenario/conditions/facts.ts'
import { type JournalEntry, OUTCOMES } from './entry.ts'

/** Options for reading a filter. */
export interface FilterOptions {
  /** The time of the mock's clock, for `since: '5s'`. */
  readonly now: number
  /** Default: JavaScript's own patterns. For filters from outside, use an engine with linear time. */
  readonly compilePattern?: PatternCompiler
}

type Matcher = (subject: Subject) => boolean

/** One field of a filter. */
interface FilterField {
  /** The form of a value, for messages. */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
  /** The valid words, to suggest the nearest. */
  readonly words?: readonly string[]
  /** A value from a query. Default: the text itself. */
  readonly parse?: (text: string) => unknown
  /** True if it reads the body or the timeline, which an entry may have lost. */
  readonly readsPayload?: boolean
  /** Any of the values may match. */
  readonly compile: (values: readonly unknown[], options: Required<FilterOptions>) => Matcher
  /** The value of the call, for messages. */
  readonly describeFound: (subject: Subject) => string
  /** The wanted values, for messages. Default: the values themselves. */
  readonly describeWanted?: (wanted: unknown) => string
}

/** The conditions of `when` that read a field of the entry. The others read its body. */
const ENTRY_CONDITIONS: ReadonlySet<string> = new Set(['model', 'attempt', 'state'])

/** Every field of a filter by its name. Those that cost least to compare come first. */
export const filterFields: Readonly<Record<string, FilterField>> = {
  endpoint: nameField('endpoint', [...ENDPOINT_NAMES, 'unknown']),
  method: nameField('method'),
  path: nameField('path'),
  key: {
    expected: 'a key, whole or as the journal shows it',
    accepts: (value) => typeof value === 'string',
    compile: (values) => {
      const keys = values as readonly string[]
      const callers = keys.map(callerOf)
      // Two masked keys can look the same, so a key that is given whole is compared whole.
      return ({ entry }) =>
        callers.includes(entry.caller) || keys.some((key) => key.includes('**') && key === entry.key)
    },
    describeFound: ({ entry }) => describeAll(entry.key === '' ? [] : [entry.key]),
    describeWanted: conditions.key!.describeWanted,
  },
  session: nameField('session'),
  status: {
    expected: "a status such as 429, a class such as '4xx', or 0 for no answer",
    accepts: (value) => /^(?:0|[1-5](?:xx|\d\d))$/.test(String(value)),
    words: ['1xx', '2xx', '3xx', '4xx', '5xx'],
    compile: (values) => {
      const texts = values.map(String)
      return ({ entry }) => {
        const status = String(entry.status)
        return texts.includes(status) || texts.includes(`${status[0]}xx`)
      }
    },
    describeFound: ({ entry }) => String(entry.status),
  },
  rule: nameField('rule'),
  fault: nameField('fault'),
  limit: nameField('limit'),
  by: nameField('by', REASONS),
  outcome: nameField('outcome', OUTCOMES),
  unmatched: {
    expected: 'true or false',
    accepts: (value) => typeof value === 'boolean',
    parse: conditions.stream!.parse,
    compile: (values) => (subject) => values.includes(subject.entry.unmatched),
    describeFound: ({ entry }) => String(entry.unmatched),
  },
  since: timeField('since'),
  until: timeField('until'),
  // The journal compares the endpoint and the key in its own way, above.
  ...Object.fromEntries(
    Object.entries(conditions)
      .filter(([field]) => field !== 'endpoint' && field !== 'key')
      .map(([field, condition]) => [field, conditionField(field, condition)]),
  ),
  text: {
    readsPayload: true,
    expected: conditions.user!.expected,
    accepts: conditions.user!.accepts,
    compile: (values, { compilePattern }) => {
      const test = compileTexts(values as readonly string[], compilePattern)
      return ({ entry: { body, timeline } }) => {
        if (body !== undefined && test(JSON.stringify(body)) !== undefined) return true
        const sent = timeline?.map((step) => (step.type === 'send' ? step.data : '')).join('')
        return sent !== undefined && test(sent) !== undefined
      }
    },
    describeFound: () => 'other texts in the request and the answer',
  },
}

/** A field that compares a name of the entry; `*` stands for any characters. */
function nameField(
  field: 'endpoint' | 'method' | 'path' | 'session' | 'rule' | 'fault' | 'limit' | 'by' | 'outcome',
  words?: readonly string[],
): FilterField {
  const read = ({ entry }: Subject): string | undefined => (field === 'by' ? entry.reason.by : entry[field])
  return {
    expected: words?.join(', ') ?? 'a name',
    accepts: (value) => (words === undefined ? typeof value === 'string' : words.includes(value as string)),
    ...(words !== undefined && { words }),
    compile: (globs) => (subject) => globs.some((glob) => matchesGlob(glob as string, read(subject) ?? '')),
    describeFound: (subject) => describeValue(read(subject)),
  }
}

/** A field for the earliest or the latest time of arrival. */
function timeField(bound: 'since' | 'until'): FilterField {
  return {
    expected: "milliseconds of the mock's clock, or a duration such as 5s for so long ago",
    accepts: (value) => Number.isFinite(value) || parseDuration(value) !== undefined,
    parse: (value) => (/^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value),
    compile: (values, { now }) => {
      const times = values.map((value) => (typeof value === 'number' ? value : now - durationMs(value as string)))
      return ({ entry: { at } }) => times.some((time) => (bound === 'since' ? at >= time : at <= time))
    },
    describeFound: ({ entry }) => String(Math.round(entry.at)),
  }
}

/** A field that is a condition of `when`, for what the call asked. */
function conditionField(field: string, condition: Condition): FilterField {
  const { expected, accepts, parse, describeWanted } = condition
  return {
    ...{ expected, accepts, parse, describeWanted },
    readsPayload: !ENTRY_CONDITIONS.has(field),
    compile: (values, { compilePattern }) => {
      const match = condition.compile(values.length === 1 ? values[0] : values, compilePattern)
      return ({ facts }) => match(facts) !== undefined
    },
    describeFound: ({ facts }) => condition.describeFound(facts),
  }
}

/** JavaScript's own patterns. */
const compileNative: PatternCompiler = (source, flags) => {
  const pattern = new RegExp(source, flags)
  return (text) => (pattern.test(text) ? {} : undefined)
}

/**
 * Compiles one field of a filter.
 * @param wanted its value, or a list of values.
 * @throws FilterError when a value cannot be used.
 */
export function compileField(field: string, wanted: unknown, options: FilterOptions) {
  const { expected, accepts, words = [], compile, describeFound, describeWanted = describeAll } = filterFields[field]!
  const values = toList(wanted)
  if (values.length === 0 || !values.every(accepts)) {
    const wrong = values.find((value) => !accepts(value))
    const near = typeof wrong === 'string' ? didYouMean(wrong, words) : ''
    const form = expected.replace(/(?:, or a list of them)?$/, ', or a list of them')
    throw new FilterError(`Filter '${field}': expected ${form}, got ${describeValue(wrong)}.${near}`)
  }
  try {
    const holds = compile(values, { compilePattern: compileNative, ...options })
    /** `needed` has the wanted values, for messages. */
    return { field, holds, describeFound, needed: describeWanted(values) }
  } catch (error) {
    const pattern = values.find((value) => typeof value === 'string' && patternParts(value) !== undefined)
    throw new FilterError(`Filter '${field}': the pattern ${pattern} is invalid: ${(error as Error).message}`)
  }
}

/** An entry, with the facts of its call read when they are first needed. */
export type Subject = Readonly<ReturnType<typeof subjectOf>>

export function subjectOf(entry: JournalEntry) {
  let facts: Facts | undefined
  return {
    entry,
    get facts(): Facts {
      const { endpoint, model, attempt, state, body = {} } = entry
      facts ??= buildFacts({ endpoint, key: '', model, attempt, state, body, bodyText: undefined })
      return facts
    },
  }
}

/** Thrown for a filter with an unknown name or a wrong value: the message says what was expected and what it got. */
export class FilterError extends MockError {
  override readonly name = 'FilterError'

  constructor(message: string) {
    super('invalid-filter', message)
  }
}
