/**
 * The interface of a store that counts the limits of several processes together, for scenarios with `limits.shared`.
 *
 * A call reserves its request and tokens when it arrives, and is settled with what it really used when it has ended.
 */

import type { LimitRequest, StoredVerdict } from '../core/decide/state/limit-request.ts'

export interface LimitStore {
  /**
   * Reserves what a call takes, all or nothing.
   * @param space the counters of one scenario.
   * @throws Error when the store does not answer in time; the message says which store, and why.
   */
  reserve(space: string, request: LimitRequest): Promise<StoredVerdict>
  /**
   * The call of a reservation has ended: its place is free, and its tokens are those that it really used. Without these, the
   * reservation is given back whole, as if there had been no call.
   */
  settle(reservationId: string, usedTokens?: number): void
  /** Empties all counters of a space, before any later call is counted; if the store is away, as soon as it is back. */
  reset(space: string): void
  /** Connects, to report a store that is away before the first call needs it. */
  connect(): void
  /** Disconnects when all calls have ended: no more will come. */
  retire(): Promise<void>
  /** Disconnects when all calls have ended, or after a second. A later call connects again. */
  close(): Promise<void>
}

/** Reports a store that goes away or is back, once each. */
export type ReportStore = (line: string, isUp: boolean) => void

/** Prepares a store; it connects when it is first needed. @throws MockError when this process cannot use it. */
export type OpenLimitStore = (url: string, report: ReportStore) => LimitStore
