/** Values in messages: short, on one line, and as a reader would write them. */

const MAX_LENGTH = 60

/** A text in quotes. */
export const quoted = (text: string): string => `'${oneLine(text)}'`

/** `'Hello'`, `/weather/i`, `2`, `{"type":"text"}`; `none` for undefined. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'string') return isPattern(value) ? oneLine(value) : quoted(value)
  if (value instanceof RegExp) return oneLine(String(value))
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** `'rain', 'snow' or /sun/i`; `none` for an empty list. */
export function describeAll(values: readonly unknown[]): string {
  const all = values.map(describeValue)
  if (all.length === 0) return 'none'
  return all.length < 3 ? all.join(' or ') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

const isPattern = (text: string): boolean => /^\/.+\/[a-z]*$/s.test(text)

// Messages go to terminals and logs.
function oneLine(text: string): string {
  const line = text.slice(0, MAX_LENGTH * 4).replace(/\p{Cc}+/gu, ' ')
  return line.length > MAX_LENGTH || text.length > MAX_LENGTH * 4 ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
}
