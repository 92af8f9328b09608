/**
 * Texts for values and differences in messages: short, on one line, and as a scenario would write them.
 *
 *   expected user /weather/, got 'Hello'; expected turn 2, got 1
 */

import { countOf } from '../../lib/text/wording.ts'

const MAX_LENGTH = 60

/** A text in quotes. */
export const quoted = (text: string): string => `'${oneLine(text)}'`

/** `'Hello'`, `/weather/i`, `2`, `{"type":"text"}`; `none` for undefined. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'string') return /^\/.+\/[a-z]*$/s.test(value) ? oneLine(value) : quoted(value)
  if (value instanceof RegExp) return oneLine(String(value))
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** `'rain', 'snow' or /sun/i`; `none` for an empty list. */
export function describeAll(values: readonly unknown[]): string {
  const all = values.map(describeValue)
  if (all.length === 0) return 'none'
  return all.length < 3 ? all.join(' or ') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

/** `user 'rain', turn 2`: fields with what they want; '' for none. */
export const describeFields = (fields: object = {}): string =>
  Object.entries(fields)
    .filter(([, wanted]) => wanted !== undefined)
    .map(([name, wanted]) => `${name} ${describeAll([wanted].flat())}`)
    .join(', ')

/** Bounds the time for a long text: control characters after it are not looked at. */
const MAX_READ_LENGTH = MAX_LENGTH * 4

/** Shortens a text, and replaces control characters: messages go to terminals and logs. */
function oneLine(text: string): string {
  const line = text.slice(0, MAX_READ_LENGTH).replace(/\p{Cc}+/gu, ' ')
  const isLong = line.length > MAX_LENGTH || text.length > MAX_READ_LENGTH
  return isLong ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
}

/** One condition that does not hold. */
export interface Difference {
  /** The condition: `user`. */
  readonly field: string
  /** The call's value, for messages: `'Hello'`. */
  readonly found: string
  /** The value that the condition needs: `/weather/`. */
  readonly needed: string
  /** Says what is missing when it is more than a condition that fails; replaces the other texts in messages. */
  readonly explanation?: string
}

const MAX_SHOWN = 4

/** `expected user /weather/, got 'Hello'; expected turn 2, got 1` */
export function differencesText(differences: readonly Difference[]): string {
  const texts = differences
    .slice(0, MAX_SHOWN)
    .map(({ field, needed, found, explanation }) => explanation ?? `expected ${field} ${needed}, got ${found}`)
  const more = differences.length - texts.length
  if (more > 0) texts.push(countOf(more, 'more difference'))
  return texts.join('; ')
}
