/**
 * Splits a text into words. Each word is encoded for itself: no token crosses the end of a word.
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
import type { Steps } from '../work/steps.ts'
import { classesOf, LETTER, LOWER, NUMBER, PREFIX, SIGN, SPACE, UPPER } from './character-classes.ts'
import type { Encoding } from './tokenizer.ts'

/** Finds the end of the word that begins at `start`, which is inside the text. */
export type WordEnd = (text: string, start: number) => number

export const wordEnds: Readonly<Record<Encoding, WordEnd>> = { cl100k_base: cl100kEnd, o200k_base: o200kEnd }

/** Finds the end of a word of more than a few characters in steps: such a word may be millions long. */
export const longWordEnds: Readonly<Record<Encoding, (text: string, start: number) => Steps<number>>> = {
  cl100k_base: longCl100kEnd,
  o200k_base: longO200kEnd,
}

/** Characters that one step looks at. */
const STEP_LENGTH = 50_000
const UNITS_PER_STEP = 2000

const BLANK = 0x20
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SLASH = 0x2f

// Each function below returns `start` if the text has nothing of the kind there.

function cl100kEnd(text: string, start: number): number {
  let end = contractionEnd(text, start)
  if (end === start) end = lettersEnd(text, start)
  if (end === start) end = numberEnd(text, start)
  if (end === start) end = signsEnd(text, start)
  if (end > start) return end
  end = runEnd(text, start, SPACE)
  return end === text.length ? end : spacesEnd(text, start, end)
}

function o200kEnd(text: string, start: number): number {
  let end = casedLettersEnd(text, start)
  if (end > start) return contractionEnd(text, end)
  end = numberEnd(text, start)
  if (end === start) end = slashesEnd(text, start, signsEnd(text, start))
  return end > start ? end : spacesEnd(text, start, runEnd(text, start, SPACE))
}

function* longCl100kEnd(text: string, start: number): Steps<number> {
  const letters = skipOne(text, start, PREFIX)
  let end = yield* longRunEnd(text, letters, LETTER)
  if (end > letters) return end
  const signs = skipBlank(text, start)
  end = yield* longRunEnd(text, signs, SIGN)
  if (end > signs) return newlinesEnd(text, end)
  end = yield* longRunEnd(text, start, SPACE)
  return end === text.length ? end : spacesEnd(text, start, end)
}

function* longO200kEnd(text: string, start: number): Steps<number> {
  const letters = skipOne(text, start, PREFIX)
  const upper = { end: letters, bothEnd: letters }
  for (;;) {
    const limit = upper.end + STEP_LENGTH
    followUpper(text, upper, limit)
    if (upper.end < limit) break
    yield UNITS_PER_STEP
  }
  const lowerEnd = yield* longRunEnd(text, upper.end, LOWER)
  let end = endOfCase(text, start, letters, upper, lowerEnd)
  if (end > start) return contractionEnd(text, end)
  const signs = skipBlank(text, start)
  end = yield* longRunEnd(text, signs, SIGN)
  if (end > signs) return slashesEnd(text, start, newlinesEnd(text, end))
  return spacesEnd(text, start, yield* longRunEnd(text, start, SPACE))
}

const CONTRACTION = /'(?:[sdmt]|ll|ve|re)/iy

function contractionEnd(text: string, start: number): number {
  CONTRACTION.lastIndex = start
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex : start
}

/** `[^\r\n\p{L}\p{N}]?\p{L}+` */
function lettersEnd(text: string, start: number): number {
  const letters = skipOne(text, start, PREFIX)
  const end = runEnd(text, letters, LETTER)
  return end > letters ? end : start
}

/** `[^\r\n\p{L}\p{N}]?{upper}*{lower}+` or else `[^\r\n\p{L}\p{N}]?{upper}+{lower}*`; some letters are both. */
function casedLettersEnd(text: string, start: number): number {
  const letters = skipOne(text, start, PREFIX)
  uppers.end = letters
  uppers.bothEnd = letters
  followUpper(text, uppers, text.length)
  return endOfCase(text, start, letters, uppers, runEnd(text, uppers.end, LOWER))
}

/** The end of a run of UPPER, and of its last character that is LOWER too. */
interface UpperRun {
  end: number
  bothEnd: number
}

/** Reused for each short word, so that no object is allocated. */
const uppers: UpperRun = { end: 0, bothEnd: 0 }

/** Follows a run up to its end, or to the first character at `limit` or after it. */
function followUpper(text: string, run: UpperRun, limit: number): void {
  let length = 1
  let { end } = run
  while (end < limit) {
    const classes = classesAt(text, end)
    if (!(classes & UPPER)) break
    end = after(text, end)
    if (classes & LOWER) run.bothEnd = end
    // The capitals that it passes are of one case only.
    if (length++ % LONG_RUN === 0) end = asciiRunEnd(text, end, UPPER, limit)
  }
  run.end = end
}

function endOfCase(text: string, start: number, letters: number, upper: UpperRun, lowerEnd: number): number {
  if (lowerEnd > upper.end) return lowerEnd
  if (upper.bothEnd > letters) return upper.bothEnd
  // A mark can be a prefix, but is also of both cases.
  if (letters > start && classesAt(text, start) & LOWER) return letters
  return upper.end > letters ? upper.end : start
}

/** `\p{N}{1,3}` */
function numberEnd(text: string, start: number): number {
  return skipOne(text, skipOne(text, skipOne(text, start, NUMBER), NUMBER), NUMBER)
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*` */
function signsEnd(text: string, start: number): number {
  const signs = skipBlank(text, start)
  const end = runEnd(text, signs, SIGN)
  return end === signs ? start : newlinesEnd(text, end)
}

const skipBlank = (text: string, start: number): number => (text.charCodeAt(start) === BLANK ? start + 1 : start)

function newlinesEnd(text: string, start: number): number {
  let end = start
  while (isNewline(text, end)) end++
  return end
}

/** `[\r\n/]*` after signs that end there, if there are signs. */
function slashesEnd(text: string, start: number, signsEnd: number): number {
  let end = signsEnd
  if (end > start) while (isNewline(text, end) || text.charCodeAt(end) === SLASH) end++
  return end
}

/** `\s*[\r\n]+ | \s+(?!\S) | \s+` in a run of spaces. */
function spacesEnd(text: string, start: number, runEnd: number): number {
  const run = text.slice(start, runEnd)
  const newline = Math.max(run.lastIndexOf('\n'), run.lastIndexOf('\r'))
  if (newline >= 0) return start + newline + 1
  // The last space belongs to the next word.
  return runEnd === text.length || runEnd === start + 1 ? runEnd : runEnd - 1
}

function* longRunEnd(text: string, start: number, classes: number): Steps<number> {
  for (let end = start; ; ) {
    const limit = end + STEP_LENGTH
    end = runEnd(text, end, classes, Math.min(text.length, limit))
    if (end < limit) return end
    yield UNITS_PER_STEP
  }
}

/** The end of a run, or the first character at `limit` or after it that is in the run. */
function runEnd(text: string, start: number, classes: number, limit = text.length): number {
  let end = start
  for (let length = 1; end < limit; length++) {
    const codePoint = text.codePointAt(end)!
    if (!(classesOf(codePoint) & classes)) break
    end += codePoint > 0xffff ? 2 : 1
    if (length % LONG_RUN === 0) end = asciiRunEnd(text, end, classes, limit)
  }
  return end
}

/** After so many characters, a run is searched for its end: that is three times as fast, but slower for short runs. */
const LONG_RUN = 256
/** Each finds the first character that is not an ASCII character of the class. */
const NOT_ASCII: Readonly<Record<number, RegExp>> = {
  [LETTER]: /[^A-Za-z]/g,
  [SPACE]: /[^\t-\r ]/g,
  [SIGN]: /[^!-/:-@[-`{-~]/g,
  [UPPER]: /[^A-Z]/g,
  [LOWER]: /[^a-z]/g,
}

function asciiRunEnd(text: string, start: number, classes: number, limit: number): number {
  // A part, because a search in 10 MB takes 10 ms, and 60 ms at first.
  const part = text.slice(start, limit)
  const notAscii = NOT_ASCII[classes]!
  notAscii.lastIndex = 0
  return notAscii.test(part) ? start + notAscii.lastIndex - 1 : start + part.length
}

function skipOne(text: string, start: number, classes: number): number {
  return classesAt(text, start) & classes ? after(text, start) : start
}

function classesAt(text: string, index: number): number {
  return index < text.length ? classesOf(text.codePointAt(index)!) : 0
}

function after(text: string, index: number): number {
  return index + (text.codePointAt(index)! > 0xffff ? 2 : 1)
}

function isNewline(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code === LINE_FEED || code === CARRIAGE_RETURN
}
