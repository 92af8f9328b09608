/** The fields of a filter: how each value is read, what it is compared with, and what messages show. */

import { callerOf } from '../../decide/state/session.ts'
import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { durationMs, parseDuration } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/to-list.ts'
import { MockError } from '../../protocol/errors/mock-error.ts'
import { REASONS } from '../../protocol/plan/plan.ts'
import { ENDPOINT_NAMES } from '../../protocol/request/endpoints.ts'
import { describeAll, describeValue } from '../../scenario/check/describe.ts'
import { matchesGlob } from '../../scenario/compile/glob.ts'
import { type PatternCompiler, patternParts } from '../../scenario/compile/pattern-text.ts'
import { conditions } from '../../scenario/conditions/catalogue.ts'
import type { Condition } from '../../scenario/conditions/condition.ts'
import { buildFacts, type Facts } from '../../scenario/conditions/facts.ts'
import { compileTexts } from '../../scenario/conditions/kinds/text.ts'
import { type JournalEntry, OUTCOMES } from '../entry.ts'

/** Thrown for a filter with an unknown name or a wrong value: the message says what was expected and what it got. */
export class FilterError extends MockError {
  override readonly name = 'FilterError'

  constructor(message: string) {
    super('invalid-filter', message)
  }
}

/** How a filter is read. */
export interface FilterOptions {
  /** The time of the mock's clock, for `since: '5s'`. */
  readonly now: number
  /** Default: JavaScript's own patterns. For filters from outside, use an engine with linear time. */
  readonly compilePattern?: PatternCompiler
}

/** An entry, with the facts of its call read when they are first needed. */
export class Subject {
  readonly entry: JournalEntry
  #facts: Facts | undefined

  constructor(entry: JournalEntry) {
    this.entry = entry
  }

  get facts(): Facts {
    const { endpoint, model, attempt, state, body = {} } = this.entry
    this.#facts ??= buildFacts({ endpoint, key: '', model, attempt, state, body, bodyText: undefined })
    return this.#facts
  }
}

type Matcher = (subject: Subject) => boolean

/** One field of a filter: a value, or a list of values of which any may match. */
interface FilterField {
  /** What a value looks like, for messages. */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
  /** The valid words, to suggest the nearest. */
  readonly words?: readonly string[]
  /** A value from a query. Default: the text itself. */
  readonly parse?: (text: string) => unknown
  /** Whether it reads the body or the timeline, which an entry may have lost. */
  readonly readsPayload?: boolean
  readonly compile: (values: readonly unknown[], options: Required<FilterOptions>) => Matcher
  /** What the call has, for messages. */
  readonly found: (subject: Subject) => string
  /** What the filter wants, for messages. Default: the values themselves. */
  readonly describe?: (wanted: unknown) => string
}

/** The conditions of `when` that read a field of the entry. The others read its body. */
const OWN_FIELDS: readonly string[] = ['model', 'attempt', 'state']

/** A condition of `when`, for what the call asked. */
const fromWhen = (field: string, condition: Condition): FilterField => ({
  readsPayload: !OWN_FIELDS.includes(field),
  expected: condition.expected,
  accepts: condition.accepts,
  parse: condition.parse,
  compile: (values, { compilePattern }) => {
    const match = condition.compile(values.length === 1 ? values[0] : values, compilePattern)
    return ({ facts }) => match(facts) !== undefined
  },
  found: ({ facts }) => condition.describeFound(facts),
  describe: condition.describeWanted,
})

const isText = (value: unknown): boolean => typeof value === 'string'

/** A name of the entry; `*` stands for any characters. */
const name = (read: (entry: JournalEntry) => string | undefined, words?: readonly string[]): FilterField => ({
  expected: words?.join(', ') ?? 'a name',
  accepts: words === undefined ? isText : (value) => words.includes(value as string),
  ...(words !== undefined && { words }),
  compile:
    (globs) =>
    ({ entry }) =>
      globs.some((glob) => matchesGlob(glob as string, read(entry) ?? '')),
  found: ({ entry }) => describeValue(read(entry)),
})

const status: FilterField = {
  expected: "a status such as 429, a class such as '4xx', or 0 for no answer",
  accepts: (value) => /^(?:0|[1-5](?:xx|\d\d))$/.test(String(value)),
  words: ['1xx', '2xx', '3xx', '4xx', '5xx'],
  compile: (values) => {
    const texts = values.map(String)
    return ({ entry }) => texts.includes(`${entry.status}`) || texts.includes(`${`${entry.status}`[0]}xx`)
  },
  found: ({ entry }) => String(entry.status),
}

const key: FilterField = {
  expected: 'a key, whole or as the journal shows it',
  accepts: isText,
  compile: (values) => {
    const keys = values as readonly string[]
    const callers = keys.map(callerOf)
    // Two masked keys can look the same, so a key that is given whole is compared whole.
    return ({ entry }) => callers.includes(entry.caller) || keys.some((one) => one.includes('**') && one === entry.key)
  },
  found: ({ entry }) => describeAll(entry.key === '' ? [] : [entry.key]),
  describe: (wanted) => conditions.key!.describeWanted(wanted),
}

const text: FilterField = {
  readsPayload: true,
  expected: conditions.user!.expected,
  accepts: conditions.user!.accepts,
  compile: (values, { compilePattern }) => {
    const test = compileTexts(values as readonly string[], compilePattern)
    const sent = ({ timeline = [] }: JournalEntry): string =>
      timeline.map((step) => (step.type === 'send' ? step.data : '')).join('')
    return ({ entry }) =>
      (entry.body !== undefined && test(JSON.stringify(entry.body)) !== undefined) ||
      (entry.timeline !== undefined && test(sent(entry)) !== undefined)
  },
  found: () => 'other texts in the request and the answer',
}

const unmatched: FilterField = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
  parse: (value) => conditions.stream!.parse(value),
  compile:
    (values) =>
    ({ entry }) =>
      values.includes(entry.unmatched),
  found: ({ entry }) => String(entry.unmatched),
}

const time = (isWithin: (at: number, bound: number) => boolean): FilterField => ({
  expected: "milliseconds of the mock's clock, or a duration such as 5s for so long ago",
  accepts: (value) => Number.isFinite(value) || parseDuration(value) !== undefined,
  parse: (value) => (/^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value),
  compile: (values, { now }) => {
    const bounds = values.map((value) => (typeof value === 'number' ? value : now - durationMs(value as string)))
    return ({ entry }) => bounds.some((bound) => isWithin(entry.at, bound))
  },
  found: ({ entry }) => String(Math.round(entry.at)),
})

/** Every field of a filter by its name. Those that cost least to compare come first. */
export const filterFields: Readonly<Record<string, FilterField>> = {
  endpoint: name(({ endpoint }) => endpoint, [...ENDPOINT_NAMES, 'unknown']),
  method: name(({ method }) => method),
  path: name(({ path }) => path),
  key,
  session: name(({ session }) => session),
  status,
  rule: name(({ rule }) => rule),
  fault: name(({ fault }) => fault),
  limit: name(({ limit }) => limit),
  by: name(({ reason }) => reason.by, REASONS),
  outcome: name(({ outcome }) => outcome, OUTCOMES),
  unmatched,
  since: time((at, bound) => at >= bound),
  until: time((at, bound) => at <= bound),
  // The journal compares the endpoint and the key in its own way, above.
  ...Object.fromEntries(
    Object.entries(conditions)
      .filter(([field]) => field !== 'endpoint' && field !== 'key')
      .map(([field, condition]) => [field, fromWhen(field, condition)]),
  ),
  text,
}

/** JavaScript's own patterns: for filters that are written in code. */
const compileNative: PatternCompiler = (source, flags) => {
  const pattern = new RegExp(source, flags)
  return (value) => (pattern.test(value) ? {} : undefined)
}

/** One condition of a filter. */
export interface FilterCondition {
  readonly field: string
  readonly holds: Matcher
  /** What the call has, for messages. */
  readonly found: (subject: Subject) => string
  /** What the filter wants, for messages. */
  readonly needed: string
}

/** @throws FilterError when the value cannot be used. */
export function compileCondition(field: string, wanted: unknown, options: FilterOptions): FilterCondition {
  const { expected, accepts, words = [], compile, found, describe } = filterFields[field]!
  const values = toList(wanted)
  const bad = values.findIndex((value) => !accepts(value))
  if (values.length === 0 || bad >= 0) {
    const near = typeof values[bad] === 'string' ? didYouMean(values[bad], words) : ''
    const form = expected.replace(/(?:, or a list of them)?$/, ', or a list of them')
    throw new FilterError(`Filter '${field}': expected ${form}, got ${describeValue(values[bad])}.${near}`)
  }
  const needed = describe === undefined ? describeAll(values) : describe(wanted)
  try {
    return { field, holds: compile(values, { compilePattern: compileNative, ...options }), found, needed }
  } catch (error) {
    const pattern = values.find((value) => typeof value === 'string' && patternParts(value) !== undefined)
    throw new FilterError(`Filter '${field}': the pattern ${pattern} is invalid: ${(error as Error).message}`)
  }
}
