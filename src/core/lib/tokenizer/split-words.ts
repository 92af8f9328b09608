/**
 * Splits a text into words: `I'll pay $1234` into `I`, `'ll`, ` pay`, ` $`, `123` and `4` for cl100k_base. Each word is encoded for
 * itself: no token crosses the end of a word.
 *
 * tiktoken describes the words by a regular expression for each encoding. Here, blanks around a `|` are only for reading, and ␠
 * is a space of the expression:
 *
 *     contraction    '(?:s|d|m|t|ll|ve|re), in either case
 *
 *     cl100k_base    {contraction} | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ␠?[^\s\p{L}\p{N}]+[\r\n]*
 *                    | \s+$ | \s*[\r\n] | \s+(?!\S) | \s
 *
 *     o200k_base     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+{contraction}?
 *                    | [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*{contraction}?
 *                    | \p{N}{1,3} | ␠?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
 *
 * The functions below find the same words in linear time. V8 is slower with these expressions, and runs out of stack
 * where a run has millions of characters.
 *
 * @see https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
 */

/** o200k_base is used by gpt-4o and later models, cl100k_base by older models and for embeddings. */
export type Encoding = 'o200k_base' | 'cl100k_base'

// Classes of characters, as bits. A character belongs to one or several.
/** `\p{L}` */
const LETTER = 1
/** `\p{N}` */
const NUMBER = 2
/** `\s` */
const SPACE = 4
/** `[^\s\p{L}\p{N}]` */
const SIGN = 8
/** `[^\r\n\p{L}\p{N}]`: may come before the letters of a word. */
const PREFIX = 16
/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` */
const UPPER = 32
/** `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` */
const LOWER = 64
/** `[\r\n]` */
const NEWLINE = 128

/** The second pattern is the first one for ASCII: most texts have no other characters, and `\p` takes milliseconds to compile. */
const PATTERNS: readonly (readonly [bit: number, pattern: RegExp, ascii: RegExp])[] = [
  [LETTER, /\p{L}/u, /[A-Za-z]/],
  [NUMBER, /\p{N}/u, /\d/],
  [SPACE, /\s/u, /\s/],
  [SIGN, /[^\s\p{L}\p{N}]/u, /[^\sA-Za-z\d]/],
  [PREFIX, /[^\r\n\p{L}\p{N}]/u, /[^\r\nA-Za-z\d]/],
  [UPPER, /[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]/u, /[A-Z]/],
  [LOWER, /[\p{Ll}\p{Lm}\p{Lo}\p{M}]/u, /[a-z]/],
  [NEWLINE, /[\r\n]/, /[\r\n]/],
]

/** Classes by code point; 0 until `classify` has seen it. Pages of this memory that are never touched take none. */
const known = new Uint8Array(0x110000)

/** Finds the classes of a code point, and keeps them in `known`. */
function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  for (const [bit, pattern, ascii] of PATTERNS) {
    if ((codePoint < 0x80 ? ascii : pattern).test(character)) known[codePoint]! |= bit
  }
  return known[codePoint]!
}

/** The classes of the character at `index`; 0 after the end of the text. */
function classesAt(text: string, index: number): number {
  const codePoint = text.codePointAt(index)
  return codePoint === undefined ? 0 : known[codePoint] || classify(codePoint)
}

/** The index after the character at `index`. */
const after = (text: string, index: number): number => index + (text.codePointAt(index)! > 0xffff ? 2 : 1)

/** The index after the character at `index` if it is of a class; otherwise `index`. */
function skipOne(text: string, index: number, classes: number): number {
  return classesAt(text, index) & classes ? after(text, index) : index
}

/** The end of the run of a class that begins at `start`. Most of splitting is spent here, so the code point is read once. */
function runEnd(text: string, start: number, classes: number): number {
  for (let end = start; ; ) {
    const codePoint = text.codePointAt(end)
    if (codePoint === undefined || !((known[codePoint] || classify(codePoint)) & classes)) return end
    end += codePoint > 0xffff ? 2 : 1
  }
}

const BLANK = 0x20
const SLASH = 0x2f
const CONTRACTION = /'(?:[sdmt]|ll|ve|re)/iy

/** Finds the end of the word that begins at `start`, which is inside the text. */
type FindWordEnd = (text: string, start: number) => number

// The functions below try one alternative of an expression. Each returns where the alternative ends, or `start` where the text
// does not match it.

const cl100kEnd: FindWordEnd = (text, start) => {
  const contraction = contractionEnd(text, start)
  if (contraction > start) return contraction
  const lettersStart = skipOne(text, start, PREFIX)
  const letters = runEnd(text, lettersStart, LETTER)
  if (letters > lettersStart) return letters
  const number = numberEnd(text, start)
  if (number > start) return number
  const signs = signsEnd(text, start)
  if (signs > start) return signs
  const spaces = runEnd(text, start, SPACE)
  return spaces === text.length ? spaces : spacesEnd(text, start, spaces)
}

const o200kEnd: FindWordEnd = (text, start) => {
  const letters = casedLettersEnd(text, start)
  if (letters > start) return contractionEnd(text, letters)
  const number = numberEnd(text, start)
  if (number > start) return number
  let signs = signsEnd(text, start)
  if (signs === start) return spacesEnd(text, start, runEnd(text, start, SPACE))
  // [\r\n/]* where cl100k_base has [\r\n]*
  while (classesAt(text, signs) & NEWLINE || text.charCodeAt(signs) === SLASH) signs++
  return signs
}

export const wordEnds: Readonly<Record<Encoding, FindWordEnd>> = { cl100k_base: cl100kEnd, o200k_base: o200kEnd }

/** `'(?:s|d|m|t|ll|ve|re)` */
function contractionEnd(text: string, start: number): number {
  CONTRACTION.lastIndex = start
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex : start
}

/** `[^\r\n\p{L}\p{N}]?{upper}*{lower}+` or else `[^\r\n\p{L}\p{N}]?{upper}+{lower}*`; some letters are both. */
function casedLettersEnd(text: string, start: number): number {
  const lettersStart = skipOne(text, start, PREFIX)
  let upperEnd = lettersStart
  /** The end of the last letter of both cases, up to which the first expression can match. */
  let bothEnd = lettersStart
  for (let classes = classesAt(text, lettersStart); classes & UPPER; classes = classesAt(text, upperEnd)) {
    upperEnd = after(text, upperEnd)
    if (classes & LOWER) bothEnd = upperEnd
  }
  const lowerEnd = runEnd(text, upperEnd, LOWER)
  if (lowerEnd > upperEnd) return lowerEnd
  if (bothEnd > lettersStart) return bothEnd
  // A mark can be a prefix, but is also of both cases.
  if (lettersStart > start && classesAt(text, start) & LOWER) return lettersStart
  return upperEnd > lettersStart ? upperEnd : start
}

/** `\p{N}{1,3}` */
function numberEnd(text: string, start: number): number {
  const afterFirst = skipOne(text, start, NUMBER)
  return afterFirst === start ? start : skipOne(text, skipOne(text, afterFirst, NUMBER), NUMBER)
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*` */
function signsEnd(text: string, start: number): number {
  const signsStart = text.charCodeAt(start) === BLANK ? start + 1 : start
  const end = runEnd(text, signsStart, SIGN)
  return end === signsStart ? start : runEnd(text, end, NEWLINE)
}

/**
 * `\s*[\r\n]+ | \s+(?!\S) | \s+` in a run of spaces. The `\s*[\r\n]` of cl100k_base ends at the same place, that is at the last
 * newline, and its `\s` is reached only by a single space.
 */
function spacesEnd(text: string, start: number, end: number): number {
  const run = text.slice(start, end)
  const newline = Math.max(run.lastIndexOf('\n'), run.lastIndexOf('\r'))
  if (newline >= 0) return start + newline + 1
  // The last space belongs to the next word.
  return end === text.length || end === start + 1 ? end : end - 1
}
