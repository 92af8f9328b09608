/** A semantic fault at work on one answer: it bends what it can, and knows whether it found anything. */

import type { AssistantMessage } from '../plan/assistant-message.ts'
import type { Random } from '../random/random.ts'
import type { Piece } from '../tokenizer/tokenizer.ts'
import type { ChatFacts, EmbeddingItem, SemanticFault } from './fault.ts'

export class AnswerMutator {
  readonly fault: SemanticFault
  readonly #random: Random
  #hasStruck = false

  constructor(fault: SemanticFault, random: Random) {
    this.fault = fault
    this.#random = random
  }

  get hasChanged(): boolean {
    return this.#hasStruck
  }

  speech(speech: AssistantMessage, about: ChatFacts): AssistantMessage {
    return this.#struck(this.fault.speech?.(speech, about, this.#random)) ?? speech
  }

  pieces(pieces: readonly (readonly Piece[])[]): readonly (readonly Piece[])[] {
    return this.#struck(this.fault.pieces?.(pieces, this.#random)) ?? pieces
  }

  total(total: number): number {
    return this.#struck(this.fault.total?.(total, this.#random)) ?? total
  }

  embeddings(all: readonly EmbeddingItem[]): readonly EmbeddingItem[] {
    return this.#struck(this.fault.embeddings?.(all, this.#random)) ?? all
  }

  #struck<Value>(bent: Value | undefined): Value | undefined {
    if (bent !== undefined) this.#hasStruck = true
    return bent
  }
}
