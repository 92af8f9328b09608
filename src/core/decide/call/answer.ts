/** The interface between the stages and an endpoint: the endpoint answers with a draft, which the stages pass on and change. */

import type { ApiError } from '../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../protocol/faults/answer-mutator.ts'
import type { Plan } from '../../protocol/plan/plan.ts'
import type { CachedPrompt } from '../../protocol/turn/reply.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { CacheEntry } from '../state/prompt-cache.ts'
import type { Reservation } from '../state/session.ts'
import type { CallContext } from './call-context.ts'

/** Tokens of a request and of its whole answer. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
  /** The part of the completion that no event of a stream carries, such as reasoning and the names of tool calls. */
  readonly unstreamed: number
  /** True if the answer ends at the most tokens that it may have. */
  readonly isCut?: boolean
  /** The part of the completion that is reasoning; undefined where nothing is known about it. */
  readonly reasoning?: number
  /** Undefined where prompts are not cached, and for a short prompt. */
  readonly cache?: CachedPrompt | undefined
}

/** The answer to a call as a draft: its plan, its usage, and what it changes. */
export interface Answer {
  readonly plan: Plan
  /** Undefined for an answer that uses no tokens, such as an error. */
  readonly usage?: Usage | undefined
  /** The sequence that the answer took its turn from; it advances by one. */
  readonly sequence?: string | undefined
  /** Prefixes of the prompt that the call writes to the cache. */
  readonly cacheEntries?: readonly CacheEntry[] | undefined
  /** The tokens that the limits reserve; undefined for a call that they do not count. */
  readonly reserved?: ReservedTokens | undefined
  /** The end of the answer, for a pace that serves calls together. */
  readonly endsAt?: number | undefined
  /** Its other changes of the state. */
  readonly effects?: readonly Effect[] | undefined
}

/** The reservation of a call besides the request itself. */
export type ReservedTokens = Pick<Reservation, 'tokens' | 'sharedId'>

/** An endpoint: the checks of its requests, and its answers. */
export interface EndpointDefinition {
  /** The first problem of a request whose body is JSON with a known model in it; in the order of the real service. */
  readonly check: (context: CallContext) => ApiError | undefined
  /** Notes about a request, whether it is accepted or not. */
  readonly notes?: (context: CallContext) => readonly string[]
  /**
   * Answers a request that passed every check.
   * @param mutator the semantic fault that changes the answer, or NO_MUTATION.
   */
  readonly answer: (context: CallContext, mutator: AnswerMutator) => Answer
}
