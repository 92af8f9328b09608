/**
 * The character sets of patterns, such as `a`, `\d`, `.` and `[^a-z]`: which readable characters they have, and draws
 * from them.
 *
 * JavaScript's own RegExp tells whether a set has a character. That is safe for one character, whatever the set.
 */
import type { Random } from '../../random/random.ts'

export interface CharacterSet {
  /** The characters of the pools below that the set has. */
  readonly known: ReadonlySet<number>
  /** The ranges between its brackets. They count only when no character of the pools is in the set. */
  readonly ranges: readonly (readonly [from: number, to: number])[]
  /** True for `[^a]`, `\D` and `.`: the set of all characters but a few. */
  readonly isNegated: boolean
}

/**
 * The pool that is drawn from if the set has some of it. `mixed`: letters and digits. `plain`: the same, but lower-case letters for
 * a set of nearly all characters. `odd`: signs too.
 */
export type Variety = 'plain' | 'mixed' | 'odd'

const codesOf = (text: string): number[] => [...text].map((character) => character.codePointAt(0)!)
const LETTERS = codesOf('abcdefghijklmnopqrstuvwxyz')
const ALPHABET = [...LETTERS, ...codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')]
const SIGNS = codesOf(' -_.,:;/!?@#$%&*+=\'()[]{}<>|^~"`\\\n\t')
const ANYTHING = [...ALPHABET, ...SIGNS]
const OTHERS = codesOf('\u00e9\u00df\u03b1\u0416\u05d0\u4e2d\u{1f600}\0\u007f\u{10ffff}')

/** One character as patterns write it: `a`, `\n`, `\u00e9`, `\p{L}`. */
const CHARACTER = String.raw`\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP](?:\{[^}]*\}|[A-Z])|.)|.`
/** A character or a set in brackets, at a place in a pattern. */
export const SET = new RegExp(String.raw`\[(?:\\.|[^\]\\])*\]|${CHARACTER}`, 'suy')
const RANGE = new RegExp(`(${CHARACTER})(?:-(${CHARACTER}))?`, 'gsu')
/** Drawn for a set without a character, so that the text is refused later. */
const LETTER_A = [0x61, 0x61] as const
/** Only the first characters of a range are drawn. */
const MAX_RANGE_OFFSET = 25
const PROPERTY = /\\([pP])(?:\{(?:\w+=)?(\w+)\}|([A-Z]))/g
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }

/** The long names of Unicode categories; RE2 knows only the short ones. */
export const SHORT_NAMES: Readonly<Record<string, string>> = {
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

/** Reads a set from its place in a pattern. */
export function readCharacterSet(source: string): CharacterSet {
  const isMember = compileSet(source)
  const inBrackets = source.startsWith('[') ? source.replace(/^\[\^?/, '').slice(0, -1) : source
  return {
    known: new Set([...ANYTHING, ...OTHERS].filter((code) => isMember.test(String.fromCodePoint(code)))),
    ranges: [...inBrackets.matchAll(RANGE)].map(([, from = '', to = from]) => [codeOf(from), codeOf(to)]),
    isNegated: /^(?:\.|\[\^|\\[DWSP])/.test(source),
  }
}

/** Compiles a set to test one character. RE2 reports a malformed set, which has none, and an unknown class. */
function compileSet(source: string): RegExp {
  // The JavaScript form of a property: it has `\p{L}` and `\p{Script=Greek}`, and neither `\pL` nor `\p{Greek}`.
  const named = source.replaceAll(PROPERTY, (_, sign: string, long: string, initial: string) => {
    const name = SHORT_NAMES[long] ?? long ?? initial
    return `\\${sign}{${name.length > 2 ? 'Script=' : ''}${name}}`
  })
  // Without its Unicode mode, JavaScript takes `[\w-.]` and unneeded backslashes.
  for (const flags of ['u', '']) {
    try {
      return new RegExp(`^(?:${named})$`, flags)
    } catch {}
  }
  return /(?!)/
}

/** `\u00e9` -> 0xe9: the code point of a character as a pattern writes it. */
function codeOf(written: string): number {
  const [, digits, control, escaped] = /^\\(?:[ux]\{?([\da-fA-F]+)|c(.)|(.))/su.exec(written) ?? []
  if (digits !== undefined) return Number.parseInt(digits, 16)
  if (control !== undefined) return control.charCodeAt(0) % 32
  if (escaped !== undefined) return CONTROLS[escaped] ?? escaped.codePointAt(0)!
  return written.codePointAt(0)!
}

/** Draws a character of a set. */
export function drawCharacter({ known, ranges, isNegated }: CharacterSet, random: Random, variety: Variety): string {
  const preferred = variety === 'odd' ? ANYTHING : variety === 'plain' && isNegated ? LETTERS : ALPHABET
  for (const pool of [preferred, ALPHABET, SIGNS, OTHERS]) {
    const members = pool.filter((code) => known.has(code))
    if (members.length > 0) return String.fromCodePoint(members[random.below(members.length)]!)
  }
  const [from, to] = ranges[random.below(ranges.length)] ?? LETTER_A
  return String.fromCodePoint(from + random.below(Math.min(to - from, MAX_RANGE_OFFSET) + 1))
}
