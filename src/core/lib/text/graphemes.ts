/**
 * Finds where a text may be cut without splitting what a reader sees as one character: `ae\u0301` (an e with an accent) may be cut
 * after the a, but not before the accent.
 *
 * It has its own rules, because the tables of Intl.Segmenter change with every Unicode version and the same call must be
 * cut in the same places on every Node and in every browser. The rules are stricter than Unicode's grapheme clusters
 * (UAX #29): there is no cut next to a joiner, mark, modifier, flag letter or conjoining Hangul letter.
 */

import { isHighSurrogate } from './bytes.ts'

// Belongs to the character before it: marks, format characters (joiners, tags), emoji modifiers, flag letters,
// conjoining Hangul, Thai and Lao AM.
const JOINS_PREVIOUS =
  /[\p{M}\p{Cf}]|[\u{1F3FB}-\u{1F3FF}\u{1F1E6}-\u{1F1FF}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF\u0E33\u0EB3]/u
// Belongs to the character after it: format characters, marks that may be viramas, flag letters, conjoining Hangul,
// and the letters that Unicode prepends to the next one.
const JOINS_NEXT =
  /[\p{Cf}\p{M}]|[\u{1F1E6}-\u{1F1FF}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF\u0D4E\u{111C2}\u{111C3}\u{1193F}\u{11941}\u{11A3A}\u{11A84}-\u{11A89}\u{11D46}\u{11F02}]/u

/** True if `text` may be cut at `index` (a UTF-16 offset); its two ends always may. */
export function mayCut(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  // The common case, plain ASCII on both sides: only CR LF stays together.
  if (before < 0x80 && after < 0x80) return !(before === 0x0d && after === 0x0a)
  if (isHighSurrogate(before) && isLowSurrogate(after)) return false
  const isPair = isLowSurrogate(before) && index >= 2 && isHighSurrogate(text.charCodeAt(index - 2))
  const previous = text.slice(isPair ? index - 2 : index - 1, index)
  return !JOINS_PREVIOUS.test(String.fromCodePoint(text.codePointAt(index)!)) && !JOINS_NEXT.test(previous)
}

/** The longest character that is kept whole, in code units. No writing has one, and looking further back could take seconds. */
const MAX_CHARACTER_LENGTH = 1000

/** The last index, at most `index`, at which `text` may be cut. */
export function lastCut(text: string, index: number): number {
  const last = Math.max(0, Math.min(index, text.length))
  const first = Math.max(0, last - MAX_CHARACTER_LENGTH)
  let cut = last
  while (cut > first && !mayCut(text, cut)) cut--
  if (cut > first || mayCut(text, cut)) return cut
  // A character that is too long is cut anywhere but inside of a surrogate pair.
  return isHighSurrogate(text.charCodeAt(last - 1)) ? last - 1 : last
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
