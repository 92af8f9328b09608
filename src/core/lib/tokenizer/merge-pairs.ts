/**
 * Byte-pair merging: how a word that is not a token becomes several.
 *
 * At first each byte is a token. Two neighbours whose bytes together are a token are a pair. The pair whose token has
 * the lowest rank is merged, the leftmost if there are several, and so on until there are no pairs:
 *
 *     m o c k e d  ->  m o c k ed  ->  m oc k ed  ->  m ock ed  ->  mock ed
 */
import { NO_RANK, type TokenTable } from './token-table.ts'

/** Receives the length in bytes of each token of a word, in their order. */
type AddToken = (length: number) => void

/** A longer word is merged in parts of this many bytes at first. */
const PART_LENGTH = 128

// The tokens of the word that `mergePart` merges. `starts` has the start of each token, and then the end of the word; `ranks` has the
// rank of each token joined with the next one. All words share these arrays, which are replaced by longer ones when a part needs them.
// With new arrays for each part, a word of 20,000 letters takes 1.3 times as long.
let starts = new Int32Array(PART_LENGTH + 2)
let ranks = new Int32Array(PART_LENGTH + 2)

/**
 * Calls `add` with each token of the word in the first `length` bytes. A long word is merged in parts that overlap, in linear
 * time; merging it whole takes quadratic time.
 *
 * Tokens are the encoding of a word exactly if each two neighbours are the encoding of their bytes: then no merge can
 * cross the place between them. So two parts are joined at a place where a token of both ends, if the token before it
 * in the first part and the token after it in the second part are such neighbours. Where no place is found, everything
 * begins again with parts of twice the length.
 * @see https://github.com/github/rust-gems/tree/main/crates/bpe for the proof
 */
export function mergePairs(
  table: TokenTable,
  bytes: Uint8Array,
  length: number,
  add: AddToken,
  partLength = PART_LENGTH,
): void {
  if (length <= partLength) return mergePart(table, bytes, 0, length, add)
  /** The places between the tokens of the part that begins at `start`: `start` itself, and the end of each token. */
  const placesFrom = (start: number): number[] => {
    const places = [start]
    let end = start
    mergePart(table, bytes, start, Math.min(length, start + partLength), (size) => places.push((end += size)))
    return places
  }
  const areNeighbours = (start: number, middle: number, end: number): boolean => {
    const pair: number[] = []
    mergePart(table, bytes, start, end, (size) => pair.push(size))
    return pair.length === 2 && pair[0] === middle - start
  }

  // Tokens are added at the end, because everything may begin again.
  const sizes = new Uint8Array(length)
  let count = 0
  let part = placesFrom(0)
  /** The index of the place in `part` up to which `sizes` is filled. */
  let filled = 0
  while (part.at(-1)! < length) {
    const overlap = part.at(-1)! - partLength / 4
    const beforeOverlap = part.findLastIndex((place) => place <= overlap)
    /** The index of the place in `part` where `next` may be joined to it. */
    let joint = Math.max(1, beforeOverlap)
    const next = placesFrom(part[joint]!)
    /** The index of the same place in `next`. */
    let nextJoint = 0
    for (; joint < part.length; joint++) {
      while (next[nextJoint]! < part[joint]!) nextJoint++
      if (next[nextJoint] === part[joint] && areNeighbours(part[joint - 1]!, part[joint]!, next[nextJoint + 1]!)) break
    }
    if (joint === part.length) return mergePairs(table, bytes, length, add, 2 * partLength)
    for (; filled < joint; filled++) sizes[count++] = part[filled + 1]! - part[filled]!
    part = next
    filled = nextJoint
  }
  for (; filled + 1 < part.length; filled++) sizes[count++] = part[filled + 1]! - part[filled]!
  for (let index = 0; index < count; index++) add(sizes[index]!)
}

/** Merges the bytes from `start` to `end`. */
function mergePart(table: TokenTable, bytes: Uint8Array, start: number, end: number, add: AddToken): void {
  let count = end - start
  if (starts.length < count + 2) {
    starts = new Int32Array(count + 2)
    ranks = new Int32Array(count + 2)
  }
  let lowest = NO_RANK
  for (let index = 0; index <= count; index++) {
    starts[index] = start + index
    ranks[index] = index + 1 < count ? table.rankOf(bytes, start + index, start + index + 2) : NO_RANK
    if (ranks[index]! < lowest) lowest = ranks[index]!
  }
  // Each round merges all pairs of the lowest rank from left to right, and moves the tokens that are left to the front. A
  // merge can make a pair of a still lower rank: then the rest of the round merges nothing, and that pair is next.
  while (lowest < NO_RANK) {
    const merged = lowest
    /** The number of tokens that are left of those before `index`. */
    let kept = 0
    lowest = NO_RANK
    for (let index = 0; index < count; index++, kept++) {
      starts[kept] = starts[index]!
      ranks[kept] = ranks[index]!
      if (ranks[kept] === merged && lowest >= merged) {
        // The token takes in the next one, and both of its pairs change.
        index++
        ranks[kept] = index + 1 < count ? table.rankOf(bytes, starts[kept]!, starts[index + 2]!) : NO_RANK
        if (kept > 0) {
          ranks[kept - 1] = table.rankOf(bytes, starts[kept - 1]!, starts[index + 1]!)
          if (ranks[kept - 1]! < lowest) lowest = ranks[kept - 1]!
        }
      }
      if (ranks[kept]! < lowest) lowest = ranks[kept]!
    }
    starts[kept] = end
    count = kept
  }
  for (let index = 0; index < count; index++) add(starts[index + 1]! - starts[index]!)
}
