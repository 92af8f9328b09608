/**
 * The words of a text and its other pieces, each with how often it occurs and how much it says; and which words stand
 * side by side.
 */
import { hash32 } from '../../random/hash.ts'
import { eachPiece, type PieceKind } from './segment.ts'
import { stem, stemOfBoth } from './words/stem.ts'
import { gradeOf } from './words/word-grade.ts'

const WEIGHT_OF_COMMON = { faint: 0.12, weak: 0.45, mild: 0.6 } as const
// In most languages the words of one to three letters carry grammar more than meaning. By length, from 0.
const WEIGHT_OF_SHORT = [0, 0.45, 0.6, 0.85]

// The other words with n't are spelt with the whole word before it.
const CONTRACTED = new Map([
  ["can't", 'can'],
  ["won't", 'will'],
  ["shan't", 'shall'],
])

/** A piece as often as it occurs. Of words alone: the stem, and the weight next to a full word's. */
export interface Term {
  readonly piece: string
  readonly kind: PieceKind
  readonly stem: string
  readonly weight: number
  count: number
}

/** Two words side by side: how much they say, and how often they stand so. */
interface Neighbours {
  readonly weight: number
  count: number
}

/** The terms of `text`; its neighbours by `hashOfStem` of the two words in one. */
export function countTerms(text: string): Terms {
  const terms = new Terms()
  eachPiece(text, (piece, kind) => terms.take(piece, kind))
  return terms
}

/** A stem's 32 bits, signed, because a map is quicker with such numbers. */
export function hashOfStem(stemmed: string): number {
  return hash32(stemmed, 0) | 0
}

class Terms {
  readonly byPiece = new Map<string, Term>()
  readonly neighbours = new Map<number, Neighbours>()
  /** Whether all is blank or punctuation. */
  saysNothing = true
  #before: Term | undefined

  take(piece: string, kind: PieceKind): void {
    if (kind !== 'mark') this.saysNothing = false
    if (kind !== 'word') {
      this.#before = undefined
      this.#count(piece, kind)
    } else if (piece.endsWith("n't")) {
      this.#takeWord(CONTRACTED.get(piece) ?? piece.slice(0, -3))
      this.#takeWord('not')
    } else {
      this.#takeWord(plain(piece))
    }
  }

  #takeWord(word: string): void {
    const term = this.#count(word, 'word')
    const before = this.#before
    this.#before = term
    if (before === undefined) return
    const hash = hashOfStem(stemOfBoth(before.stem, term.stem))
    const known = this.neighbours.get(hash)
    if (known !== undefined) known.count++
    else this.neighbours.set(hash, { weight: Math.sqrt(before.weight * term.weight), count: 1 })
  }

  #count(piece: string, kind: PieceKind): Term {
    let term = this.byPiece.get(piece)
    if (term === undefined) {
      const isWord = kind === 'word'
      term = { piece, kind, stem: isWord ? stem(piece) : '', weight: isWord ? weightOf(piece) : 1, count: 0 }
      this.byPiece.set(piece, term)
    }
    term.count++
    return term
  }
}

/** A word without 's, 're or the like, a number without its thousands separators, an abbreviation without its stops. */
function plain(piece: string): string {
  const apostrophe = piece.indexOf("'")
  if (apostrophe > 0) return piece.slice(0, apostrophe)
  if (piece.includes(',')) return piece.replaceAll(',', '')
  if (piece.endsWith('.')) return piece === 'u.s.' ? 'usa' : piece.replaceAll('.', '')
  return piece
}

function weightOf(word: string): number {
  const grade = gradeOf(word)
  return grade === undefined ? (WEIGHT_OF_SHORT[word.length] ?? 1) : WEIGHT_OF_COMMON[grade]
}
