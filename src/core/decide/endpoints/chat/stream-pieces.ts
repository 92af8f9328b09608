/** Splits a message into the pieces that a stream sends, each about a token. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { mayCut } from '../../../lib/text/graphemes.ts'
import type { Encoding, Piece } from '../../../lib/tokenizer/tokenizer.ts'
import { finish, MAX_LIGHT_LENGTH, type Steps } from '../../../lib/work/steps.ts'
import type { AssistantMessage } from '../../../protocol/plan/assistant-message.ts'
import type { CallContext } from '../../call/call-context.ts'

/** One list of pieces for a text or refusal; for calls, one list for the input of each call. */
export type Pieces = readonly (readonly Piece[])[]

export function splitMessage(message: AssistantMessage, context: CallContext): Pieces {
  return message.type === 'calls'
    ? message.calls.map(({ input }) => splitText(input, context))
    : [splitText(message.text, context)]
}

const caches: Readonly<Record<Encoding, MemoCache<readonly Piece[]>>> = {
  o200k_base: new MemoCache(256, 1024),
  cl100k_base: new MemoCache(256, 1024),
}

function splitText(text: string, context: CallContext): readonly Piece[] {
  const { tokenizer } = context
  if (text.length <= MAX_LIGHT_LENGTH) {
    return caches[tokenizer.encoding].of(text, () => finish(joinTokens(text, tokenizer.pieces(text))))
  }
  const tokens = tokenizer.pieces(text)
  return context.prepare(`stream pieces ${tokenizer.encoding}`, text, () => joinTokens(text, tokens))
}

const TOKENS_PER_STEP = 1000

/** The shortest runs of tokens that do not end inside what a reader sees as one character. */
function* joinTokens(text: string, tokensOfText: readonly Piece[]): Steps<Piece[]> {
  const pieces: Piece[] = []
  let start = 0
  let end = 0
  let tokens = 0
  for (const [index, piece] of tokensOfText.entries()) {
    end += piece.text.length
    tokens += piece.tokens
    if (index % TOKENS_PER_STEP === TOKENS_PER_STEP - 1) yield TOKENS_PER_STEP
    if (!mayCut(text, end)) continue
    pieces.push({ text: text.slice(start, end), tokens })
    start = end
    tokens = 0
  }
  if (start < text.length) pieces.push({ text: text.slice(start), tokens })
  return pieces
}

/** The pieces of a stream until they are sent: eight bytes each outside the heap, instead of an object with a text. */
export class PackedPieces {
  readonly length: number
  readonly #text: string
  /** Where each piece begins, in characters and in tokens; one more for the end. */
  readonly #starts: Uint32Array
  readonly #tokens: Uint32Array

  constructor(pieces: readonly Piece[]) {
    this.length = pieces.length
    this.#text = pieces.map(({ text }) => text).join('')
    this.#starts = new Uint32Array(pieces.length + 1)
    this.#tokens = new Uint32Array(pieces.length + 1)
    for (const [index, { text, tokens }] of pieces.entries()) {
      this.#starts[index + 1] = this.#starts[index]! + text.length
      this.#tokens[index + 1] = this.#tokens[index]! + tokens
    }
  }

  get units(): number {
    return this.#text.length
  }

  textOf(index: number): string {
    return this.#text.slice(this.#starts[index], this.#starts[index + 1])
  }

  /** How many tokens the pieces before this one are. */
  tokensBefore(index: number): number {
    return this.#tokens[index]!
  }
}
