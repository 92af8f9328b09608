/** Compares two text conditions: whether one matches every text of the other. */
import { patternParts } from '../../compile/pattern-text.ts'

// Patterns that match every text.
const MATCHES_ALL = /^(?:\^|\$|\^?(?:\.\*\??|\((?:\?<\w+>)?\.\*\)|\[\\s\\S\]\*)|\.\*\$)$/
const PLAIN = /^[\w ,;:'"%&@#!~=<>-]+$/

/** Whether `wide` matches every text that `narrow` matches; false if that is unknown. */
export function coversText(wide: string, narrow: string): boolean {
  if (wide === narrow || matchesAllTexts(wide)) return true
  if (patternParts(wide) !== undefined) return false
  const word = wordOf(narrow)
  return word?.toLowerCase().includes(wide.toLowerCase()) === true
}

/** Whether a condition holds for every text, including the empty text. */
export function matchesAllTexts(wanted: string): boolean {
  const parts = patternParts(wanted)
  return parts !== undefined && MATCHES_ALL.test(parts.source)
}

const TRAIT_LENGTH = 3
/** Of a long text, the first parts say enough. */
const MAX_TRAITS = 100

/**
 * The traits of each text that `wide` covers: its parts of three characters, or the pattern that it is. Undefined for a
 * shorter text, and for a pattern that matches every text.
 */
export function findTraitsToCover(wide: string): readonly string[] | undefined {
  if (patternParts(wide) !== undefined) return matchesAllTexts(wide) ? undefined : [traitOfPattern(wide)]
  const traits = partsOf(wide.toLowerCase(), MAX_TRAITS)
  return traits.length === 0 ? undefined : traits
}

/** All traits of a condition on a text. */
export function listTextTraits(narrow: string): readonly string[] {
  const parts = partsOf(wordOf(narrow)?.toLowerCase() ?? '')
  return patternParts(narrow) === undefined ? parts : [traitOfPattern(narrow), ...parts]
}

/** Longer than any part. */
const traitOfPattern = (pattern: string): string => `pattern ${pattern}`

const partsOf = (text: string, max = Number.POSITIVE_INFINITY): string[] =>
  Array.from({ length: Math.min(max, Math.max(0, text.length - TRAIT_LENGTH + 1)) }, (_, start) =>
    text.slice(start, start + TRAIT_LENGTH),
  )

/** A text that occurs in every match of a condition; undefined for a pattern with more than plain characters. */
function wordOf(wanted: string): string | undefined {
  const parts = patternParts(wanted)
  if (parts === undefined) return wanted
  // A case-insensitive pattern also matches letters with another lower case, such as the long s.
  if (parts.flags.includes('i')) return undefined
  const word = parts.source.replace(/^\^/, '').replace(/\$$/, '')
  return PLAIN.test(word) ? word : undefined
}
