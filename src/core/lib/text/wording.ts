/** Texts as messages show them: counted (`2 retries`), listed (`'a' and 'b'`), shortened, escaped. */

/** A count and its noun: `1 call`, `2 calls`, `3 retries`. */
export function countOf(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}

/** Names as the service lists them in its errors: `'a', 'b', and 'c'`. */
export function quotedList(names: readonly string[], conjunction: 'and' | 'or'): string {
  const quoted = names.map((name) => `'${name}'`)
  if (quoted.length < 3) return quoted.join(` ${conjunction} `)
  return `${quoted.slice(0, -1).join(', ')}, ${conjunction} ${quoted.at(-1)}`
}

const MAX_LENGTH = 100

/** Cuts a text of more than 100 characters, and marks the cut with three dots. */
export const shorten = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text)

/**
 * The first `length` characters of a text, copied. A `slice` would keep the whole text in memory: a journal of a thousand
 * short names would keep a thousand bodies.
 */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text.slice(0, length)).join('')
}

// C0, DEL, C1, line and paragraph separators, and everything that changes the direction of text.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Writes characters that a terminal or an editor obeys instead of showing, as `\\u001b`. In compact JSON they occur in strings
 * only, where this is the same character.
 */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
