/**
 * What a text is made of, as weighted features: the step from language to numbers.
 *
 * - A word is its stem, its groups of related words, its letters in any order, and its character 3- to 5-grams, which
 *   see typos and kinship ('operate', 'operator') in any language. Common and very short words weigh less.
 * - Two neighbours are a feature too, so that the order of words counts a little; so does a negation.
 * - Scripts without spaces are character n-grams alone.
 * - What occurs n times weighs the square root of n, and all n-grams of a word together weigh the same for long words
 *   and short ones.
 *
 * A feature is a 32-bit hash, a weight is a whole number: sums of them are exact, in any order, on any machine.
 */
import { absorb, hash32, mix32 } from '../hash.ts'
import { COMMON_WORDS } from './common-words.ts'
import { groupsOf } from './related-words.ts'
import { eachPiece, type PieceKind } from './segment.ts'
import { stem } from './stem.ts'

/** Takes one feature in. `hash`: 32 bits, not yet scrambled; `weight`: a whole number, 0 or more. */
type AddFeature = (hash: number, weight: number) => void

/** What a full word's stem weighs. */
const UNIT = 1024

// Shares of UNIT, set by hand on one half of the graded pairs in the tests and checked on the other half.
const STEM = 1
const STEM_WITH_GROUP = 0.7
const GROUP = 0.85
const LETTERS = 0.35
const WORD_GRAMS = 0.6
const NEIGHBOURS = 0.3
const NEGATION = 0.5
const SYLLABLES_WORD = 0.6
const SYMBOL = 1
const MARK = 0.03

const WEIGHT_OF_COMMON = { faint: 0.12, weak: 0.35, mild: 0.6 } as const
// In most languages the words of one to three letters carry grammar more than meaning. By length, from 0.
const WEIGHT_OF_SHORT = [0, 0.45, 0.6, 0.85]

// The weight of character n-grams by n, from 0.
const DENSE_GRAMS = [0, 0.5, 0.7, 0.3]
const SYLLABLE_GRAMS = [0, 0.5, 0.6, 0.3]
const UNSPACED_GRAMS = [0, 0, 0, 0.4, 0.4, 0.3]

const SHORTEST_WORD_GRAM = 3
const LONGEST_WORD_GRAM = 5
const WORD_START = '\x02'
const WORD_END = '\x03'

// Each kind of feature has hashes of its own, or 'cat' the stem would be 'cat' the n-gram.
const KIND = {
  stem: 1,
  group: 2,
  letters: 3,
  gram: 4,
  syllables: 5,
  neighbours: 6,
  symbol: 7,
  mark: 8,
  negation: 9,
  nothing: 10,
}

const NEGATIONS = new Set(['not', 'no', 'never', 'none', 'nobody', 'nothing', 'without', 'cannot', 'neither', 'nor'])
// The others are spelt with the whole word before n't.
const CONTRACTED = new Map([
  ["can't", 'can'],
  ["won't", 'will'],
  ["shan't", 'shall'],
])
// Kana that mostly spell endings, and the Chinese characters of grammar.
const FAINT_DENSE = /[\u3041-\u309f的了是在我们不有和就人都一个上也很到说要去你会着没看好自这那之为与及其]/

/** A piece as often as it occurs. Of words alone: the stem, and the weight next to a full word's. */
interface Term {
  readonly piece: string
  readonly kind: PieceKind
  readonly stem: string
  readonly weight: number
  count: number
}

/** Two words side by side. */
interface Neighbours {
  readonly weight: number
  count: number
}

/**
 * Calls `add` for every feature of `text`, each once or a few times. Linear in the length of the text.
 * @param key 32 bits; another key gives unrelated hashes and the same weights.
 */
export function eachFeature(text: string, key: number, add: AddFeature): void {
  const counts = new Counts()
  eachPiece(text, (piece, kind) => counts.take(piece, kind))
  for (const term of counts.terms.values()) addTerm(term, UNIT * Math.sqrt(term.count), key, add)
  for (const [hash, { weight, count }] of counts.neighbours) {
    add(absorb(key ^ KIND.neighbours, hash), Math.round(UNIT * NEIGHBOURS * weight * Math.sqrt(count)))
  }
  // Blanks and punctuation alone are a text about nothing, much like any other such text.
  if (counts.saysNothing) add(absorb(key, KIND.nothing), UNIT)
}

/** How often each piece occurs, and each pair of neighbouring words. */
class Counts {
  readonly terms = new Map<string, Term>()
  readonly neighbours = new Map<number, Neighbours>()
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
      this.#takeWord(withoutEnding(piece))
    }
  }

  #takeWord(word: string): void {
    const term = this.#count(word, 'word')
    const before = this.#before
    this.#before = term
    if (before === undefined) return
    // Signed, because a map is quicker with numbers of 32 signed bits.
    const hash = hash32(term.stem, hash32(before.stem, 0)) | 0
    const known = this.neighbours.get(hash)
    if (known !== undefined) known.count++
    else this.neighbours.set(hash, { weight: Math.sqrt(before.weight * term.weight), count: 1 })
  }

  #count(piece: string, kind: PieceKind): Term {
    let term = this.terms.get(piece)
    if (term === undefined) {
      const isWord = kind === 'word'
      term = { piece, kind, stem: isWord ? stem(piece) : '', weight: isWord ? weightOf(piece) : 1, count: 0 }
      this.terms.set(piece, term)
    }
    term.count++
    return term
  }
}

/** A word without 's, 're or the like, a number without its thousands separators. */
function withoutEnding(piece: string): string {
  const apostrophe = piece.indexOf("'")
  if (apostrophe > 0) return piece.slice(0, apostrophe)
  return piece.includes(',') ? piece.replaceAll(',', '') : piece
}

function weightOf(word: string): number {
  const grade = COMMON_WORDS.get(word)
  return grade === undefined ? (WEIGHT_OF_SHORT[word.length] ?? 1) : WEIGHT_OF_COMMON[grade]
}

function addTerm(term: Term, scale: number, key: number, add: AddFeature): void {
  const { piece, kind } = term
  switch (kind) {
    case 'word':
      addWord(term, scale, key, add)
      break
    case 'syllables':
      add(hash32(piece, key ^ KIND.syllables), Math.round(scale * SYLLABLES_WORD))
      addGrams(piece, SYLLABLE_GRAMS, scale, key, add)
      break
    case 'dense':
      addDenseGrams(piece, scale, key, add)
      break
    case 'unspaced':
      addGrams(piece, UNSPACED_GRAMS, scale, key, add)
      break
    case 'symbol':
      add(hash32(piece, key ^ KIND.symbol), Math.round(scale * SYMBOL))
      break
    case 'mark':
      add(hash32(piece, key ^ KIND.mark), Math.round(scale * MARK))
      break
    default:
      kind satisfies never
  }
}

function addWord(word: Term, scale: number, key: number, add: AddFeature): void {
  const groups = groupsOf(word.stem)
  const weight = scale * word.weight
  add(hash32(word.stem, key ^ KIND.stem), Math.round(weight * (groups.length > 0 ? STEM_WITH_GROUP : STEM)))
  add(absorb(key ^ KIND.letters, sumOfLetters(word.piece)), Math.round(weight * LETTERS))
  const share = Math.round((weight * GROUP) / Math.sqrt(groups.length))
  for (const group of groups) add(absorb(key ^ KIND.group, group), share)
  if (NEGATIONS.has(word.piece)) add(absorb(key, KIND.negation), Math.round(scale * NEGATION))
  addWordGrams(WORD_START + word.piece + WORD_END, weight * WORD_GRAMS, key, add)
}

/** The same for the same letters in any order: swapped letters are the typo that breaks most n-grams. */
function sumOfLetters(word: string): number {
  let sum = 0
  for (let i = 0; i < word.length; i++) sum += mix32(word.charCodeAt(i))
  return sum | 0
}

/** The character n-grams of a marked word; all of them together weigh `scale`. */
function addWordGrams(marked: string, scale: number, key: number, add: AddFeature): void {
  let grams = 0
  for (let n = SHORTEST_WORD_GRAM; n <= LONGEST_WORD_GRAM; n++) grams += Math.max(0, marked.length - n + 1)
  const weight = Math.round(scale / Math.sqrt(grams))
  for (let start = 0; start <= marked.length - SHORTEST_WORD_GRAM; start++) {
    const end = Math.min(marked.length, start + LONGEST_WORD_GRAM)
    let hash = key ^ KIND.gram
    for (let i = start; i < end; i++) {
      hash = absorb(hash, marked.charCodeAt(i))
      if (i - start + 1 >= SHORTEST_WORD_GRAM) add(hash, weight)
    }
  }
}

/** The character n-grams of a run; `weights` by n says which. */
function addGrams(run: string, weights: readonly number[], scale: number, key: number, add: AddFeature): void {
  for (let start = 0; start < run.length; start++) {
    let hash = key ^ KIND.gram
    for (let n = 1; n < weights.length && start + n <= run.length; n++) {
      hash = absorb(hash, run.charCodeAt(start + n - 1))
      const weight = weights[n]!
      if (weight > 0) add(hash, Math.round(scale * weight))
    }
  }
}

/** As `addGrams`; an n-gram weighs less by its characters that say little. */
function addDenseGrams(run: string, scale: number, key: number, add: AddFeature): void {
  for (let start = 0; start < run.length; start++) {
    let hash = key ^ KIND.gram
    let telling = 0
    for (let n = 1; n < DENSE_GRAMS.length && start + n <= run.length; n++) {
      const index = start + n - 1
      hash = absorb(hash, run.charCodeAt(index))
      if (!FAINT_DENSE.test(run[index]!)) telling++
      add(hash, Math.round(scale * DENSE_GRAMS[n]! * Math.max(0.3, telling / n)))
    }
  }
}
