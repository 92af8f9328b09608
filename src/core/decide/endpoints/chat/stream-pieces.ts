/** Splits a message into the pieces that a stream sends, each about a token. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { mayCut } from '../../../lib/text/graphemes.ts'
import type { Encoding } from '../../../lib/tokenizer/split-words.ts'
import type { Piece, Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { AssistantMessage } from '../../../protocol/plan/assistant-message.ts'
import type { CallContext } from '../../call/call-context.ts'

/** One list of pieces for a text or refusal; for calls, one list for the input of each call. */
export type Pieces = readonly (readonly Piece[])[]

export function splitMessage(message: AssistantMessage, context: CallContext): Pieces {
  return message.type === 'calls'
    ? message.calls.map(({ input }) => splitText(input, context))
    : [splitText(message.text, context)]
}

/** Longer texts are split anew each time. */
const MAX_CACHED_LENGTH = 1000
const caches: Readonly<Record<Encoding, MemoCache<readonly Piece[]>>> = {
  o200k_base: new MemoCache(256, MAX_CACHED_LENGTH),
  cl100k_base: new MemoCache(256, MAX_CACHED_LENGTH),
}

function splitText(text: string, context: CallContext): readonly Piece[] {
  const { tokenizer } = context
  if (text.length <= MAX_CACHED_LENGTH) return caches[tokenizer.encoding].of(text, () => joinTokens(text, tokenizer))
  const split = (): PackedPieces => packPieces(joinTokens(text, tokenizer))
  return unpackPieces(context.memo(`stream pieces ${tokenizer.encoding}`, text, split))
}

/** The shortest runs of tokens that do not end inside what a reader sees as one character. */
function joinTokens(text: string, tokenizer: Tokenizer): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let tokens = 0
  tokenizer.walk(text, (end, lengths) => {
    tokens += lengths.length
    if (!mayCut(text, end)) return
    pieces.push({ text: text.slice(start, end), tokens })
    start = end
    tokens = 0
  })
  return pieces
}

/** The pieces of a stream until they are sent: eight bytes each outside the heap, instead of an object with a text. */
export interface PackedPieces {
  readonly text: string
  /** The beginning of each piece in characters; one more for the end. */
  readonly starts: Uint32Array
  /** The same in tokens. */
  readonly tokens: Uint32Array
}

export function packPieces(pieces: readonly Piece[]): PackedPieces {
  const starts = new Uint32Array(pieces.length + 1)
  const tokens = new Uint32Array(pieces.length + 1)
  for (const [index, piece] of pieces.entries()) {
    starts[index + 1] = starts[index]! + piece.text.length
    tokens[index + 1] = tokens[index]! + piece.tokens
  }
  return { text: pieces.map(({ text }) => text).join(''), starts, tokens }
}

const unpackPieces = ({ text, starts, tokens }: PackedPieces): Piece[] =>
  Array.from({ length: starts.length - 1 }, (_, index) => ({
    text: text.slice(starts[index], starts[index + 1]),
    tokens: tokens[index + 1]! - tokens[index]!,
  }))
