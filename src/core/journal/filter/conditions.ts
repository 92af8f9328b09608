/** The conditions of a filter: how each is read, what it looks at, and what it finds there. */

import { REASONS } from '../../plan/plan.ts'
import { ENDPOINT_NAMES } from '../../request/endpoints.ts'
import { readMessages } from '../../request/messages.ts'
import { readTools } from '../../request/tools.ts'
import { matchesGlob } from '../../scenario/compile/glob.ts'
import { type PatternCompiler, patternParts } from '../../scenario/compile/pattern-text.ts'
import { compileTexts, compileWhen, type Facts } from '../../scenario/compile/when.ts'
import { foundIn, quoted } from '../../scenario/diagnostics/differences.ts'
import { callerOf } from '../../state/session-store.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import { parseDuration } from '../../text/duration.ts'
import { type JournalEntry, OUTCOMES } from '../entry.ts'
import type { CallFilter } from './call-filter.ts'

/** A filter that can't be read: the message says what was found and what is allowed. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
}

/** How a filter is read. */
export interface FilterOptions {
  /** The time of the mock's clock, for `since: '5s'`. */
  readonly now: number
  /** Default: JavaScript's own patterns. Who takes filters from elsewhere gives an engine that can't be hung. */
  readonly compilePattern?: PatternCompiler
}

/** An entry that conditions look at; what its request says is read once, when first asked for. */
export class Subject {
  readonly entry: JournalEntry
  #facts: Facts | undefined

  constructor(entry: JournalEntry) {
    this.entry = entry
  }

  get facts(): Facts {
    const { endpoint, model, attempt, state, body = {} } = this.entry
    this.#facts ??= {
      endpoint,
      key: '',
      model,
      attempt,
      state,
      stream: body.stream === true,
      body,
      bodyText: undefined,
      tools: readTools(body).declared.map(({ name }) => name),
      ...readMessages(body),
    }
    return this.#facts
  }
}

/** One condition of a filter. */
export interface Condition {
  readonly field: string
  readonly wanted: unknown
  readonly holds: (subject: Subject) => boolean
  /** What the call has instead, as messages show it. */
  readonly found: (subject: Subject) => string
}

type Maker = (field: string, wanted: unknown, options: FilterOptions) => Condition

const ROUTED_ENDPOINTS = [...ENDPOINT_NAMES, 'unknown']

/** A value of the entry that is one of those wanted; `*` stands for any characters. */
function named(read: (entry: JournalEntry) => string | undefined, known?: readonly string[]): Maker {
  return (field, wanted) => {
    const names = listOf(field, wanted, (one) => typeof one === 'string', known?.join(', ') ?? 'a text') as string[]
    const unknown = known && names.find((name) => !known.includes(name))
    if (unknown !== undefined) refuse(field, unknown, known!.join(', '), didYouMean(unknown, known!))
    return {
      field,
      wanted,
      holds: ({ entry }) => names.some((name) => matchesGlob(name, read(entry) ?? '')),
      found: ({ entry }) => shown(read(entry)),
    }
  }
}

/** A condition of rules, on what the call asked. */
function asked(isGood: (one: unknown) => boolean, allowed: string): Maker {
  return (field, wanted, { compilePattern = compileNative }) => {
    listOf(field, wanted, isGood, allowed)
    const match = reading(field, wanted, () => compileWhen({ [field]: wanted }, compilePattern))
    return {
      field,
      wanted,
      holds: (subject) => match(subject.facts) !== undefined,
      found: (subject) => foundIn(subject.facts, field),
    }
  }
}

const TEXTS = 'a text that must occur, or a pattern /like this/i'
const texts = asked((one) => typeof one === 'string' && one !== '', TEXTS)
const names = asked((one) => typeof one === 'string' && one !== '', 'a name, in which * stands for any characters')
const numbers = asked((one) => Number.isInteger(one) && (one as number) >= 0, 'a whole number')

const STATUS = "a status such as 429, a class such as '4xx', or 0 for no answer"
const status: Maker = (field, wanted) => {
  const all = listOf(field, wanted, (one) => /^(?:0|[1-5](?:xx|\d\d))$/.test(String(one)), STATUS).map(String)
  return {
    field,
    wanted,
    holds: ({ entry }) => all.some((one) => one === String(entry.status) || one === `${String(entry.status)[0]}xx`),
    found: ({ entry }) => String(entry.status),
  }
}

const key: Maker = (field, wanted) => {
  const keys = listOf(
    field,
    wanted,
    (one) => typeof one === 'string',
    'a key, whole or as the journal shows it',
  ) as string[]
  const callers = keys.map(callerOf)
  return {
    field,
    wanted,
    // Two keys can look alike when they are shortened: one that is given whole is told apart.
    holds: ({ entry }) => callers.includes(entry.caller) || keys.some((one) => one.includes('**') && one === entry.key),
    found: ({ entry }) => (entry.key === '' ? 'not there' : quoted(entry.key)),
  }
}

const text: Maker = (field, wanted, { compilePattern = compileNative }) => {
  const all = listOf(field, wanted, (one) => typeof one === 'string' && one !== '', TEXTS) as string[]
  const test = reading(field, wanted, () => compileTexts(all, compilePattern))
  return {
    field,
    wanted,
    holds: ({ entry: { body, timeline } }) =>
      (body !== undefined && test(JSON.stringify(body)) !== undefined) ||
      (timeline !== undefined &&
        test(timeline.map((step) => (step.type === 'send' ? step.data : '')).join('')) !== undefined),
    found: () => 'not in the request or the answer',
  }
}

const flag =
  (read: (entry: JournalEntry) => boolean): Maker =>
  (field, wanted) => {
    if (typeof wanted !== 'boolean') refuse(field, wanted, 'true or false')
    return { field, wanted, holds: ({ entry }) => read(entry) === wanted, found: ({ entry }) => String(read(entry)) }
  }

const TIME = "milliseconds of the mock's clock, or so long ago: 5s"
function time(isWithin: (at: number, bound: number) => boolean): Maker {
  return (field, wanted, { now }) => {
    const agoMs = typeof wanted === 'string' ? parseDuration(wanted) : undefined
    const bound = agoMs === undefined ? wanted : now - agoMs
    if (typeof bound !== 'number' || !Number.isFinite(bound)) refuse(field, wanted, TIME)
    return {
      field,
      wanted,
      holds: ({ entry }) => isWithin(entry.at, bound as number),
      found: ({ entry }) => `at ${Math.round(entry.at)}`,
    }
  }
}

/** Every condition by its name, those that cost least to look at first. */
export const conditionMakers: Readonly<Record<keyof CallFilter, Maker>> = {
  endpoint: named(({ endpoint }) => endpoint, ROUTED_ENDPOINTS),
  method: named(({ method }) => method),
  path: named(({ path }) => path),
  key,
  status,
  rule: named(({ rule }) => rule),
  fault: named(({ fault }) => fault),
  limit: named(({ limit }) => limit),
  by: named(({ reason }) => reason.by, REASONS),
  outcome: named(({ outcome }) => outcome, OUTCOMES),
  unmatched: flag(({ unmatched }) => unmatched),
  since: time((at, bound) => at >= bound),
  until: time((at, bound) => at <= bound),
  state: named(({ state }) => state),
  stream: flag(({ body }) => body?.stream === true),
  attempt: numbers,
  model: names,
  turn: numbers,
  tool: names,
  user: texts,
  system: texts,
  toolResult: texts,
  text,
}

/** JavaScript's own patterns: for filters that are written in code. */
const compileNative: PatternCompiler = (source, flags) => {
  const pattern = new RegExp(source, flags)
  return (value) => (pattern.test(value) ? {} : undefined)
}

/** A value or a list of them, each looked at. */
function listOf(
  field: string,
  wanted: unknown,
  isGood: (one: unknown) => boolean,
  allowed: string,
): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
  const bad = all.findIndex((one) => !isGood(one))
  if (all.length === 0 || bad >= 0) refuse(field, all[bad], `${allowed}, or a list of these`)
  return all
}

/** What a pattern's engine has to say becomes the filter's own problem. */
function reading<Value>(field: string, wanted: unknown, compile: () => Value): Value {
  try {
    return compile()
  } catch (error) {
    const pattern = [wanted].flat().find((one) => typeof one === 'string' && patternParts(one) !== undefined)
    throw new FilterError(`Filter '${field}': found the pattern ${pattern} with ${(error as Error).message}`)
  }
}

function refuse(field: string, found: unknown, allowed: string, near = ''): never {
  throw new FilterError(`Filter '${field}': found ${shown(found)}, allowed is ${allowed}.${near}`)
}

const shown = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? quoted(value) : String(value)
}
