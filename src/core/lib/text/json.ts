/** Values of unknown shape, as JSON and scenarios hold them. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True if a field counts as absent: the service treats `null` like a field that was not sent. */
export const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The objects in an array; none if the value is not an array. */
export const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The index after the closing quote of the string that opens at `start` in a JSON text; -1 if it is not closed. */
export function findStringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
  return -1
}

/**
 * Converts a value of a request as String() would, but never calls a `toString` of the request's own, which may throw.
 */
export const toText = (value: unknown): string =>
  (Array.isArray(value) ? value : [value])
    .map((item) => (typeof item === 'object' && item !== null ? '[object Object]' : String(item)))
    .join(',')

/** A setting that may be one value or a list, as a list: `1` and `[1]` give `[1]`, undefined gives `[]`. */
export const toList = <Value>(value: Value): readonly ItemOf<Value>[] =>
  value === undefined ? [] : ([value].flat() as ItemOf<Value>[])

type ItemOf<Value> = Value extends readonly (infer One)[] ? One : Exclude<Value, undefined>
