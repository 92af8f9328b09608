/** What a fault does to one answer while the endpoint builds it; without a fault, nothing. */

import type { Random } from '../../lib/random/random.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import type { AssistantMessage } from '../plan/assistant-message.ts'
import type { ChatFacts, EmbeddingItem, OptionValues, SemanticFault, StreamFault } from './fault.ts'

/** A call whose facts are built when they are read: most answers need none, and building them took 4 us a call. */
interface WithFacts {
  readonly facts: ChatFacts
}

/** Each function returns what it is given when there is nothing to change. */
export interface AnswerMutator {
  /** The name of a semantic or stream fault; '' without one. */
  readonly fault: string
  /** Whether the fault reads the events of the answer, so that those of a long stream are built before, in steps. */
  readonly readsEvents: boolean
  /** Whether anything was changed. */
  readonly hasChanged: boolean
  message(message: AssistantMessage, context: WithFacts): AssistantMessage
  pieces(pieces: readonly (readonly Piece[])[]): readonly (readonly Piece[])[]
  total(total: number): number
  embeddings(all: readonly EmbeddingItem[]): readonly EmbeddingItem[]
}

/** The mutator of a call without a fault. */
export const NO_MUTATION: AnswerMutator = {
  fault: '',
  readsEvents: false,
  hasChanged: false,
  message: (message) => message,
  pieces: (pieces) => pieces,
  total: (total) => total,
  embeddings: (all) => all,
}

/** The mutator of a fault that changes the events of a stream. */
export const readEvents = ({ name }: StreamFault): AnswerMutator => ({
  ...NO_MUTATION,
  fault: name,
  readsEvents: true,
})

export class FaultMutator implements AnswerMutator {
  readonly readsEvents = false
  readonly #fault: SemanticFault
  readonly #options: OptionValues
  readonly #random: Random
  #hasChanged = false

  constructor(fault: SemanticFault, options: OptionValues, random: Random) {
    this.#fault = fault
    this.#options = options
    this.#random = random
  }

  get fault(): string {
    return this.#fault.name
  }

  get hasChanged(): boolean {
    return this.#hasChanged
  }

  message(message: AssistantMessage, { facts }: WithFacts): AssistantMessage {
    return this.#changed(this.#fault.message?.(message, facts, this.#random, this.#options)) ?? message
  }

  pieces(pieces: readonly (readonly Piece[])[]): readonly (readonly Piece[])[] {
    return this.#changed(this.#fault.pieces?.(pieces, this.#random)) ?? pieces
  }

  total(total: number): number {
    return this.#changed(this.#fault.total?.(total, this.#random)) ?? total
  }

  embeddings(all: readonly EmbeddingItem[]): readonly EmbeddingItem[] {
    return this.#changed(this.#fault.embeddings?.(all, this.#random)) ?? all
  }

  #changed<Value>(value: Value | undefined): Value | undefined {
    if (value !== undefined) this.#hasChanged = true
    return value
  }
}
