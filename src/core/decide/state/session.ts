/** The state of one API key, or of one session of it. Deciding a call reads it; only `applyEffects` changes it. */

import { LruMap } from '../../lib/cache/bounded-maps.ts'
import { hashName } from '../../lib/random/hash.ts'
import { maskKey } from '../../lib/text/mask-keys.ts'
import { invalidOption } from '../../protocol/errors/check-options.ts'
import { SESSION_NAME, SESSION_NAMES } from '../../protocol/request/request-path.ts'
import { type Amounts, NOTHING_SPENT } from '../../scenario/compile/budget.ts'
import type { ConcurrencyLimit, Limits, Rate } from '../../scenario/compile/limits.ts'
import { type BucketReader, LeakyBucket } from './leaky-bucket.ts'

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

const NO_CALLS: ReadonlySet<Reservation> = new Set()

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
  readonly counts = new Map<string, number>()
  /** The part of its budget that the key has used. */
  spent = NOTHING_SPENT
  readonly usedRates = new Map<Rate, LeakyBucket>()
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
    return this.usedConcurrency.get(limit) ?? NO_CALLS
  }

  /** Their number, with those of other processes as the store last said. */
  countInFlight(limit: ConcurrencyLimit): number {
    return Math.max(0, this.inFlight(limit).size + (this.inFlightElsewhere?.get(limit) ?? 0))
  }
}

/** A name for a key that does not reveal it: 64 bits of hash; '' for no key. */
export const callerOf = (key: string): string => (key === '' ? '' : hashName(key))

/** Names the state of a key, or of one session of it. `identify` (call-context.ts) makes it from a call. */
export type SessionId = string & { readonly [brand]: never }
declare const brand: unique symbol

export const isSessionName = (name: unknown): name is string => typeof name === 'string' && SESSION_NAME.test(name)

/** The check of an option that names a session. */
export const SESSION_OPTION = {
  expected: SESSION_NAMES,
  isValid: isSessionName,
}

/** The name that a user's code gives a session. @throws MockError for one that no call could name. */
export function checkSessionName(functionName: string, name: unknown): string {
  if (isSessionName(name)) return name
  throw invalidOption(functionName, 'the session', SESSION_NAMES, name)
}

/** No key contains a line break. `name` is '' for a call that names no session. */
export const sessionIdOf = (key: string, name: string): SessionId =>
  (name === '' ? key : `${key}\n${name}`) as SessionId

/** The key in an id. */
export const keyIn = (id: SessionId): string => id.split('\n', 1)[0]!

/** The name of the session in an id; '' for a key without one. */
export const sessionNameIn = (id: SessionId): string => id.slice(keyIn(id).length + 1)

/*
 * Limits that a store counts for several processes: the demand of a call, and the answer of the store.
 *
 * The core cannot wait for a store. The engine asks it between the admission of a call and its answer, and loads the
 * levels that it returned into the session. The store and the core compute the same from the same levels.
 */

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
