/**
 * The pieces in which a stream sends a message: most hold one token. A long stream stores them packed.
 *
 *     [{ text: 'Hel', tokens: 1 }, { text: 'lo', tokens: 1 }]
 *     -> { text: 'Hello', starts: [0, 3, 5], tokens: [0, 1, 2] }
 */

import type { Piece } from '../../lib/tokenizer/tokenizer.ts'

/** One list of pieces for a text or refusal; for calls, one list for the input of each call. */
export type Pieces = readonly (readonly Piece[])[]

/** Pieces as they are stored until they are sent: eight bytes each outside the heap, instead of an object with a text. */
export type PackedPieces = Readonly<ReturnType<typeof packPieces>>

export function packPieces(pieces: readonly Piece[]) {
  /** The beginning of each piece in characters; one more for the end. */
  const starts = new Uint32Array(pieces.length + 1)
  /** The beginning of each piece in tokens; one more for the end. */
  const tokens = new Uint32Array(pieces.length + 1)
  for (const [index, piece] of pieces.entries()) {
    starts[index + 1] = starts[index]! + piece.text.length
    tokens[index + 1] = tokens[index]! + piece.tokens
  }
  return { text: pieces.map(({ text }) => text).join(''), starts, tokens }
}

export const unpackPieces = ({ text, starts, tokens }: PackedPieces): Piece[] =>
  Array.from({ length: starts.length - 1 }, (_, index) => ({
    text: text.slice(starts[index], starts[index + 1]),
    tokens: tokens[index + 1]! - tokens[index]!,
  }))
