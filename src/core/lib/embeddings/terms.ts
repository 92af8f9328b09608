/**
 * Counts the terms of a text: its words and other pieces with their weights, and the pairs of neighbouring words.
 *
 *     "The cats can't run"  ->  the (0.12), cats (1, stem cat), can (0.12), not (0.45), run (0.85), and four pairs
 */
import { hash32 } from '../random/hash.ts'
import { eachPiece, type PieceKind } from './segment.ts'
import { commonWeight } from './words/known-words.ts'
import { stem, stemOfBoth } from './words/stem.ts'

/** Weights of other words by their length, from 0. In most languages short words carry grammar more than meaning. */
const SHORT_WEIGHTS = [0, 0.45, 0.6, 0.85]

/** Words before `n't` that lose letters. In all others, such as didn't, the part before it is the whole word. */
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

/** The terms of `text`. Its neighbours are keyed by `hashOfStem` of the two words written as one. */
export function countTerms(text: string) {
  const byPiece = new Map<string, Term>()
  const neighbours = new Map<number, Pick<Term, 'weight' | 'count'>>()
  /** True if the text has only spaces and punctuation. */
  let isBlank = true
  /** The word right before the next piece. */
  let before: Term | undefined

  const count = (piece: string, kind: PieceKind): Term => {
    let term = byPiece.get(piece)
    if (term === undefined) {
      const isWord = kind === 'word'
      const weight = isWord ? (commonWeight(piece) ?? SHORT_WEIGHTS[piece.length] ?? 1) : 1
      term = { piece, kind, stem: isWord ? stem(piece) : '', weight, count: 0 }
      byPiece.set(piece, term)
    }
    term.count++
    return term
  }
  const countWord = (word: string): void => {
    const term = count(word, 'word')
    if (before !== undefined) {
      const hash = hashOfStem(stemOfBoth(before.stem, term.stem))
      const pair = neighbours.get(hash)
      if (pair !== undefined) pair.count++
      else neighbours.set(hash, { weight: Math.sqrt(before.weight * term.weight), count: 1 })
    }
    before = term
  }
  eachPiece(text, (piece, kind) => {
    if (kind !== 'mark') isBlank = false
    if (kind !== 'word') {
      before = undefined
      count(piece, kind)
    } else if (piece.endsWith("n't")) {
      countWord(CONTRACTED.get(piece) ?? piece.slice(0, -3))
      countWord('not')
    } else {
      countWord(removeMarks(piece))
    }
  })
  return { byPiece, neighbours, isBlank }
}

/** A hash of 32 bits, signed because maps are faster with small integers as keys. */
export function hashOfStem(stemmed: string): number {
  return hash32(stemmed, 0) | 0
}

/** Removes 's, 're and the like from a word, thousands separators from a number, and dots from an abbreviation. */
function removeMarks(piece: string): string {
  const apostrophe = piece.indexOf("'")
  if (apostrophe > 0) return piece.slice(0, apostrophe)
  if (piece.includes(',')) return piece.replaceAll(',', '')
  if (piece.endsWith('.')) return piece === 'u.s.' ? 'usa' : piece.replaceAll('.', '')
  return piece
}
