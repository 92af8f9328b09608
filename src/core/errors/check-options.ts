/** Refuses options that a function does not have, so that a misspelt one is never ignored. */

import { didYouMean } from '../text/did-you-mean.ts'
import { MockError } from './mock-error.ts'

/**
 * @param known every option of the function, each with `true`.
 * @throws MockError `unknown-option` with the nearest name.
 * @example checkOptions<ListenOptions>('listen', options, { port: true, host: true })
 */
export function checkOptions<Options extends object>(
  functionName: string,
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const names = Object.keys(known)
    const all = `The options of ${functionName} are: ${names.join(', ')}.`
    throw new MockError('unknown-option', `Unknown option '${name}'.${didYouMean(name, names)} ${all}`)
  }
}
