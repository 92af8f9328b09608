/**
 * Turns a text into weighted features: 32-bit hashes, each with a whole number as its weight. Texts that share many features
 * are similar.
 *
 * - A word has these features: its stem, the groups of related words and the topics that the stem belongs to, its
 *   consonant skeleton, and its character 3- to 5-grams. The last two match typos and related forms ('operate',
 *   'operator') in any language; they weigh less for a word in the lists, because its meaning is known.
 * - Each pair of neighbouring words is a feature, so that word order counts a little. It equals the feature of the two
 *   words written as one: 'bird cage' and 'birdcage'.
 * - Scripts without spaces between words have character n-grams only.
 * - A feature that occurs n times weighs the square root of n. Common and very short words weigh less.
 * - A word with many n-grams or topics must not outweigh a word with few. So the weight of such a set is the length of its
 *   vector, which is the root of the sum of squares: each of its k features weighs the weight of the set / sqrt(k).
 *
 * Hashes are built with the steps of MurmurHash3 (`absorb` takes one number into a running hash). Weights are whole
 * numbers, so sums of them are exact in any order and on any machine.
 */
import { absorb, hash32, mix32 } from '../random/hash.ts'
import type { Sketch } from './projection.ts'
import { countTerms, hashOfStem, type Term } from './terms.ts'
import { commonWeight, relationsOf } from './words/known-words.ts'

/** The weight of the stem of a word that is neither common nor short. */
const UNIT = 1024

// Shares of UNIT. They were tuned by hand on one half of the graded pairs of the tests and checked on the other half.
const STEM = 1
const STEM_WITH_GROUP = 0.6
const GROUP = 0.85
const TOPIC = 0.3
const SKELETON = { known: 0.3, unknown: 0.8 } as const
const WORD_GRAMS = { known: 0.25, unknown: 0.7 } as const
const NEIGHBOURS = 0.3
const NEGATION = 0.65
/** Korean words, emoji and punctuation as they are. `PieceKind` in segment.ts defines the kinds. */
const WHOLE_PIECES = { syllables: 0.6, symbol: 1, mark: 0.03 } as const

// The share of an n-gram, at index n; 0 leaves it out. Chinese is dense and Thai is unspaced.
const RUN_GRAMS = { dense: [0, 0.5, 0.7, 0.3], syllables: [0, 0.5, 0.6, 0.3], unspaced: [0, 0, 0, 0.4, 0.4, 0.3] }
/** The least part of its share that an n-gram of grammar characters keeps. */
const MIN_MEANING = 0.3

// A skeleton with fewer consonants weighs less, because many words share it.
const FULL_SKELETON = 3
/** One bit for each vowel; bit 0 is the letter a. */
const VOWELS = [...'aeiouy'].reduce((bits, vowel) => bits | (1 << (vowel.charCodeAt(0) - 0x61)), 0)
const MIN_WORD_GRAM = 3
const MAX_WORD_GRAM = 5
const WORD_START = '\x02'
const WORD_END = '\x03'

/** Numbers that are combined with the key, so that the stem 'cat' and the n-gram 'cat' are different features. */
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
  blank: 10,
}

const NEGATIONS = new Set([
  ...'not no never none nobody nothing without cannot neither nor'.split(' '),
  ...'nicht kein keine pas jamais nunca non nao niet geen не нет'.split(' '),
])

// Kana that mostly spell endings, and Chinese characters that carry grammar more than meaning: n-grams of them weigh less.
const GRAMMAR_CHARACTER = /[\u3041-\u309f的了是在我们不有和就人都一个上也很到说要去你会着没看好自这那之为与及其]/

/**
 * Adds every feature of `text` to the sketch; the same feature may come more than once. Linear in the length of the text.
 * @param key 32 bits; another key gives unrelated hashes with the same weights.
 */
export function addFeatures(sketch: Sketch, text: string, key: number): void {
  const { byPiece, neighbours, isBlank } = countTerms(text)
  for (const term of byPiece.values()) {
    const { piece, kind, count } = term
    const scale = UNIT * Math.sqrt(count)
    if (kind === 'word') addWord(sketch, term, scale, key)
    if (kind === 'symbol' || kind === 'mark' || kind === 'syllables')
      sketch.add(hash32(piece, key ^ KIND[kind]), Math.round(scale * WHOLE_PIECES[kind]))
    if (kind === 'syllables' || kind === 'dense' || kind === 'unspaced') addRunGrams(sketch, piece, kind, scale, key)
  }
  for (const [hash, { weight, count }] of neighbours) {
    sketch.add(absorb(key ^ KIND.stem, hash), Math.round(UNIT * NEIGHBOURS * weight * Math.sqrt(count)))
  }
  // Texts of spaces and punctuation alone are similar to each other.
  if (isBlank) sketch.add(absorb(key, KIND.blank), UNIT)
}

/** Adds the features of a word: its meaning, its skeleton and its n-grams. `scale` is the weight of a share of 1. */
function addWord(sketch: Sketch, word: Term, scale: number, key: number): void {
  const { groups, topics } = relationsOf(word.stem)
  const weight = scale * word.weight
  const spelling = groups.length > 0 || commonWeight(word.piece) !== undefined ? 'known' : 'unknown'
  sketch.add(
    absorb(key ^ KIND.stem, hashOfStem(word.stem)),
    Math.round(weight * (groups.length > 0 ? STEM_WITH_GROUP : STEM)),
  )
  for (const id of groups)
    sketch.add(absorb(key ^ KIND.group, id), Math.round((weight * GROUP) / Math.sqrt(groups.length)))
  for (const id of topics)
    sketch.add(absorb(key ^ KIND.topic, id), Math.round((weight * TOPIC) / Math.sqrt(topics.length)))
  addSkeleton(sketch, word.stem, weight * SKELETON[spelling], key ^ KIND.skeleton)
  if (NEGATIONS.has(word.piece)) sketch.add(absorb(key, KIND.negation), Math.round(scale * NEGATION))
  addWordGrams(sketch, WORD_START + word.piece + WORD_END, weight * WORD_GRAMS[spelling], key)
}

/**
 * Adds one feature for the first letter and the consonants of a word in any order. Most typos keep these: they swap
 * neighbours, double a letter, drop a doubled one or take the wrong vowel. The n-grams around a typo do not match.
 */
function addSkeleton(sketch: Sketch, word: string, scale: number, key: number): void {
  let before = word.charCodeAt(0)
  // A sum of hashes does not depend on the order. The factor tells the first letter from the same letter further on.
  let sum = Math.imul(mix32(before), 3)
  let consonants = 1
  for (let i = 0; i < word.length; i++) {
    const letter = word.charCodeAt(i)
    // Letters of other scripts count as consonants.
    const isVowel = letter >= 0x61 && letter <= 0x7a && ((VOWELS >>> (letter - 0x61)) & 1) === 1
    if (letter !== before && !isVowel) {
      sum += mix32(letter)
      consonants++
    }
    before = letter
  }
  sketch.add(absorb(key, sum | 0), Math.round(scale * Math.min(1, consonants / FULL_SKELETON)))
}

/** Adds the character n-grams of a word with start and end marks; the vector of all of them has the length `scale`. */
function addWordGrams(sketch: Sketch, marked: string, scale: number, key: number): void {
  let grams = 0
  for (let n = MIN_WORD_GRAM; n <= MAX_WORD_GRAM; n++) grams += Math.max(0, marked.length - n + 1)
  const weight = Math.round(scale / Math.sqrt(grams))
  for (let start = 0; start <= marked.length - MIN_WORD_GRAM; start++) {
    const end = Math.min(marked.length, start + MAX_WORD_GRAM)
    let hash = key ^ KIND.gram
    for (let i = start; i < end; i++) {
      hash = absorb(hash, marked.charCodeAt(i))
      if (i - start + 1 >= MIN_WORD_GRAM) sketch.add(hash, weight)
    }
  }
}

/** Adds the character n-grams of a run. A longer run weighs more, because it holds more words. */
function addRunGrams(sketch: Sketch, run: string, kind: keyof typeof RUN_GRAMS, scale: number, key: number): void {
  const shares = RUN_GRAMS[kind]
  for (let start = 0; start < run.length; start++) {
    let hash = key ^ KIND.gram
    let meaningful = 0
    for (let n = 1; n < shares.length && start + n <= run.length; n++) {
      const index = start + n - 1
      hash = absorb(hash, run.charCodeAt(index))
      if (kind !== 'dense' || !GRAMMAR_CHARACTER.test(run[index]!)) meaningful++
      const share = shares[n]!
      if (share > 0) sketch.add(hash, Math.round(scale * share * Math.max(MIN_MEANING, meaningful / n)))
    }
  }
}
