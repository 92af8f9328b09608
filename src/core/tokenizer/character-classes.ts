/** The classes of characters that the patterns of the encodings ask for, as bits. A character has one or several. */

/** `\p{L}` */
export const LETTER = 1
/** `\p{N}` */
export const NUMBER = 2
/** `\s` */
export const SPACE = 4
/** `[^\s\p{L}\p{N}]` */
export const SIGN = 8
/** `[^\r\n\p{L}\p{N}]`: may come before the letters of a word. */
export const PREFIX = 16
/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` */
export const UPPER = 32
/** `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` */
export const LOWER = 64

const PATTERNS: readonly (readonly [number, RegExp])[] = [
  [LETTER, /\p{L}/u],
  [NUMBER, /\p{N}/u],
  [SPACE, /\s/u],
  [SIGN, /[^\s\p{L}\p{N}]/u],
  [PREFIX, /[^\r\n\p{L}\p{N}]/u],
  [UPPER, /[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]/u],
  [LOWER, /[\p{Ll}\p{Lm}\p{Lo}\p{M}]/u],
]

/** By code point, found when one is first seen. Pages that are never touched take no memory. */
const known = new Uint8Array(0x110000)

/** The classes of a character. */
export function classesOf(codePoint: number): number {
  return known[codePoint] || classify(codePoint)
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  const bits = PATTERNS.reduce((sum, [bit, pattern]) => (pattern.test(character) ? sum | bit : sum), 0)
  known[codePoint] = bits
  return bits
}
