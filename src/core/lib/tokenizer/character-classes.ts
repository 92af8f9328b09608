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

/** The second pattern is the first one for ASCII: most texts have no other characters, and `\p` takes milliseconds to compile. */
const PATTERNS: readonly (readonly [bit: number, pattern: RegExp, ascii: RegExp])[] = [
  [LETTER, /\p{L}/u, /[A-Za-z]/],
  [NUMBER, /\p{N}/u, /\d/],
  [SPACE, /\s/u, /\s/],
  [SIGN, /[^\s\p{L}\p{N}]/u, /[^\sA-Za-z\d]/],
  [PREFIX, /[^\r\n\p{L}\p{N}]/u, /[^\r\nA-Za-z\d]/],
  [UPPER, /[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]/u, /[A-Z]/],
  [LOWER, /[\p{Ll}\p{Lm}\p{Lo}\p{M}]/u, /[a-z]/],
]

/** By code point, found when one is first seen. Pages that are never touched take no memory. */
const known = new Uint8Array(0x110000)

/** The classes of a character. */
export function classesOf(codePoint: number): number {
  return known[codePoint] || classify(codePoint)
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  let bits = 0
  for (const [bit, pattern, ascii] of PATTERNS) {
    if ((codePoint < 0x80 ? ascii : pattern).test(character)) bits |= bit
  }
  known[codePoint] = bits
  return bits
}
