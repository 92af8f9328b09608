/**
 * Splits a text into pieces: words, runs of scripts without spaces, emoji and punctuation.
 *
 *     "I can't read 日本語 😀!"  ->  i, can't, read (words), 日本語 (dense), 😀 (symbol), ! (mark)
 *
 * It uses Unicode properties instead of Intl.Segmenter, whose dictionaries differ between ICU versions: the same text
 * must give the same pieces in every Node and browser. The properties of a character hardly ever change. A character
 * that is newer than the engine is unassigned, and so in no piece.
 */

/**
 * - `word`: letters and digits between spaces.
 * - `syllables`: Korean words, whose letters are whole syllables.
 * - `dense`: Chinese characters and kana, where one or two characters make a word.
 * - `unspaced`: alphabets without spaces between words, such as Thai.
 * - `symbol`: an emoji or a flag.
 * - `mark`: any other punctuation or symbol.
 */
export type PieceKind = 'word' | 'syllables' | 'dense' | 'unspaced' | 'symbol' | 'mark'

/** The maximum length of a piece, which bounds its cost. A longer run continues in the next piece. */
const MAX_PIECE_LENGTH = 64

const NUMBER = String.raw`\p{Nd}{1,20}(?:[.,]\p{Nd}{1,20}){1,3}`
const ABBREVIATION = String.raw`(?:[a-z]\.){2,6}`
const LETTERS = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]{0,${MAX_PIECE_LENGTH - 1}}(?:'[a-z]{1,2}(?![\p{L}\p{N}]))?`
const EMOJI = String.raw`\p{RI}\p{RI}|\p{Extended_Pictographic}`

// The characters between the brackets of a class: `[${HANGUL_SET}]`.
const HANGUL_SET = String.raw`\p{sc=Hang}`
const DENSE_SET = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\u30fc`
const UNSPACED_SET = String.raw`\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Java}\p{sc=Bali}\p{sc=Lana}\p{sc=Talu}`

const ASCII_ONLY = /^[\0-\x7f]*$/
// Engines sort a run of combining marks in quadratic time. No writing system needs runs as long as these.
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu
// Optional marks that writers often omit: the accents of Latin, Greek and Cyrillic, the points of Hebrew and Arabic, joiners and
// variation selectors. In other scripts a mark is as important as a letter.
const ACCENT_SET = String.raw`\u0300-\u036f`
const POINT_SET = String.raw`\u0591-\u05c7\u0640\u064b-\u065f\u0670`
const JOINER_SET = String.raw`\u00ad\u200c\u200d\u2060\u20e3\ufe00-\ufe0f\ufeff`
const OPTIONAL = new RegExp(`[${ACCENT_SET}${POINT_SET}${JOINER_SET}]`, 'g')
const LOWER_CASE = /[a-z]/

// Set by the first call of `eachPiece`: the character tables take 2 to 8 ms, and most servers start without a text that needs
// them. `run` splits a word of several writings.
let patterns: { readonly piece: RegExp; readonly run: RegExp } | undefined

/**
 * Calls `visit` for each piece of `text` in order, normalised: compatible forms (Unicode's NFKC), cases and accents
 * make no difference. Lone surrogates and control characters are in no piece.
 */
export function eachPiece(text: string, visit: (piece: string, kind: PieceKind) => void): void {
  patterns ??= {
    piece: new RegExp(`(${NUMBER}|${ABBREVIATION}|${LETTERS})|(${EMOJI})|[\\p{P}\\p{S}]`, 'gu'),
    run: new RegExp(
      `([${HANGUL_SET}]+)|([${DENSE_SET}]+)|([${UNSPACED_SET}]+)|[^${HANGUL_SET}${DENSE_SET}${UNSPACED_SET}]+`,
      'gu',
    ),
  }
  // `US` becomes `usa`, because it is the only word that differs from a common one, `us`, by its case alone. In a text that is all
  // in capitals, it may be either.
  let plain = text.includes('US') && LOWER_CASE.test(text) ? text.replace(/\bUS\b/g, 'USA') : text
  if (!ASCII_ONLY.test(plain)) {
    const decomposed = plain.replace(TOO_MANY_MARKS, '$1').replaceAll('\u2019', "'").normalize('NFKD')
    plain = decomposed.replace(OPTIONAL, '').normalize('NFC')
  }
  for (const [piece, letters, emoji] of plain.toLowerCase().matchAll(patterns.piece)) {
    if (letters === undefined) {
      visit(piece, emoji === undefined ? 'mark' : 'symbol')
    } else if (ASCII_ONLY.test(piece)) {
      visit(piece, 'word')
    } else {
      for (const [run, korean, dense, unspaced] of piece.matchAll(patterns.run)) {
        if (korean) visit(run, 'syllables')
        else if (dense) visit(run, 'dense')
        else visit(run, unspaced ? 'unspaced' : 'word')
      }
    }
  }
}
