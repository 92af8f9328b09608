/**
 * Byte-pair merging: how a word that is not a token becomes several.
 *
 * At first each byte is a token. Two neighbours whose bytes together are a token are a pair that can be merged. The pair
 * whose token has the lowest id is merged first, the leftmost of several, until there are no such pairs.
 *
 * The tokens are a linked list, and the pairs are in a priority queue. A merge changes the pair on its left and the one
 * on its right: the changed pairs enter the queue, and the pairs they were are passed over when they come up. So a word
 * of n bytes takes n log n steps at worst, whatever it says.
 */
import { PairQueue } from './pair-queue.ts'
import type { TokenTable } from './token-table.ts'

const NONE = -1
/** The list for words up to this length is used again. */
const MAX_KEPT_LENGTH = 256

/** The tokens of a word, each by the place of its first byte. */
class TokenList {
  readonly next: Int32Array
  readonly previous: Int32Array
  /** The id of the token that a token and its next one are together. */
  readonly pairs: Int32Array
  readonly queue: PairQueue

  constructor(maxLength: number) {
    this.next = new Int32Array(maxLength + 1)
    this.previous = new Int32Array(maxLength + 1)
    this.pairs = new Int32Array(maxLength)
    // Each merge takes one pair out and adds at most two.
    this.queue = new PairQueue(3 * maxLength)
  }
}

const kept = new TokenList(MAX_KEPT_LENGTH)

/** Calls `add` with the length of each token of the first `length` bytes, in their order. */
export function mergePairs(table: TokenTable, bytes: Uint8Array, length: number, add: (length: number) => void): void {
  const { next, previous, pairs, queue } = length > MAX_KEPT_LENGTH ? new TokenList(length) : kept
  const enter = (place: number, end: number): void => {
    const id = end > length ? NONE : table.find(bytes, place, end)
    pairs[place] = id
    if (id !== NONE) queue.push(id, place)
  }

  for (let place = 0; place < length; place++) {
    next[place] = place + 1
    previous[place + 1] = place
    enter(place, place + 2)
  }
  // The pair of the last token is past the end.
  next[length] = length + 1

  while (queue.take()) {
    const { id, place } = queue
    if (pairs[place] !== id) continue
    const merged = next[place]!
    const end = next[merged]!
    pairs[merged] = NONE
    next[place] = end
    previous[end] = place
    if (place > 0) enter(previous[place]!, end)
    enter(place, next[end]!)
  }

  for (let place = 0; place < length; place = next[place]!) add(next[place]! - place)
}
