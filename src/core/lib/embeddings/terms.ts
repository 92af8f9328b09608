/** Counts the terms of a text: its words and other pieces with their weights, and the pairs of neighbouring words. */
import { hash32 } from '../random/hash.ts'
import { eachPiece, type PieceKind } from './segment.ts'
import { gradeOf } from './words/known-words.ts'
import { stem, stemOfBoth } from './words/stem.ts'

const WEIGHT_OF_COMMON = { faint: 0.12, weak: 0.45, mild: 0.6 } as const
// By length, from 0. In most languages words of one to three letters carry grammar more than meaning.
const WEIGHT_OF_SHORT = [0, 0.45, 0.6, 0.85]

// In all other words with n't, the part before it is the whole word.
const CONTRACTED = new Map([
  ["can't", 'can'],
  ["won't", 'will'],
  ["shan't", 'shall'],
])

/** A piece of a text and how often it occurs. */
export interface Term {
  readonly piece: string
  readonly kind: PieceKind
  /** '' for a piece that is not a word. */
  readonly stem: string
  /** From 0 to 1: less than 1 for common and short words. */
  readonly weight: number
  count: number
}

/** A pair of neighbouring words. */
interface Neighbours {
  readonly weight: number
  count: number
}

/** The terms of `text`. Its neighbours are keyed by `hashOfStem` of the two words written as one. */
export function countTerms(text: string): Terms {
  const terms = new Terms()
  eachPiece(text, (piece, kind) => terms.add(piece, kind))
  return terms
}

/** A hash of 32 bits, signed because maps are faster with small integers as keys. */
export function hashOfStem(stemmed: string): number {
  return hash32(stemmed, 0) | 0
}

class Terms {
  readonly byPiece = new Map<string, Term>()
  readonly neighbours = new Map<number, Neighbours>()
  /** True if the text has only spaces and punctuation. */
  isBlank = true
  #before: Term | undefined

  add(piece: string, kind: PieceKind): void {
    if (kind !== 'mark') this.isBlank = false
    if (kind !== 'word') {
      this.#before = undefined
      this.#count(piece, kind)
    } else if (piece.endsWith("n't")) {
      this.#addWord(CONTRACTED.get(piece) ?? piece.slice(0, -3))
      this.#addWord('not')
    } else {
      this.#addWord(removeMarks(piece))
    }
  }

  #addWord(word: string): void {
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
      term = { piece, kind, stem: '', weight: 1, count: 0 }
      if (kind === 'word') {
        const grade = gradeOf(piece)
        const weight = grade === undefined ? (WEIGHT_OF_SHORT[piece.length] ?? 1) : WEIGHT_OF_COMMON[grade]
        term = { ...term, stem: stem(piece), weight }
      }
      this.byPiece.set(piece, term)
    }
    term.count++
    return term
  }
}

/** Removes 's, 're and the like from a word, thousands separators from a number, and dots from an abbreviation. */
function removeMarks(piece: string): string {
  const apostrophe = piece.indexOf("'")
  if (apostrophe > 0) return piece.slice(0, apostrophe)
  if (piece.includes(',')) return piece.replaceAll(',', '')
  if (piece.endsWith('.')) return piece === 'u.s.' ? 'usa' : piece.replaceAll('.', '')
  return piece
}
