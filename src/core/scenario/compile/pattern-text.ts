/** Patterns as text, `/like this/i`. Separate from the engine, which only scenarios with patterns load. */

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
 * Replaces each RegExp by its text as in a file. The flags g, y and d are dropped, because conditions search only once.
 */
export function patternsToText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(patternsToText)
  return value instanceof RegExp ? `/${value.source}/${value.flags.replace(/[dgy]/g, '')}` : value
}
