/**
 * The kinds of options that commands have, and how their texts become values:
 *
 *     const options = { port: text('TCP port', wholeNumber(0, 65_535), '4010'), quiet: flag('No log') }
 *
 * reads `--port 8080` as `{ port: 8080, quiet: false }`. The first functions make the kinds: `text`, `required`, `oneOf`,
 * `words`, `flag`, `list`, `listOf`. The others parse one text: `checked`, `nonEmpty`, `number`, `wholeNumber`, `shortTime`.
 */
import { didYouMean } from '../core/lib/text/did-you-mean.ts'
import { parseDuration, WINDOWS } from '../core/lib/text/duration.ts'
import { shorten } from '../core/lib/text/wording.ts'
import { findIgnoreProblem } from '../core/scenario/compile/ignore.ts'
import { UsageError } from './usage-error.ts'

export interface Option<Value> {
  readonly summary: string
  readonly type: 'string' | 'boolean'
  readonly isRequired?: true
  /** False if it has no environment variable, because another command has an option of this name with another meaning. */
  readonly hasVariable?: false
  /** The only word after the command that takes this option: `apply` of `fleet apply`. Default: any. */
  readonly action?: string
  /** True if it may be given several times. Its environment variable has a value on each line. */
  readonly isList?: true
  /** Used when the option is not given. Shown in help. */
  readonly default?: string
  /**
   * Turns the texts of the option, one for each time it was given, into its value.
   * @throws UsageError when a text is not allowed.
   */
  read(texts: readonly string[], name: string): Value
}

/** biome-ignore lint/suspicious/noExplicitAny: a table holds options of every type. */
export type Options = Readonly<Record<string, Option<any>>>

/** The values that a table of options is read into. */
export type ValuesOf<Table extends Options> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never
}

/** Turns one text into a value. @throws UsageError when it is not allowed. */
type Parse<Value> = (text: string, name: string) => Value

/** An option with one value. Given twice, the last one counts. @param preset the text that counts if none is given. */
export function text<Value>(summary: string, parse: Parse<Value>, preset: string): Option<Value>
export function text<Value>(summary: string, parse: Parse<Value>): Option<Value | undefined>
export function text<Value>(summary: string, parse: Parse<Value>, preset?: string): Option<Value | undefined> {
  return {
    summary,
    type: 'string',
    ...(preset !== undefined && { default: preset }),
    read(texts, name) {
      const last = texts.at(-1)
      return last === undefined ? undefined : parse(last, name)
    },
  }
}

/** An option that must be given. */
export const required = <Value>(summary: string, parse: Parse<Value>): Option<Value> => ({
  summary,
  type: 'string',
  isRequired: true,
  read: (texts, name) => parse(texts.at(-1) ?? '', name),
})

/** An option whose value is one of a few words. */
export function oneOf<const Word extends string>(
  summary: string,
  choices: readonly Word[],
  preset: NoInfer<Word>,
): Option<Word> {
  return text(`${summary}: ${choices.join(', ')}`, (given, name) => findWord(given, name, choices), preset)
}

/** An option whose values are some of a few words, separated by commas. Default: all. */
export const words = <const Word extends string>(
  summary: string,
  choices: readonly Word[],
): Option<readonly Word[]> => ({
  summary: `${summary}: ${choices.join(', ')}`,
  type: 'string',
  read: (texts, name) => {
    if (texts.length === 0) return choices
    return texts.flatMap((each) => each.split(',')).map((word) => findWord(word.trim(), name, choices))
  },
})

/** The word among the choices. @throws UsageError for another one, with the choice that may be meant. */
export function findWord<Word extends string>(given: string, name: string, choices: readonly Word[]): Word {
  const word = choices.find((choice) => choice === given)
  if (word !== undefined) return word
  const { message } = wrongValue(name, choices.join(', '), given)
  throw new UsageError(message + didYouMean(given, choices))
}

/** An option without a value: true if it is given. */
export const flag = (summary: string): Option<boolean> => ({
  summary,
  type: 'boolean',
  read: (texts) => texts.at(-1) === 'true',
})

/** An option that may be given several times. */
export const list = <Value>(summary: string, parse: Parse<Value>): Option<readonly Value[]> => ({
  summary,
  type: 'string',
  isList: true,
  read: (texts, name) => texts.map((each) => parse(each, name)),
})

/** An option that may be given several times, each time with one of a few words. */
export const listOf = <const Word extends string>(
  summary: string,
  choices: readonly Word[],
  preset: NoInfer<Word>,
): Option<readonly Word[]> => ({
  ...list(`${summary}: ${choices.join(', ')}; can be repeated`, (given, name) => findWord(given, name, choices)),
  default: preset,
})

/** The error for a value that an option does not allow. */
export const wrongValue = (name: string, expected: string, given: string): UsageError =>
  new UsageError(`--${name}: expected ${expected}, got ${given === '' ? 'nothing' : `'${shorten(given)}'`}.`)

/** A text that `isAllowed` accepts. @param expected the words for such a text in the message; here and below. */
export function checked(expected: string, isAllowed: (given: string) => boolean): Parse<string> {
  return (given, name) => {
    if (isAllowed(given)) return given
    throw wrongValue(name, expected, given)
  }
}

export const nonEmpty = (expected: string): Parse<string> => checked(expected, (given) => given !== '')

/** A part of requests that is ignored: a path or a pattern. */
export function ignoredPart(given: string, name: string): string {
  const problem = findIgnoreProblem([given])
  if (problem === undefined) return given
  throw wrongValue(name, problem.expected, given)
}

/**
 * A decimal number without sign or exponent that `isAllowed` accepts.
 * @param expected a function, so that its words are made only when a message needs them.
 */
export function number(expected: () => string, isAllowed: (value: number) => boolean): Parse<number> {
  return (given, name) => {
    const value = Number(given)
    if (/^\d+(?:\.\d+)?$/.test(given) && isAllowed(value)) return value
    throw wrongValue(name, expected(), given)
  }
}

/** A whole number from `from` to `to`. */
export function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER): Parse<number> {
  const expected = `a whole number from ${from}${to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`}`
  return number(
    () => expected,
    (value) => Number.isInteger(value) && value >= from && value <= to,
  )
}

/** The value of `--scenario`. */
export const scenarioName = nonEmpty('the name of a built-in scenario or a file')

/** A duration from 1 ms to a day, in milliseconds. */
export function shortTime(given: string, name: string): number {
  const ms = parseDuration(given)
  if (ms !== undefined && ms >= 1 && ms <= WINDOWS.day) return ms
  throw wrongValue(name, 'a duration such as 30s or 2m (from 1ms to a day)', given)
}
