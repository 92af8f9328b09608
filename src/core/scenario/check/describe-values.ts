/** Values and differences in messages: short, on one line, and as a reader would write them. */

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

// Messages go to terminals and logs.
function oneLine(text: string): string {
  const line = text.slice(0, MAX_LENGTH * 4).replace(/\p{Cc}+/gu, ' ')
  return line.length > MAX_LENGTH || text.length > MAX_LENGTH * 4 ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
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
  const shown = differences
    .slice(0, MAX_SHOWN)
    .map((one) => one.explanation ?? `expected ${one.field} ${one.needed}, got ${one.found}`)
  const more = differences.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more difference${more === 1 ? '' : 's'}`] : [])].join('; ')
}
