/** The named characters and classes of regular expressions. */

/** Code points from `from` to `to`, both included. */
export type Range = readonly [from: number, to: number]

const DIGITS: readonly Range[] = [[48, 57]]
const WORD: readonly Range[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
const SPACE: readonly Range[] = [
  [32, 32],
  [9, 13],
]
/** `\\d`, `\\w` and `\\s`. */
export const CLASSES: Readonly<Record<string, readonly Range[]>> = { d: DIGITS, w: WORD, s: SPACE }
export const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }
// Enough of each Unicode class to write readable texts with; matching has the whole of it.
export const PROPERTIES: Readonly<Record<string, readonly Range[]>> = {
  L: [
    [97, 122],
    [65, 90],
  ],
  Lu: [[65, 90]],
  Ll: [[97, 122]],
  N: DIGITS,
  Nd: DIGITS,
  P: [
    [33, 35],
    [37, 42],
    [44, 47],
    [58, 59],
    [63, 64],
  ],
  S: [
    [36, 36],
    [43, 43],
    [60, 62],
    [124, 124],
  ],
  Z: [[32, 32]],
  Zs: [[32, 32]],
  Arabic: [[0x627, 0x63a]],
  Cyrillic: [[0x430, 0x44f]],
  Greek: [[0x3b1, 0x3c9]],
  Han: [[0x4e00, 0x4e0b]],
  Hebrew: [[0x5d0, 0x5ea]],
  Hiragana: [[0x3042, 0x3093]],
  Katakana: [[0x30a2, 0x30f3]],
  Latin: [
    [97, 122],
    [65, 90],
  ],
}
/** The long names of Unicode classes, which RE2 knows by the short ones. */
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
