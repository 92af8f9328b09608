/**
 * Applies a semantic fault to one answer while the endpoint builds it. The endpoint passes every part through the mutator,
 * with or without a fault:
 *
 *     const message = mutator.message(reply.message, context)
 */

import type { Random } from '../../lib/random/random.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import type { AssistantMessage } from '../turn/assistant-message.ts'
import type { ChatFacts, EmbeddingItem, OptionValues, SemanticFault } from './fault.ts'

/** A semantic fault with its options and its random stream. */
interface Mutation {
  readonly fault: SemanticFault
  readonly options: OptionValues
  readonly random: Random
}

/** Each method returns what it is given when there is nothing to change. */
export class AnswerMutator {
  /** The name of the fault; '' without one. */
  readonly fault: string
  /** True once a method has changed something. If none has, the fault does not apply to the answer. */
  hasChanged = false
  readonly #mutation: Mutation | undefined

  constructor(mutation?: Mutation) {
    this.fault = mutation?.fault.name ?? ''
    this.#mutation = mutation
  }

  /** @param context builds its facts when they are read: most answers need none, and building them took 4 us a call. */
  message(message: AssistantMessage, context: { readonly facts: ChatFacts }): AssistantMessage {
    return (
      this.#change(({ fault, options, random }) => fault.message?.(message, context.facts, random, options)) ?? message
    )
  }

  pieces(pieces: readonly (readonly Piece[])[]): readonly (readonly Piece[])[] {
    return this.#change(({ fault, random }) => fault.pieces?.(pieces, random)) ?? pieces
  }

  total(total: number): number {
    return this.#change(({ fault, random }) => fault.total?.(total, random)) ?? total
  }

  embeddings(all: readonly EmbeddingItem[]): readonly EmbeddingItem[] {
    return this.#change(({ fault, random }) => fault.embeddings?.(all, random)) ?? all
  }

  #change<Value>(run: (mutation: Mutation) => Value | undefined): Value | undefined {
    const value = this.#mutation && run(this.#mutation)
    if (value !== undefined) this.hasChanged = true
    return value
  }
}

/** The mutator of a call without a fault. */
export const NO_MUTATION = new AnswerMutator()
