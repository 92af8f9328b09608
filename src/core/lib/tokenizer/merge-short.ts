/** Byte-pair merging of a short word: looks at all pairs for each merge. */
import type { TokenTable } from './token-table.ts'

const NO_PAIR = 0x7fffffff

/** The places where tokens start, and the rank of each token with the next one. */
let starts = new Int32Array(64)
let pairs = new Int32Array(64)

/** Calls `add` with the length of each token of the first `length` bytes, in their order. */
export function mergeShort(table: TokenTable, bytes: Uint8Array, length: number, add: (length: number) => void): void {
  if (starts.length <= length) {
    starts = new Int32Array(2 * length)
    pairs = new Int32Array(2 * length)
  }
  let count = length
  const setPair = (index: number): void => {
    const rank = index + 1 < count ? table.rankOf(bytes, starts[index]!, starts[index + 2]!) : -1
    pairs[index] = rank < 0 ? NO_PAIR : rank
  }

  for (let index = 0; index <= length; index++) starts[index] = index
  for (let index = 0; index < length; index++) setPair(index)
  for (let at = lowest(count); at >= 0; at = lowest(count)) {
    count--
    // Faster than copyWithin for a few numbers.
    for (let index = at + 1; index <= count; index++) {
      starts[index] = starts[index + 1]!
      pairs[index] = pairs[index + 1]!
    }
    setPair(at)
    if (at > 0) setPair(at - 1)
  }

  for (let index = 0; index < count; index++) add(starts[index + 1]! - starts[index]!)
}

/** The index of the leftmost pair with the lowest rank; -1 if there are no pairs. */
function lowest(count: number): number {
  let at = -1
  let rank = NO_PAIR
  for (let index = 0; index < count; index++) {
    if (pairs[index]! < rank) {
      rank = pairs[index]!
      at = index
    }
  }
  return at
}
