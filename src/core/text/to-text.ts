/** Values of requests in texts. */

/**
 * A value of a request as JavaScript would write it in a text. An object can't have a say in that: one with a `toString`
 * of its own would be called, or can't be written at all.
 */
export function toText(value: unknown): string {
  const one = (item: unknown): string => (typeof item === 'object' && item !== null ? '[object Object]' : String(item))
  return Array.isArray(value) ? value.map(one).join(',') : one(value)
}
