/**
 * The prompt cache: the prefixes of prompts that were sent, each until it expires. Each key, or session of it, has its own,
 * which drops the prefixes that were used least recently; the whole cache does so with the sessions.
 */

import { LruMap } from '../../lib/cache/lru-map.ts'
import type { SessionId } from './session-id.ts'

/** 10,000 prefixes in steps of 128 tokens are prompts of 1.3 million tokens in all. */
const MAX_PREFIXES_PER_SESSION = 10_000
const MAX_PREFIXES = 200_000

/** A prefix by its hash, and when it expires, in milliseconds of the clock. */
export interface CacheEntry {
  readonly prefix: number
  readonly until: number
}

/** The cache as deciding sees it. */
export type PromptCacheReader = Pick<PromptCache, 'holds'>

export class PromptCache {
  readonly #maxPerSession: number
  readonly #max: number
  readonly #bySession = new Map<SessionId, LruMap<number, number>>()
  #size = 0

  constructor(maxPerSession = MAX_PREFIXES_PER_SESSION, max = MAX_PREFIXES) {
    this.#maxPerSession = maxPerSession
    this.#max = max
  }

  /** Number of prefixes that it holds, expired ones included. */
  get size(): number {
    return this.#size
  }

  /** True if a session has sent a prefix that is not expired. */
  holds(sessionId: SessionId, prefix: number, now: number): boolean {
    const until = this.#bySession.get(sessionId)?.get(prefix)
    return until !== undefined && now < until
  }

  /** Writes prefixes, the last of which are dropped last. A prefix that is there never expires earlier for it. */
  write(sessionId: SessionId, entries: readonly CacheEntry[]): void {
    const prefixes = this.#bySession.get(sessionId) ?? new LruMap<number, number>(this.#maxPerSession)
    this.#size -= prefixes.size
    for (const { prefix, until } of entries) prefixes.update(prefix, (before = until) => Math.max(before, until))
    this.#size += prefixes.size
    this.#bySession.delete(sessionId)
    this.#bySession.set(sessionId, prefixes)
    for (const [oldest, { size }] of this.#bySession) {
      if (this.#size <= this.#max) return
      this.#bySession.delete(oldest)
      this.#size -= size
    }
  }
}
