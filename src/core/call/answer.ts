/** What an endpoint returns: the plan of its answer, and what it counts. */

import type { Plan } from '../plan/plan.ts'

/** Tokens of a request and of its whole answer. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
  /** The part of the completion that no event of a stream carries, such as reasoning and the names of tool calls. */
  readonly unstreamed: number
}

export interface Answer {
  readonly plan: Plan
  /** Undefined for an answer that uses no tokens, such as an error. */
  readonly usage?: Usage | undefined
  /** The sequence that the answer took its turn from; it advances by one. */
  readonly sequence?: string | undefined
}
