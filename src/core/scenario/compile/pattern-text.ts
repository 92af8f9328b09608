/** Patterns as they are written, `/like this/i`. Apart from the engine, so that a scenario without patterns never loads it. */

/** A compiled pattern: the named groups of the first match, or undefined. */
type Pattern = (text: string) => Readonly<Record<string, string>> | undefined

/** Compiles `source` with the flags i, m and s (u is always on); throws with the reason when it can't. */
export type PatternCompiler = (source: string, flags: string) => Pattern

const DELIMITED = /^\/(.+)\/([a-z]*)$/s

/** The source and flags of text written as a pattern, `/like this/i`; undefined for plain text. */
export function patternParts(text: string): { source: string; flags: string } | undefined {
  const match = DELIMITED.exec(text)
  return match === null ? undefined : { source: match[1]!, flags: match[2]! }
}

/**
 * A RegExp, or those in a list, as the text that a file would have. The flags g, y and d are dropped: they say where to
 * go on after a match, which no condition asks.
 */
export function patternsToText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(patternsToText)
  return value instanceof RegExp ? `/${value.source}/${value.flags.replace(/[dgy]/g, '')}` : value
}
