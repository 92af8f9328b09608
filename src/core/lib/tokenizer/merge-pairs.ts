/**
 * Byte-pair merging: how a word that is not a token becomes several.
 *
 * At first each byte is a token. Two neighbours whose bytes together are a token are a pair. The pair whose token has
 * the lowest rank is merged, the leftmost if there are several, and so on until there are no pairs.
 */
import { MAX_RANKS, MAX_TOKEN_LENGTH, type TokenTable } from './token-table.ts'

/** Receives the length in bytes of each token of a word, in their order. */
type AddToken = (length: number) => void

/** Longest word in bytes that is merged by looking at all pairs for each merge; two tokens are not longer. */
const MAX_SHORT_LENGTH = 2 * MAX_TOKEN_LENGTH
const NO_PAIR = 0x7fffffff

/** Start of each token of the word that is merged, and the rank of each token with the next one. */
const starts = new Int32Array(MAX_SHORT_LENGTH + 1)
const pairs = new Int32Array(MAX_SHORT_LENGTH + 1)

/** Calls `add` with each token of the word in the first `length` bytes. */
export function mergePairs(table: TokenTable, bytes: Uint8Array, length: number, add: AddToken): void {
  if (length <= MAX_SHORT_LENGTH) mergeShort(table, bytes, 0, length, add)
  else mergeLong(table, bytes.subarray(0, length), add)
}

/** Calls `add` with each token of the word from `first` to `last`. */
function mergeShort(table: TokenTable, bytes: Uint8Array, first: number, last: number, add: AddToken): void {
  let count = last - first
  const setPair = (index: number): void => {
    const rank = index + 1 < count ? table.rankOf(bytes, starts[index]!, starts[index + 2]!) : -1
    pairs[index] = rank < 0 ? NO_PAIR : rank
  }

  for (let index = 0; index <= count; index++) starts[index] = first + index
  for (let index = 0; index < count; index++) setPair(index)
  for (;;) {
    let lowest = -1
    for (let index = 0, rank = NO_PAIR; index < count; index++) {
      if (pairs[index]! < rank) {
        rank = pairs[index]!
        lowest = index
      }
    }
    if (lowest < 0) break
    count--
    // Faster than copyWithin for a few numbers.
    for (let index = lowest + 1; index <= count; index++) {
      starts[index] = starts[index + 1]!
      pairs[index] = pairs[index + 1]!
    }
    setPair(lowest)
    if (lowest > 0) setPair(lowest - 1)
  }
  for (let index = 0; index < count; index++) add(starts[index + 1]! - starts[index]!)
}

/**
 * Finds the same tokens in linear time.
 *
 * Tokens are the encoding of a word exactly if each two neighbours are the encoding of their bytes. So it takes the longest
 * token that can follow the token before it. If none can, the encoding has no token that ends here: it goes back by one token
 * and tries a shorter one.
 * @see https://github.com/github/rust-gems/tree/main/crates/bpe for the proof
 */
function mergeLong(table: TokenTable, bytes: Uint8Array, add: AddToken): void {
  const lengths = new Uint8Array(bytes.length)
  let count = 0
  /** 1 for each place where no token ends. */
  const isInside = new Uint8Array(bytes.length + 1)
  const ranks = new Int32Array(MAX_TOKEN_LENGTH + 1)
  /** By the ranks of two tokens: a word that repeats itself has few pairs, and merging two long tokens takes 0.1 ms. */
  const isPossible = new Map<number, boolean>()
  const canFollow = (start: number, middle: number, end: number, before: number, rank: number): boolean => {
    const key = before * MAX_RANKS + rank
    const known = isPossible.get(key)
    if (known !== undefined) return known
    const merged: number[] = []
    mergeShort(table, bytes, start, end, (length) => merged.push(length))
    const isSame = merged.length === (start < middle ? 2 : 1) && merged.at(-1) === end - middle
    if (isPossible.size > MAX_KNOWN) isPossible.clear()
    isPossible.set(key, isSame)
    return isSame
  }

  let longest = MAX_TOKEN_LENGTH
  for (let end = 0; end < bytes.length; ) {
    table.findTokensAt(bytes, end, ranks)
    const start = count === 0 ? 0 : end - lengths[count - 1]!
    const before = table.rankOf(bytes, start, end)
    let length = longest
    for (; length > 0; length--) {
      const rank = ranks[length]!
      if (rank >= 0 && isInside[end + length] === 0 && canFollow(start, end, end + length, before, rank)) break
    }
    if (length > 0) {
      lengths[count++] = length
      end += length
      longest = MAX_TOKEN_LENGTH
    } else {
      isInside[end] = 1
      longest = end - start - 1
      end = start
      count--
    }
  }
  for (let index = 0; index < count; index++) add(lengths[index]!)
}

const MAX_KNOWN = 100_000
