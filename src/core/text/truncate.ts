/**
 * The first characters of a text, as a text of its own. What `slice` gives holds on to the whole: a journal of a
 * thousand short names would keep a thousand bodies in memory.
 */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text.slice(0, length)).join('')
}
