/** Conditions on text, compared without any text at hand. */
import { patternParts } from '../../compile/pattern-text.ts'

// A pattern that finds nothing, or anything, finds it in every text.
const MATCHES_ALL = /^(?:\^|\$|\^?(?:\.\*\??|\((?:\?<\w+>)?\.\*\)|\[\\s\\S\]\*)|\.\*\$)$/
const PLAIN = /^[\w ,;:'"%&@#!~=<>-]+$/

/** Whether every text that `narrow` matches is matched by `wide`; false where that can't be seen. */
export function coversText(wide: string, narrow: string): boolean {
  if (wide === narrow || matchesAllTexts(wide)) return true
  if (patternParts(wide) !== undefined) return false
  const word = wordOf(narrow)
  return word?.toLowerCase().includes(wide.toLowerCase()) === true
}

/** Whether a condition holds for every text, the empty one too. */
export function matchesAllTexts(wanted: string): boolean {
  const parts = patternParts(wanted)
  return parts !== undefined && MATCHES_ALL.test(parts.source)
}

/** Whether a condition needs a text that is not empty; false where that can't be seen. */
export const needsText = (wanted: string): boolean => patternParts(wanted) === undefined

/** What occurs in every text that a condition matches; undefined where it is a pattern with more than letters. */
function wordOf(wanted: string): string | undefined {
  const parts = patternParts(wanted)
  if (parts === undefined) return wanted
  // Where case does not matter a pattern also takes letters, such as the long s, that have another lower case.
  if (parts.flags.includes('i')) return undefined
  const word = parts.source.replace(/^\^/, '').replace(/\$$/, '')
  return PLAIN.test(word) ? word : undefined
}
