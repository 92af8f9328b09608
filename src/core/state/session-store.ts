/**
 * What the mock remembers: one session for each key, the faults put in by hand, and for all keys when it was started,
 * the state its scenario is in and, where a pace has a load or a queue, the calls in flight. Everything is bounded.
 *
 * The key is the session, so tests that use a key each do not see one another. Only limits, sequences, counted faults
 * and attempts live there; no seeded draw depends on anything but the attempt.
 */

import { LruMap } from '../cache/lru-map.ts'
import type { ConfiguredFault } from '../faults/fault.ts'
import { hash32 } from '../random/hash.ts'
import { BodyCache } from '../request/parse-body.ts'
import type { ConcurrencyLimit, Rate } from '../scenario/compile/limits.ts'
import {
  advance,
  initialPosition,
  positionAt,
  type StateMachine,
  type StatePosition,
} from '../scenario/compile/states.ts'
import type { Match } from '../scenario/conditions/condition.ts'
import { maskKey } from '../text/mask-keys.ts'
import { LeakyBucket } from './leaky-bucket.ts'

const MAX_SESSIONS = 10_000
const MAX_REQUESTS_PER_SESSION = 10_000
const MAX_IN_FLIGHT = 20_000

/** A call that has not ended yet. */
export interface InFlightCall {
  /** When its plan says that it ends, in milliseconds of the clock; Infinity where it does not. */
  endsAt: number
}

/** What one key did before. */
export class Session {
  /** A name for the key, which does not tell it. */
  readonly caller: string
  /** The key as it may be shown. */
  readonly maskedKey: string
  readonly #attempts = new LruMap<number, number>(MAX_REQUESTS_PER_SESSION)
  readonly #counts = new Map<string, number>()
  readonly #buckets = new Map<Rate, LeakyBucket>()
  readonly #flights = new Map<ConcurrencyLimit, Set<InFlightCall>>()

  constructor(key: string) {
    this.caller = callerOf(key)
    this.maskedKey = maskKey(key)
  }

  /** Counts this request and says how often the key has now sent it: 1 the first time. */
  attempt(fingerprint: number): number {
    return this.#attempts.update(fingerprint, (before = 0) => before + 1)
  }

  /** How often something of the scenario has happened to this key before; counts this time. */
  count(place: string): number {
    const before = this.#counts.get(place) ?? 0
    this.#counts.set(place, before + 1)
    return before
  }

  /** What this key has used of a rate. */
  bucket(rate: Rate): LeakyBucket {
    return madeOnce(this.#buckets, rate, () => new LeakyBucket(rate))
  }

  /** What it has used of each rate so far. */
  get buckets(): ReadonlyMap<Rate, LeakyBucket> {
    return this.#buckets
  }

  /** The calls of this key that are under way and counted against a cap. */
  inFlightCalls(cap: ConcurrencyLimit): Set<InFlightCall> {
    return madeOnce(this.#flights, cap, () => new Set())
  }

  /** What is under way and counted, by cap. */
  get underWay(): ReadonlyMap<ConcurrencyLimit, ReadonlySet<InFlightCall>> {
    return this.#flights
  }
}

function madeOnce<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** A name for a key that does not tell it: 64 bits of hash; '' for no key. */
export const callerOf = (key: string): string =>
  key === '' ? '' : hash32(key, 1).toString(36) + hash32(key, 2).toString(36)

/** A fault put in by code or over the control plane. */
export interface Injection {
  readonly name: string
  readonly configured: ConfiguredFault
  readonly match: Match
  remaining: number
}

export class SessionStore {
  /** What bodies say, which nothing that happens changes. */
  readonly bodies = new BodyCache()
  #sessions = new LruMap<string, Session>(MAX_SESSIONS)
  #injections: Injection[] = []
  #startedAt: number
  #standing: StatePosition | undefined
  #ends = new Map<string, number[]>()
  #uses = new Map<string, number>()

  /** @param now the start of its time, in milliseconds of the shell's clock. */
  constructor(now = 0) {
    this.#startedAt = now
  }

  /** Milliseconds from the start, or the last reset, to a time of the shell's clock. */
  elapsedMs(now: number): number {
    return Math.max(0, now - this.#startedAt)
  }

  /** The state that a call finds; counts the call where it counts. */
  advanceState(machine: StateMachine, elapsedMs: number, counts: boolean): string {
    const standing = this.#standingAt(machine, elapsedMs)
    this.#standing = counts ? advance(machine, standing, elapsedMs) : standing
    return standing.state
  }

  /** The state at a time, which moves nothing. */
  stateAt(machine: StateMachine, elapsedMs: number): string {
    return this.#standingAt(machine, elapsedMs).state
  }

  /** Goes to a state, as if it had just been reached. */
  enterState(state: string, elapsedMs: number): void {
    this.#standing = { state, sinceMs: elapsedMs, calls: 0 }
  }

  #standingAt(machine: StateMachine, elapsedMs: number): StatePosition {
    return positionAt(machine, this.#standing ?? initialPosition(machine), elapsedMs)
  }

  session(key: string): Session {
    return this.#sessions.update(key, (known) => known ?? new Session(key))
  }

  /** All sessions, each with its key. */
  get sessions(): Iterable<readonly [key: string, session: Session]> {
    return this.#sessions
  }

  get injections(): readonly Injection[] {
    return this.#injections
  }

  /** Counts that a rule, a fault or a limit of the scenario has spoken, by its place: `replies[2]`. */
  use(place: string): void {
    this.#uses.set(place, this.usesOf(place) + 1)
  }

  /** How often what stands at a place has spoken. */
  usesOf(place: string): number {
    return this.#uses.get(place) ?? 0
  }

  inject(injection: Injection): void {
    this.#injections.push(injection)
  }

  /** Uses up one time of an injection. */
  spend(injection: Injection): void {
    injection.remaining--
    if (injection.remaining <= 0) this.#injections = this.#injections.filter((one) => one !== injection)
  }

  clearInjections(): void {
    this.#injections = []
  }

  /** When the calls that are in flight at a place of the scenario are planned to end, the earliest first. */
  ends(place: string, now: number): readonly number[] {
    const ends = this.#ends.get(place)
    if (ends === undefined) return []
    const over = ends.findIndex((end) => end > now)
    ends.splice(0, over < 0 ? ends.length : over)
    return ends
  }

  /** Counts a call in until its planned end. */
  addEnd(place: string, end: number): void {
    const ends = this.#ends.get(place) ?? []
    this.#ends.set(place, ends)
    const later = ends.findLastIndex((one) => one <= end) + 1
    ends.splice(later, 0, end)
    if (ends.length > MAX_IN_FLIGHT) ends.shift()
  }

  /** Forgets everything, and starts its time anew. */
  reset(now: number): void {
    this.#startedAt = now
    this.#standing = undefined
    this.#sessions = new LruMap(MAX_SESSIONS)
    this.#injections = []
    this.#ends = new Map()
    this.#uses = new Map()
  }
}
