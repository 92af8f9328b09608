/**
 * The first `length` characters of a text, copied. A `slice` would keep the whole text in memory: a journal of a thousand
 * short names would keep a thousand bodies.
 */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text.slice(0, length)).join('')
}
