/** The result of an endpoint: the plan of its answer, and its counts. */

import type { Plan } from '../../protocol/plan/plan.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { CacheEntry } from '../state/prompt-cache.ts'

/** The use of the prompt cache by a call. */
export interface CachedPrompt {
  /** Tokens of the prompt that were read from the cache. */
  readonly cachedTokens: number
  /** Tokens of the prompt that were written to it. */
  readonly cacheWriteTokens: number
}

/** Tokens of a request and of its whole answer. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
  /** The part of the completion that no event of a stream carries, such as reasoning and the names of tool calls. */
  readonly unstreamed: number
  /** Undefined where prompts are not cached, and for a short prompt. */
  readonly cache?: CachedPrompt | undefined
}

export interface Answer {
  readonly plan: Plan
  /** Undefined for an answer that uses no tokens, such as an error. */
  readonly usage?: Usage | undefined
  /** The sequence that the answer took its turn from; it advances by one. */
  readonly sequence?: string | undefined
  /** Prefixes of the prompt that the call writes to the cache. */
  readonly cacheEntries?: readonly CacheEntry[] | undefined
  /** Its other changes of the state. */
  readonly effects?: readonly Effect[]
}
