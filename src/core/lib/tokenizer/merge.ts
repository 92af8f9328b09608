/**
 * Byte-pair merging: how a word that is not a token becomes several.
 *
 * At first each byte is a token. Two neighbours whose bytes together are a token are a pair. The pair whose token has
 * the lowest rank is merged, the leftmost if there are several, and so on until there are no pairs.
 */
import { mergeLong } from './merge-long.ts'
import { mergeShort } from './merge-short.ts'
import type { TokenTable } from './token-table.ts'

/** Up to here n * n simple steps are faster than n * log n steps with a queue. */
const MAX_SHORT_LENGTH = 256

/** Calls `add` with the length of each token of the first `length` bytes, in their order. */
export function mergePairs(table: TokenTable, bytes: Uint8Array, length: number, add: (length: number) => void): void {
  if (length <= MAX_SHORT_LENGTH) mergeShort(table, bytes, length, add)
  else mergeLong(table, bytes, length, add)
}
