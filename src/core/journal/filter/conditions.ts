/** The conditions of a filter: how each value is read, what it is compared with, and what messages show. */

import { MockError } from '../../errors/mock-error.ts'
import { REASONS } from '../../plan/plan.ts'
import { ENDPOINT_NAMES } from '../../request/endpoints.ts'
import { matchesGlob } from '../../scenario/compile/glob.ts'
import { type PatternCompiler, patternParts } from '../../scenario/compile/pattern-text.ts'
import { conditions } from '../../scenario/conditions/catalogue.ts'
import type { Condition } from '../../scenario/conditions/condition.ts'
import { buildFacts, type Facts } from '../../scenario/conditions/facts.ts'
import { compileTexts } from '../../scenario/conditions/kinds/text.ts'
import { describeAll, describeValue } from '../../scenario/diagnostics/describe.ts'
import { callerOf } from '../../state/session.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import { parseDuration } from '../../text/duration.ts'
import { toList } from '../../text/to-list.ts'
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

/** One condition of a filter. */
export interface FilterCondition {
  readonly field: string
  readonly holds: (subject: Subject) => boolean
  /** What the call has, for messages. */
  readonly found: (subject: Subject) => string
  /** What the filter wants, for messages. */
  readonly needed: string
}

interface FilterField {
  readonly compile: (field: string, wanted: unknown, options: FilterOptions) => FilterCondition
  /** A value from a query. Default: the text itself. */
  readonly parse?: (text: string) => unknown
}

const ROUTED_ENDPOINTS = [...ENDPOINT_NAMES, 'unknown']

/** A condition of `when`, for what the call asked. */
const fromWhen = (condition: Condition): FilterField => ({
  parse: condition.parse,
  compile: (field, wanted, { compilePattern = compileNative }) => {
    readList(field, wanted, condition.accepts, condition.expected)
    const match = compiling(field, wanted, () => condition.compile(wanted, compilePattern))
    return {
      field,
      holds: (subject) => match(subject.facts) !== undefined,
      found: (subject) => condition.describeFound(subject.facts),
      needed: condition.describeWanted(wanted),
    }
  },
})

/** A name of the entry; `*` stands for any characters. */
const name = (read: (entry: JournalEntry) => string | undefined, known?: readonly string[]): FilterField => ({
  compile: (field, wanted) => {
    const globs = readList(field, wanted, isText, known?.join(', ') ?? 'a name') as string[]
    const unknown = known && globs.find((glob) => !known.includes(glob))
    if (unknown !== undefined) refuse(field, unknown, known!.join(', '), didYouMean(unknown, known!))
    return {
      field,
      holds: ({ entry }) => globs.some((glob) => matchesGlob(glob, read(entry) ?? '')),
      found: ({ entry }) => describeValue(read(entry)),
      needed: describeAll(globs),
    }
  },
})

const STATUS = "a status such as 429, a class such as '4xx', or 0 for no answer"
const status: FilterField = {
  compile: (field, wanted) => {
    const all = readList(field, wanted, (one) => /^(?:0|[1-5](?:xx|\d\d))$/.test(String(one)), STATUS)
    const texts = all.map(String)
    return {
      field,
      holds: ({ entry }) => texts.some((one) => one === `${entry.status}` || one === `${`${entry.status}`[0]}xx`),
      found: ({ entry }) => String(entry.status),
      needed: describeAll(all),
    }
  },
}

const key: FilterField = {
  compile: (field, wanted) => {
    const keys = readList(field, wanted, isText, 'a key, whole or as the journal shows it') as string[]
    const callers = keys.map(callerOf)
    return {
      field,
      // Two masked keys can look the same, so a key that is given whole is compared whole.
      holds: ({ entry }) =>
        callers.includes(entry.caller) || keys.some((one) => one.includes('**') && one === entry.key),
      found: ({ entry }) => describeAll(entry.key === '' ? [] : [entry.key]),
      needed: conditions.key!.describeWanted(wanted),
    }
  },
}

const text: FilterField = {
  compile: (field, wanted, { compilePattern = compileNative }) => {
    const { accepts, expected } = conditions.user!
    const all = readList(field, wanted, accepts, expected) as string[]
    const test = compiling(field, wanted, () => compileTexts(all, compilePattern))
    const sent = ({ timeline = [] }: JournalEntry): string =>
      timeline.map((step) => (step.type === 'send' ? step.data : '')).join('')
    return {
      field,
      holds: ({ entry }) =>
        (entry.body !== undefined && test(JSON.stringify(entry.body)) !== undefined) ||
        (entry.timeline !== undefined && test(sent(entry)) !== undefined),
      found: () => 'other texts in the request and the answer',
      needed: describeAll(all),
    }
  },
}

const unmatched: FilterField = {
  parse: (value) => conditions.stream!.parse(value),
  compile: (field, wanted) => {
    if (typeof wanted !== 'boolean') refuse(field, wanted, 'true or false')
    return {
      field,
      holds: ({ entry }) => entry.unmatched === wanted,
      found: ({ entry }) => String(entry.unmatched),
      needed: String(wanted),
    }
  },
}

const TIME = "milliseconds of the mock's clock, or a duration such as 5s for so long ago"
const time = (isWithin: (at: number, bound: number) => boolean): FilterField => ({
  parse: (value) => (/^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value),
  compile: (field, wanted, { now }) => {
    const agoMs = typeof wanted === 'string' ? parseDuration(wanted) : undefined
    const bound = agoMs === undefined ? wanted : now - agoMs
    if (typeof bound !== 'number' || !Number.isFinite(bound)) refuse(field, wanted, TIME)
    return {
      field,
      holds: ({ entry }) => isWithin(entry.at, bound as number),
      found: ({ entry }) => String(Math.round(entry.at)),
      needed: describeValue(wanted),
    }
  },
})

/** Every field of a filter by its name. Those that cost least to compare come first. */
export const filterFields: Readonly<Record<string, FilterField>> = {
  endpoint: name(({ endpoint }) => endpoint, ROUTED_ENDPOINTS),
  method: name(({ method }) => method),
  path: name(({ path }) => path),
  key,
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
      .map(([field, condition]) => [field, fromWhen(condition)]),
  ),
  text,
}

/** JavaScript's own patterns: for filters that are written in code. */
const compileNative: PatternCompiler = (source, flags) => {
  const pattern = new RegExp(source, flags)
  return (value) => (pattern.test(value) ? {} : undefined)
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** A value or a list of values, each checked. */
function readList(
  field: string,
  wanted: unknown,
  isGood: (one: unknown) => boolean,
  expected: string,
): readonly unknown[] {
  const all = toList(wanted)
  const bad = all.findIndex((one) => !isGood(one))
  if (all.length === 0 || bad >= 0)
    refuse(field, all[bad], expected.replace(/(?:, or a list of them)?$/, ', or a list of them'))
  return all
}

/** Turns the error of a pattern engine into a problem of the filter. */
function compiling<Value>(field: string, wanted: unknown, compile: () => Value): Value {
  try {
    return compile()
  } catch (error) {
    const pattern = toList(wanted).find((one) => typeof one === 'string' && patternParts(one) !== undefined)
    throw new FilterError(`Filter '${field}': the pattern ${pattern} has ${(error as Error).message}`)
  }
}

function refuse(field: string, found: unknown, expected: string, near = ''): never {
  throw new FilterError(`Filter '${field}': expected ${expected}, got ${describeValue(found)}.${near}`)
}
