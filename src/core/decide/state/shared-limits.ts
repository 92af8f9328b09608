/**
 * Limits that a store counts for several processes: what a call asks of it, and what it answers.
 *
 * The core cannot wait for a store. A call that needs it throws `NotReserved`; the engine asks, loads the levels that the
 * store returned into the session, and decides the call again. The store and the core compute the same from the same levels.
 */
import type { Limits } from '../../scenario/compile/limits.ts'
import type { SessionId } from './session-id.ts'

/** What a call asks for: one request, its tokens, and one place among the calls in flight. */
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

/** What the store answered. */
export interface StoredVerdict {
  /** Names the reservation to the store; undefined for a call that it refused. */
  readonly reservationId: string | undefined
  readonly levels: StoredLevels
}

/** Why there is no answer of a store, for people. */
export interface StoreAway {
  readonly problem: string
}

export type LimitAnswer = StoredVerdict | StoreAway

/** What the engine knows of a store when it decides a call. */
export interface ReservationSource {
  /** The answer of the store. @throws NotReserved when it was not asked yet. */
  reserve(request: LimitRequest): LimitAnswer
}

/** Thrown by a call that needs the answer of a store. Nothing has changed, so the call can be decided again. */
export class NotReserved {
  readonly request: LimitRequest

  constructor(request: LimitRequest) {
    this.request = request
  }
}
