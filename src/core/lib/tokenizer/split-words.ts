/**
 * Splits a text into words: `I'll pay $1234` into `I`, `'ll`, ` pay`, ` $`, `123` and `4` for cl100k_base. Each word is encoded for
 * itself: no token crosses the end of a word.
 *
 * tiktoken describes the words by a regular expression for each encoding:
 *
 *     contraction    '(?:s|d|m|t|ll|ve|re), in either case
 *
 *     cl100k_base    {contraction} | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]*
 *                    | \s+$ | \s*[\r\n] | \s+(?!\S) | \s
 *
 *     o200k_base     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+{contraction}?
 *                    | [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*{contraction}?
 *                    | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
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

/** Classes by code point; 0 before it is first seen. Pages that are never touched take no memory. */
const known = new Uint8Array(0x110000)

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

/** The end of the run of a class that begins at `start`. */
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

/** The end of a contraction; `start` if there is none. */
function contractionEnd(text: string, start: number): number {
  CONTRACTION.lastIndex = start
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex : start
}

/** Finds the end of the word that begins at `start`, which is inside the text. */
type FindWordEnd = (text: string, start: number) => number

const cl100kEnd: FindWordEnd = (text, start) => {
  const contraction = contractionEnd(text, start)
  if (contraction > start) return contraction
  const letters = skipOne(text, start, PREFIX)
  const end = runEnd(text, letters, LETTER)
  if (end > letters) return end
  const numberOrSigns = numberEnd(text, start) || signsEnd(text, start)
  if (numberOrSigns > 0) return numberOrSigns
  const spaces = runEnd(text, start, SPACE)
  return spaces === text.length ? spaces : spacesEnd(text, start, spaces)
}

const o200kEnd: FindWordEnd = (text, start) => {
  const letters = casedLettersEnd(text, start)
  if (letters > start) return contractionEnd(text, letters)
  const number = numberEnd(text, start)
  if (number > 0) return number
  let end = signsEnd(text, start)
  if (end === 0) return spacesEnd(text, start, runEnd(text, start, SPACE))
  // [\r\n/]* where cl100k_base has [\r\n]*
  while (classesAt(text, end) & NEWLINE || text.charCodeAt(end) === SLASH) end++
  return end
}

export const wordEnds: Readonly<Record<Encoding, FindWordEnd>> = { cl100k_base: cl100kEnd, o200k_base: o200kEnd }

/** `[^\r\n\p{L}\p{N}]?{upper}*{lower}+` or else `[^\r\n\p{L}\p{N}]?{upper}+{lower}*`; some letters are both. `start` if neither is there. */
function casedLettersEnd(text: string, start: number): number {
  const letters = skipOne(text, start, PREFIX)
  let upperEnd = letters
  let bothEnd = letters
  for (let classes = classesAt(text, letters); classes & UPPER; classes = classesAt(text, upperEnd)) {
    upperEnd = after(text, upperEnd)
    if (classes & LOWER) bothEnd = upperEnd
  }
  const lowerEnd = runEnd(text, upperEnd, LOWER)
  if (lowerEnd > upperEnd) return lowerEnd
  if (bothEnd > letters) return bothEnd
  // A mark can be a prefix, but is also of both cases.
  if (letters > start && classesAt(text, start) & LOWER) return letters
  return upperEnd > letters ? upperEnd : start
}

/** `\p{N}{1,3}`; 0 if it is not there. */
function numberEnd(text: string, start: number): number {
  const afterFirst = skipOne(text, start, NUMBER)
  return afterFirst === start ? 0 : skipOne(text, skipOne(text, afterFirst, NUMBER), NUMBER)
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*`; 0 if it is not there. */
function signsEnd(text: string, start: number): number {
  const signs = text.charCodeAt(start) === BLANK ? start + 1 : start
  const end = runEnd(text, signs, SIGN)
  return end === signs ? 0 : runEnd(text, end, NEWLINE)
}

/** `\s*[\r\n]+ | \s+(?!\S) | \s+` in a run of spaces. */
function spacesEnd(text: string, start: number, end: number): number {
  const run = text.slice(start, end)
  const newline = Math.max(run.lastIndexOf('\n'), run.lastIndexOf('\r'))
  if (newline >= 0) return start + newline + 1
  // The last space belongs to the next word.
  return end === text.length || end === start + 1 ? end : end - 1
}
