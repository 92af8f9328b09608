/**
 * What a text is made of, as weighted features: the step from language to numbers.
 *
 * - A word is its stem, its groups of related words, its topics, its skeleton of consonants, and its character 3- to
 *   5-grams. The last two see typos and kinship ('operate', 'operator') in any language; of a word in the lists they
 *   weigh less, for its meaning is known. Common and very short words weigh less.
 * - Two neighbours are a feature too, so that the order of words counts a little; so does a negation. Neighbours are the
 *   same feature as the two words in one: 'bird cage' and 'birdcage'.
 * - Scripts without spaces are character n-grams alone.
 * - What occurs n times weighs the square root of n, and all n-grams of a word together weigh the same for long words
 *   and short ones.
 *
 * A feature is a 32-bit hash, a weight is a whole number: sums of them are exact, in any order, on any machine.
 */
import { absorb, hash32, mix32 } from '../../random/hash.ts'
import { countTerms, hashOfStem, type Term } from './terms.ts'
import { gradeOf } from './words/word-grade.ts'
import { relationsOf } from './words/word-relations.ts'

/** Takes one feature in. `hash`: 32 bits, not yet scrambled; `weight`: a whole number, 0 or more. */
type AddFeature = (hash: number, weight: number) => void

/** What a full word's stem weighs. */
const UNIT = 1024

// Shares of UNIT, set by hand on one half of the graded pairs in the tests and checked on the other half.
const STEM = 1
const STEM_WITH_GROUP = 0.6
const GROUP = 0.85
const TOPIC = 0.3
const SKELETON = { known: 0.3, unknown: 0.8 } as const
const WORD_GRAMS = { known: 0.25, unknown: 0.7 } as const
const NEIGHBOURS = 0.3
const NEGATION = 0.65
const SYLLABLES_WORD = 0.6
const SYMBOL = 1
const MARK = 0.03

// The weight of character n-grams by n, from 0.
const DENSE_GRAMS = [0, 0.5, 0.7, 0.3]
const SYLLABLE_GRAMS = [0, 0.5, 0.6, 0.3]
const UNSPACED_GRAMS = [0, 0, 0, 0.4, 0.4, 0.3]

// Of the skeleton of a word: with fewer it weighs less.
const TELLING_CONSONANTS = 3
const MIN_WORD_GRAM = 3
const MAX_WORD_GRAM = 5
const WORD_START = '\x02'
const WORD_END = '\x03'

// Each kind of feature has hashes of its own, or 'cat' the stem would be 'cat' the n-gram.
const KIND = {
  stem: 1,
  group: 2,
  topic: 3,
  skeleton: 4,
  gram: 5,
  syllables: 6,
  symbol: 7,
  mark: 8,
  negation: 9,
  nothing: 10,
}

const NEGATIONS = new Set(
  'not no never none nobody nothing without cannot neither nor nicht kein keine pas jamais nunca non nao niet geen не нет'.split(
    ' ',
  ),
)

// Kana that mostly spell endings, and the Chinese characters of grammar.
const FAINT_DENSE = /[\u3041-\u309f的了是在我们不有和就人都一个上也很到说要去你会着没看好自这那之为与及其]/

/**
 * Calls `add` for every feature of `text`, each once or a few times. Linear in the length of the text.
 * @param key 32 bits; another key gives unrelated hashes and the same weights.
 */
export function eachFeature(text: string, key: number, add: AddFeature): void {
  const { byPiece, neighbours, saysNothing } = countTerms(text)
  for (const term of byPiece.values()) addTerm(term, UNIT * Math.sqrt(term.count), key, add)
  for (const [hash, { weight, count }] of neighbours) {
    add(absorb(key ^ KIND.stem, hash), Math.round(UNIT * NEIGHBOURS * weight * Math.sqrt(count)))
  }
  // Blanks and punctuation alone are a text about nothing, much like any other such text.
  if (saysNothing) add(absorb(key, KIND.nothing), UNIT)
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
  const { groups, topics } = relationsOf(word.stem)
  const weight = scale * word.weight
  const spelling = groups.length > 0 || gradeOf(word.piece) !== undefined ? 'known' : 'unknown'
  add(absorb(key ^ KIND.stem, hashOfStem(word.stem)), Math.round(weight * (groups.length > 0 ? STEM_WITH_GROUP : STEM)))
  addEach(groups, weight * GROUP, key ^ KIND.group, add)
  addEach(topics, weight * TOPIC, key ^ KIND.topic, add)
  addSkeleton(word.stem, weight * SKELETON[spelling], key ^ KIND.skeleton, add)
  if (NEGATIONS.has(word.piece)) add(absorb(key, KIND.negation), Math.round(scale * NEGATION))
  addWordGrams(WORD_START + word.piece + WORD_END, weight * WORD_GRAMS[spelling], key, add)
}

/** One feature for each number; all of them together weigh `scale`. */
function addEach(numbers: readonly number[], scale: number, key: number, add: AddFeature): void {
  const weight = Math.round(scale / Math.sqrt(numbers.length))
  for (const number of numbers) add(absorb(key, number), weight)
}

/**
 * One feature for the first letter and the consonants in any order: most typos swap neighbours, double a letter or miss
 * one of two, or take the wrong vowel, which breaks most n-grams. It weighs less with few consonants, which many words
 * share.
 */
function addSkeleton(word: string, scale: number, key: number, add: AddFeature): void {
  let before = word.charCodeAt(0)
  let sum = Math.imul(mix32(before), 3)
  let consonants = 1
  for (let i = 0; i < word.length; i++) {
    const letter = word.charCodeAt(i)
    if (letter !== before && !isVowel(letter)) {
      sum += mix32(letter)
      consonants++
    }
    before = letter
  }
  add(absorb(key, sum | 0), Math.round(scale * Math.min(1, consonants / TELLING_CONSONANTS)))
}

/** Whether it is one of a, e, i, o, u and y. */
function isVowel(letter: number): boolean {
  // A bit for each letter from a on; other scripts have consonants alone, as far as this goes.
  return letter >= 0x61 && letter <= 0x7a && ((0x1104111 >>> (letter - 0x61)) & 1) === 1
}

/** The character n-grams of a marked word; all of them together weigh `scale`. */
function addWordGrams(marked: string, scale: number, key: number, add: AddFeature): void {
  let grams = 0
  for (let n = MIN_WORD_GRAM; n <= MAX_WORD_GRAM; n++) grams += Math.max(0, marked.length - n + 1)
  const weight = Math.round(scale / Math.sqrt(grams))
  for (let start = 0; start <= marked.length - MIN_WORD_GRAM; start++) {
    const end = Math.min(marked.length, start + MAX_WORD_GRAM)
    let hash = key ^ KIND.gram
    for (let i = start; i < end; i++) {
      hash = absorb(hash, marked.charCodeAt(i))
      if (i - start + 1 >= MIN_WORD_GRAM) add(hash, weight)
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
