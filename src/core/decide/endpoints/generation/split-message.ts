/** Splits a message into the pieces that a stream sends: runs of tokens that end between characters. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { mayCut } from '../../../lib/text/graphemes.ts'
import type { Encoding } from '../../../lib/tokenizer/split-words.ts'
import type { Piece, Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { AssistantMessage } from '../../../protocol/turn/assistant-message.ts'
import { type PackedPieces, type Pieces, packPieces, unpackPieces } from '../../../protocol/turn/pieces.ts'
import type { CallContext } from '../../call/call-context.ts'

export function splitMessage(message: AssistantMessage, context: CallContext): Pieces {
  return message.type === 'calls'
    ? message.calls.map(({ input }) => splitText(input, context))
    : [splitText(message.text, context)]
}

/** The longest text whose pieces are cached, in characters. */
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
