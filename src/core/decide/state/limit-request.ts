/**
 * Limits that a store counts for several processes: the demand of a call, and the answer of the store.
 *
 * The core cannot wait for a store. The engine asks it between the admission of a call and its answer, and loads the
 * levels that it returned into the session. The store and the core compute the same from the same levels.
 */

import type { Limits } from '../../scenario/compile/limits.ts'
import type { SessionId } from './session-id.ts'

/** The demand of a call: one request, its tokens, and one place among the calls in flight. */
export interface LimitRequest {
  readonly sessionId: SessionId
  readonly limits: Limits
  readonly tokens: number
}

/** The counters of a store as they were before the call. */
export interface StoredLevels {
  /** Of each rate on requests, then of each on tokens: units x milliseconds of the window, so that whole numbers are exact. */
  readonly rates: readonly number[]
  /** The calls in flight for each concurrency limit. */
  readonly concurrent: readonly number[]
}

/** The answer of the store. */
export interface StoredVerdict {
  /** Names the reservation to the store; undefined for a call that it refused. */
  readonly reservationId: string | undefined
  readonly levels: StoredLevels
}

/** The verdict of the store, or the reason why it has not answered, for people. */
export type LimitAnswer = StoredVerdict | { readonly problem: string }
