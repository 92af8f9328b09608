/**
 * The prompt cache: the prefixes of prompts that were sent, by their hashes, each until it expires. Each key, or session of
 * it, has its own, which drops the prefixes that were written least recently (a call that reads a prefix writes it too); the whole
 * cache does so with the sessions.
 */

import { LruMap } from '../../lib/cache/bounded-maps.ts'
import type { SessionId } from './session-id.ts'

/** 10,000 prefixes in steps of 128 tokens are prompts of 1.3 million tokens in all. */
const MAX_PREFIXES_PER_SESSION = 10_000
export const MAX_PREFIXES = 200_000

/** A prefix by its hash, and when it expires, in milliseconds of the clock. */
export interface CacheEntry {
  readonly prefix: number
  readonly until: number
}

export class PromptCache {
  readonly #max: number
  readonly #maxPerSession: number
  /** The time at which each prefix expires, by its hash; the session that wrote last is at the end. */
  readonly #bySession = new Map<SessionId, LruMap<number, number>>()
  /** Number of prefixes that it holds, expired ones included. */
  size = 0

  /** @param max the most prefixes of all sessions together. */
  constructor(max = MAX_PREFIXES, maxPerSession = MAX_PREFIXES_PER_SESSION) {
    this.#max = max
    this.#maxPerSession = maxPerSession
  }

  /** True if a session has sent a prefix that is not expired. */
  holds(sessionId: SessionId, prefix: number, now: number): boolean {
    const until = this.#bySession.get(sessionId)?.get(prefix)
    return until !== undefined && now < until
  }

  /** Writes prefixes, those that may be dropped first at the front. A prefix that is there never expires earlier for it. */
  write(sessionId: SessionId, entries: readonly CacheEntry[]): void {
    const prefixes = this.#bySession.get(sessionId) ?? new LruMap<number, number>(this.#maxPerSession)
    this.size -= prefixes.size
    for (const { prefix, until } of entries) prefixes.set(prefix, Math.max(prefixes.get(prefix) ?? until, until))
    this.size += prefixes.size
    // Deleted first, so that the session moves to the end.
    this.#bySession.delete(sessionId)
    this.#bySession.set(sessionId, prefixes)
    for (const oldest of this.#bySession.keys()) {
      if (this.size <= this.#max) return
      this.#drop(oldest)
    }
  }

  /** Removes the prefixes of the chosen sessions. */
  drop(isChosen: (id: SessionId) => boolean): void {
    for (const id of this.#bySession.keys()) if (isChosen(id)) this.#drop(id)
  }

  #drop(id: SessionId): void {
    this.size -= this.#bySession.get(id)?.size ?? 0
    this.#bySession.delete(id)
  }
}
