/** Converts values of requests to text. */

/**
 * Converts a value of a request as String() would, but never calls a `toString` of the request's own, which may throw.
 */
export function toText(value: unknown): string {
  const one = (item: unknown): string => (typeof item === 'object' && item !== null ? '[object Object]' : String(item))
  return Array.isArray(value) ? value.map(one).join(',') : one(value)
}
