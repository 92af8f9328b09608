/** What is said, in the pieces that a stream sends. */

import { MemoCache } from '../../cache/memo-cache.ts'
import type { AssistantMessage } from '../../plan/assistant-message.ts'
import { mayCut } from '../../text/graphemes.ts'
import type { Piece, Tokenizer } from '../../tokenizer/tokenizer.ts'

/** The pieces of a text or refusal, in one list; of calls, a list for the input of each. */
export type Pieces = readonly (readonly Piece[])[]

export function piecesOf(speech: AssistantMessage, tokenizer: Tokenizer): Pieces {
  return speech.type === 'calls'
    ? speech.calls.map(({ input }) => piecesOfText(input, tokenizer))
    : [piecesOfText(speech.text, tokenizer)]
}

const kept = new WeakMap<Tokenizer, MemoCache<readonly Piece[]>>()

function piecesOfText(text: string, tokenizer: Tokenizer): readonly Piece[] {
  let ofTokenizer = kept.get(tokenizer)
  if (ofTokenizer === undefined) {
    ofTokenizer = new MemoCache(256, 1024)
    kept.set(tokenizer, ofTokenizer)
  }
  return ofTokenizer.of(text, () => cut(text, tokenizer))
}

/** The text in pieces that end where it may be cut, each of as few tokens as that takes. */
function cut(text: string, tokenizer: Tokenizer): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let end = 0
  let tokens = 0
  for (const piece of tokenizer.pieces(text)) {
    end += piece.text.length
    tokens += piece.tokens
    if (!mayCut(text, end)) continue
    pieces.push({ text: text.slice(start, end), tokens })
    start = end
    tokens = 0
  }
  if (start < text.length) pieces.push({ text: text.slice(start), tokens })
  return pieces
}
