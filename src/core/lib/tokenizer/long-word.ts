/**
 * Encodes a word of any length in parts.
 *
 * Tokens are the encoding of a word exactly if each two neighbours are the encoding of their bytes: then no merge can
 * cross the place between them. So a part may end between two tokens where this holds for the last token of the part and
 * the first of the next one. The parts overlap, because the end of a part is encoded without what follows.
 * @see https://github.com/github/rust-gems/tree/main/crates/bpe for the proof
 */
import { MAX_BYTES_PER_UNIT } from '../text/utf8-size.ts'
import type { Steps } from '../work/steps.ts'
import { mergePairs } from './merge.ts'
import type { TokenTable } from './token-table.ts'
import { byteLength, writeUtf8 } from './utf8.ts'

const PART_LENGTH = 4096
/** Tokens at the end of a part that the next part encodes again. */
const OVERLAP = 32

/** Calls `add` with the length in bytes of each token of a word until `isEnough`; yields after each part. */
export function* encodeLongWord(
  table: TokenTable,
  word: string,
  add: (length: number) => void,
  isEnough: () => boolean,
): Steps<void> {
  let part = encodePart(table, word, 0, PART_LENGTH)
  while (part.end < word.length) {
    const next = findNextPart(table, word, part) ?? encodePart(table, word, part.start, 2 * (part.end - part.start))
    yield part.bytes.length + next.bytes.length
    // The word went on with tokens that no part can end with, so the part is longer now.
    if (next.start > part.start) for (let token = 0; token < next.tokensBefore; token++) add(part.lengths[token]!)
    part = next
    if (isEnough()) return
  }
  for (const length of part.lengths) add(length)
}

/** A part of a word and the tokens that it would have without the rest. */
interface Part {
  /** Where it is in the word. */
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
  readonly lengths: readonly number[]
  /** How many tokens of the part before it are before its start. */
  readonly tokensBefore: number
}

function encodePart(table: TokenTable, word: string, start: number, maxLength: number, tokensBefore = 0): Part {
  let end = Math.min(word.length, start + maxLength)
  if (end < word.length && word.codePointAt(end - 1)! > 0xffff) end--
  const bytes = new Uint8Array((end - start) * MAX_BYTES_PER_UNIT)
  const length = writeUtf8(word, start, end, bytes)
  return { start, end, bytes: bytes.subarray(0, length), lengths: tokenLengths(table, bytes, length), tokensBefore }
}

/** The next part. Undefined if no two tokens of the overlap allow the first part to end between them. */
function findNextPart(table: TokenTable, word: string, part: Part): Part | undefined {
  const { bytes, lengths } = part
  let byte = bytes.length
  for (let token = lengths.length - 1; token > 0 && token >= lengths.length - 2 * OVERLAP; token--) {
    byte -= lengths[token]!
    // A part is a part of the text, so it begins with a whole character.
    if (token > lengths.length - OVERLAP || (bytes[byte]! & 0xc0) === 0x80) continue
    const next = encodePart(table, word, part.start + unitsIn(word, part.start, byte), PART_LENGTH, token)
    const before = bytes.subarray(byte - lengths[token - 1]!, byte)
    if (areNeighbours(table, before, next.bytes.subarray(0, next.lengths[0]))) return next
  }
  return undefined
}

/** Whether two tokens are the encoding of their bytes. */
function areNeighbours(table: TokenTable, first: Uint8Array, second: Uint8Array): boolean {
  const both = new Uint8Array([...first, ...second])
  const [length] = tokenLengths(table, both, both.length)
  return length === first.length
}

function tokenLengths(table: TokenTable, bytes: Uint8Array, length: number): number[] {
  const lengths: number[] = []
  mergePairs(table, bytes, length, (one) => lengths.push(one))
  return lengths
}

/** How many UTF-16 units of a text from `start` on take so many bytes. */
function unitsIn(text: string, start: number, bytes: number): number {
  let end = start
  for (let rest = bytes; rest > 0; ) {
    const codePoint = text.codePointAt(end)!
    rest -= byteLength(codePoint)
    end += codePoint > 0xffff ? 2 : 1
  }
  return end - start
}
