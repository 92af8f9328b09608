/**
 * What a fault is. To add one: write a file beside this one and add it to the catalogue; a new option also to
 * OPTION_NAMES in scenario/fault-options.ts, which types scenarios (a test says so).
 *
 * There are three kinds. An *answer* fault takes the place of the endpoint's answer: an error of the catalogue.
 * A *semantic* fault leaves the answer well-formed and bends what it means. A *wire* fault bends a plan that was made:
 * it cuts, delays or drops events.
 */
import type { ApiError } from '../errors.ts'
import type { Plan } from '../plan.ts'
import type { Random } from '../random.ts'
import type { Speech } from '../speech.ts'
import type { Piece } from '../tokens.ts'

/** What an answer fault may know of the call it strikes. */
interface Struck {
  readonly endpoint: 'chat' | 'embeddings' | 'models'
  readonly model: string
  readonly maskedKey: string
  readonly organization: string
  readonly requestId: string
  /** Real milliseconds of the scenario's: what a client is told to wait. */
  readonly realMs: (ms: number) => number
}

/** How an option is written: `20s` or `500ms`, a whole number, a status. */
export type OptionKind = 'duration' | 'count' | 'status'
/** Options by name; durations are in milliseconds. */
export type FaultOptions = Readonly<Record<string, number>>

interface FaultBase {
  /** The name in scenarios, headers and code: kebab-case. */
  readonly name: string
  /** What it does, as a sentence. */
  readonly summary: string
  /** Its options: how each is written, and what it is when left out (in milliseconds, for durations). */
  readonly options: Readonly<
    Record<string, { readonly kind: OptionKind; readonly default: number; readonly summary: string }>
  >
}

export interface AnswerFault extends FaultBase {
  readonly kind: 'answer'
  answer(struck: Struck, options: FaultOptions): ApiError
}

export interface WireFault extends FaultBase {
  readonly kind: 'wire'
  bend(plan: Plan, options: FaultOptions): Plan
}

/** What a semantic fault may know of the conversation. */
export interface About {
  /** The last user message. */
  readonly user: string
  /** The names of the tools that the request declares. */
  readonly tools: readonly string[]
}

/** One embedding of an answer, with the place of its input. */
export interface Embedded {
  readonly index: number
  readonly vector: Float32Array
}

/** It has one of the hooks; each gives undefined where it finds nothing to bend. */
export interface SemanticFault extends FaultBase {
  readonly kind: 'semantic'
  /** The only endpoint whose answers it can bend; undefined for both. */
  readonly endpoint?: 'chat' | 'embeddings'
  /** What must be there to bend, for the message when it is not: `an answer of several embeddings`. */
  readonly needs: string
  /** Bends what a chat says. */
  speech?(speech: Speech, about: About, random: Random): Speech | undefined
  /** Bends the pieces in which a stream says it: of a text, or of the input of each call. */
  pieces?(pieces: readonly (readonly Piece[])[], random: Random): readonly (readonly Piece[])[] | undefined
  /** Bends `total_tokens`. */
  total?(total: number, random: Random): number
  /** Bends the embeddings. */
  embeddings?(all: readonly Embedded[], random: Random): readonly Embedded[] | undefined
}

export type Fault = AnswerFault | SemanticFault | WireFault

/** A fault with its options filled in, ready to strike. */
export interface Strike {
  readonly fault: Fault
  readonly options: FaultOptions
}
