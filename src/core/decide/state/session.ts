/**
 * The state of one API key, or of one session of it: what it has sent and used, and its calls in flight. Deciding a call reads
 * it; only `applyEffects` changes it.
 */

import { LruMap } from '../../lib/cache/bounded-maps.ts'
import { maskKey } from '../../lib/text/mask-keys.ts'
import { type Amounts, NOTHING_SPENT } from '../../scenario/compile/budget.ts'
import type { ConcurrencyLimit, Limits, Rate } from '../../scenario/compile/limits.ts'
import { type BucketReader, LeakyBucket } from './leaky-bucket.ts'
import { callerOf, keyIn, type SessionId, sessionNameIn } from './session-id.ts'

const MAX_REQUESTS_PER_SESSION = 10_000

/** The part of the limits that one call takes until it ends. The object itself identifies the call. */
export interface Reservation {
  readonly sessionId: SessionId
  readonly limits: Limits
  /** Reserved from every token limit, by estimate. */
  readonly tokens: number
  /** True if the tokens that the answer really uses replace them at its end. */
  readonly chargesAnswer: boolean
  /** Time at which the plan of the call ends, in milliseconds of the clock; Infinity for a call that hangs. */
  readonly endsAt: number
  /** Names it to the store of shared limits. */
  readonly sharedId?: string | undefined
}

/** A session as deciding sees it. */
export interface SessionReader
  extends Pick<Session, 'id' | 'name' | 'caller' | 'maskedKey' | 'countOf' | 'bucket' | 'inFlight' | 'countInFlight'> {
  readonly attempts: Pick<ReadonlyMap<number, number>, 'get'>
  readonly spent: Amounts
  readonly usedRates: ReadonlyMap<Rate, BucketReader>
  readonly usedConcurrency: ReadonlyMap<ConcurrencyLimit, ReadonlySet<Reservation>>
}

export class Session implements SessionReader {
  /** Names it in effects. */
  readonly id: SessionId
  /** The name that the calls give it; '' for calls that name no session. */
  readonly name: string
  /** A name for the key that does not reveal it. */
  readonly caller: string
  readonly maskedKey: string
  /** The number of times that the key has sent each request, by fingerprint. */
  readonly attempts = new LruMap<number, number>(MAX_REQUESTS_PER_SESSION)
  /** Turns of sequences and calls of fault schedules, by the id of the rule. */
  readonly counts = new Map<string, number>()
  /** The part of its budget that the key has used. */
  spent = NOTHING_SPENT
  /** The level of each rate that a call has used. */
  readonly usedRates = new Map<Rate, LeakyBucket>()
  /** The calls in flight for each concurrency limit. */
  readonly usedConcurrency = new Map<ConcurrencyLimit, Set<Reservation>>()
  /** The calls in flight in other processes, for limits that are shared. */
  inFlightElsewhere: Map<ConcurrencyLimit, number> | undefined
  /** Calls that are not settled yet. */
  readonly reservations = new Set<Reservation>()

  constructor(id: SessionId) {
    const key = keyIn(id)
    this.id = id
    this.name = sessionNameIn(id)
    this.caller = callerOf(key)
    this.maskedKey = maskKey(key)
  }

  /** The number of times that something has happened to the key: a sequence advanced, a fault schedule counted. */
  countOf(counter: string): number {
    return this.counts.get(counter) ?? 0
  }

  /** The used part of a rate. */
  bucket(rate: Rate): BucketReader {
    return this.usedRates.get(rate) ?? new LeakyBucket(rate)
  }

  /** The calls that count against a concurrency limit and have not ended. */
  inFlight(limit: ConcurrencyLimit): ReadonlySet<Reservation> {
    return this.usedConcurrency.get(limit) ?? new Set()
  }

  /** Their number, with those of other processes as the store last said. */
  countInFlight(limit: ConcurrencyLimit): number {
    return Math.max(0, this.inFlight(limit).size + (this.inFlightElsewhere?.get(limit) ?? 0))
  }
}
