/**
 * Refuses options that a function of the package does not have, and values that an option cannot have: none is ignored.
 *
 *     listen(mock, { prot: 4010 })
 *     MockError: Unknown option 'prot'. Did you mean 'port'? The options of listen are: port, host, ...
 */

import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { isObject } from '../../lib/text/json.ts'
import { truncate } from '../../lib/text/wording.ts'
import { MockError } from './mock-error.ts'

/** The rule for the value of an option. */
export interface OptionCheck {
  /** As messages say it: `a whole number from 1`. */
  readonly expected: string
  readonly isValid: (value: unknown) => boolean
  /** Words that are valid, to suggest the nearest of them. */
  readonly words?: readonly string[]
}

/** Every option of a function; `true` for one that the function checks itself. */
export type OptionChecks<Options> = Readonly<Record<keyof Options, OptionCheck | true>>

/**
 * Checks the options of a function.
 * @param hint ends the message about an unknown option.
 * @throws MockError `unknown-option` with the nearest name; `invalid-option` for a value of a wrong type or range, and
 * for options that are not an object.
 * @example checkOptions<ListenOptions>('listen', options, { port: wholeNumber(0, 65_535), host: TEXT })
 */
export function checkOptions<Options extends object>(
  functionName: string,
  options: Options,
  checks: OptionChecks<Options>,
  hint = '',
): void {
  checkObject(functionName, 'the options', options)
  const names = Object.keys(checks)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) {
      const all = `The options of ${functionName} are: ${names.join(', ')}.`
      throw new MockError('unknown-option', `Unknown option '${name}'.${didYouMean(name, names)} ${all}${hint}`)
    }
    const check = checks[name as keyof Options]
    if (value === undefined || check === true || check.isValid(value)) continue
    throw invalidOption(functionName, name, check.expected, value, check)
  }
}

/** @throws MockError `invalid-option` when the value is not an object. */
export function checkObject(functionName: string, name: string, value: unknown): void {
  if (!isObject(value)) throw invalidOption(functionName, name, 'an object', value)
}

/** The error of a wrong value: `createMock: expected bodyLimit to be a whole number from 1, got -1.` */
export function invalidOption(
  functionName: string,
  name: string,
  expected: string,
  value: unknown,
  { words = [], reason }: { readonly words?: readonly string[]; readonly reason?: string } = {},
): MockError {
  const near = typeof value === 'string' ? didYouMean(value, words) : ''
  const got = describeGiven(value) + (reason === undefined ? '' : ` (${reason})`)
  return new MockError('invalid-option', `${functionName}: expected ${name} to be ${expected}, got ${got}.${near}`)
}

/** A value as messages show it: `'soon'`, `5`, `null`, `a list`, `an object`. */
export function describeGiven(value: unknown): string {
  if (typeof value === 'string') return `'${truncate(value, 100)}'`
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

export const wholeNumber = (from: number, to?: number): OptionCheck => ({
  expected: `a whole number from ${from}${to === undefined ? '' : ` to ${to}`}`,
  isValid: (value) => Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= (to ?? Infinity),
})

export const TEXT: OptionCheck = { expected: 'a text', isValid: (value) => typeof value === 'string' }

export const oneOf = (...words: readonly string[]): OptionCheck => ({
  expected: words.map((word) => `'${word}'`).join(' or '),
  isValid: (value) => words.includes(value as string),
  words,
})
