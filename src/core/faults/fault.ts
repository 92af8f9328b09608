/**
 * What a fault is. To add one: write a file beside this one and add it to the catalogue; a new option also to
 * OPTION_NAMES in scenario/fault-options.ts, which types scenarios (a test says so).
 *
 * There are two kinds. An *answer* fault takes the place of the endpoint's answer: an error of the catalogue.
 * A *wire* fault bends a plan that was made: it cuts, delays or drops events.
 */
import type { ApiError } from '../errors.ts'
import type { Plan } from '../plan.ts'

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

export type Fault = AnswerFault | WireFault

/** A fault with its options filled in, ready to strike. */
export interface Strike {
  readonly fault: Fault
  readonly options: FaultOptions
}
