/** The named characters and classes of regular expressions. */

/** Code points from `from` to `to`, both included. */
export type CharacterRange = readonly [from: number, to: number]

/** `azAZ` -> the ranges a to z and A to Z. */
const ranges = (ends: string): readonly CharacterRange[] =>
  [...ends.matchAll(/(.)(.)/gsu)].map(([, from, to]) => [from!.codePointAt(0)!, to!.codePointAt(0)!])

const DIGITS = ranges('09')
const LETTERS = ranges('azAZ')
/** `\\d`, `\\w` and `\\s`. */
export const CLASSES: Readonly<Record<string, readonly CharacterRange[]>> = {
  d: DIGITS,
  w: ranges('09AZ__az'),
  s: ranges('  \t\r'),
}
export const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }
// Enough of each Unicode class to write readable texts; matching uses the whole class.
export const PROPERTIES: Readonly<Record<string, readonly CharacterRange[]>> = {
  L: LETTERS,
  Lu: ranges('AZ'),
  Ll: ranges('az'),
  N: DIGITS,
  Nd: DIGITS,
  P: ranges('!#%*,/:;?@'),
  S: ranges('$$++<>||'),
  Z: ranges('  '),
  Zs: ranges('  '),
  Arabic: ranges('\u0627\u063a'),
  Cyrillic: ranges('\u0430\u044f'),
  Greek: ranges('\u03b1\u03c9'),
  Han: ranges('\u4e00\u4e0b'),
  Hebrew: ranges('\u05d0\u05ea'),
  Hiragana: ranges('\u3042\u3093'),
  Katakana: ranges('\u30a2\u30f3'),
  Latin: LETTERS,
}
/** Long names of Unicode classes; RE2 knows only the short ones. */
export const LONG_NAMES: Readonly<Record<string, string>> = {
  Decimal_Number: 'Nd',
  Letter: 'L',
  Lowercase_Letter: 'Ll',
  Number: 'N',
  Punctuation: 'P',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Symbol: 'S',
  Uppercase_Letter: 'Lu',
  digit: 'Nd',
  punct: 'P',
}
