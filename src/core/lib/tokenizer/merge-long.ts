/**
 * Byte-pair merging of a long word, in n log n steps at worst.
 *
 * The tokens are a linked list, and the pairs are in a priority queue. A merge changes the pair on its left and the one
 * on its right: the changed pairs enter the queue, and the pairs they were are passed over when they come up.
 */
import { PairQueue } from './pair-queue.ts'
import type { TokenTable } from './token-table.ts'

const NO_PAIR = -1

/** Calls `add` with the length of each token of the first `length` bytes, in their order. */
export function mergeLong(table: TokenTable, bytes: Uint8Array, length: number, add: (length: number) => void): void {
  // A token is known by the place of its first byte.
  const next = new Int32Array(length + 1)
  const previous = new Int32Array(length + 1)
  /** The rank of each token with the next one. */
  const pairs = new Int32Array(length)
  // Each merge takes one pair out and adds at most two.
  const queue = new PairQueue(3 * length)
  const enter = (place: number, end: number): void => {
    const rank = end > length ? NO_PAIR : table.rankOf(bytes, place, end)
    pairs[place] = rank
    if (rank !== NO_PAIR) queue.add(rank, place)
  }

  for (let place = 0; place < length; place++) {
    next[place] = place + 1
    previous[place + 1] = place
    enter(place, place + 2)
  }
  // The pair of the last token would end past the end.
  next[length] = length + 1

  while (queue.take()) {
    const { rank, place } = queue
    if (pairs[place] !== rank) continue
    const merged = next[place]!
    const end = next[merged]!
    pairs[merged] = NO_PAIR
    next[place] = end
    previous[end] = place
    if (place > 0) enter(previous[place]!, end)
    enter(place, next[end]!)
  }

  for (let place = 0; place < length; place = next[place]!) add(next[place]! - place)
}
