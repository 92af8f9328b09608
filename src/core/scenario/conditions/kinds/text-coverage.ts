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

/** A text that occurs in every match of a condition; undefined for a pattern with more than plain characters. */
function wordOf(wanted: string): string | undefined {
  const parts = patternParts(wanted)
  if (parts === undefined) return wanted
  // A case-insensitive pattern also matches letters with another lower case, such as the long s.
  if (parts.flags.includes('i')) return undefined
  const word = parts.source.replace(/^\^/, '').replace(/\$$/, '')
  return PLAIN.test(word) ? word : undefined
}
