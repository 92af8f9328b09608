/**
 * What the mock remembers: one session for each key, and the faults put in by hand. Everything is bounded.
 *
 * The key is the session, so tests that use a key each do not see one another. Only limits, sequences, counted faults
 * and attempts live here; no seeded draw depends on anything but the attempt.
 */
import type { Strike } from './faults/fault.ts'
import { hash32 } from './hash.ts'
import type { Match } from './scenario/compile.ts'

const MOST_SESSIONS = 10_000
const MOST_REQUESTS_PER_SESSION = 10_000

/** A map that forgets what was used longest ago. */
class BoundedMap<Key, Value> {
  readonly #most: number
  readonly #entries = new Map<Key, Value>()

  constructor(most: number) {
    this.#most = most
  }

  /** Makes the value of a key from the one before, and counts it as the last one used. */
  update(key: Key, make: (before: Value | undefined) => Value): Value {
    const value = make(this.#entries.get(key))
    // While there is room for as many again nothing is forgotten soon, and the order need not be kept.
    if (this.#entries.size * 2 > this.#most) this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value as Key)
    return value
  }
}

/** What one key did before. */
export class Session {
  /** A name for the key, which does not tell it. */
  readonly caller: string
  readonly #attempts = new BoundedMap<number, number>(MOST_REQUESTS_PER_SESSION)
  readonly #counts = new Map<string, number>()
  /** What is used up of each limit, and when that was so, in milliseconds of the clock. */
  readonly buckets = new Map<string, { readonly used: number; readonly at: number }>()

  constructor(key: string) {
    this.caller = callerOf(key)
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
}

/** A name for a key that does not tell it: 64 bits of hash; '' for no key. */
export const callerOf = (key: string): string =>
  key === '' ? '' : hash32(key, 1).toString(36) + hash32(key, 2).toString(36)

/** A fault put in by code or over the control plane. */
export interface Injection {
  readonly name: string
  readonly strike: Strike
  readonly match: Match
  remaining: number
}

export class Memory {
  #sessions = new BoundedMap<string, Session>(MOST_SESSIONS)
  #injections: Injection[] = []
  #uses = new Map<string, number>()

  session(key: string): Session {
    return this.#sessions.update(key, (known) => known ?? new Session(key))
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

  /** Forgets everything. */
  reset(): void {
    this.#sessions = new BoundedMap(MOST_SESSIONS)
    this.#injections = []
    this.#uses = new Map()
  }
}
