/** What the prompt cache did for many calls. */
import type { JournalEntry } from '../journal/entry.ts'

export interface CacheSum {
  /** The calls whose prompts were long enough to be cached. */
  readonly calls: number
  /** Those of them that read a part of their prompt from the cache. */
  readonly hits: number
  readonly cachedTokens: number
  readonly cacheWriteTokens: number
}

/** Undefined if the cache was in play for no call. */
export function sumCache(entries: readonly JournalEntry[]): CacheSum | undefined {
  const uses = entries.flatMap(({ cache }) => cache ?? [])
  if (uses.length === 0) return undefined
  return {
    calls: uses.length,
    hits: uses.filter(({ cachedTokens }) => cachedTokens > 0).length,
    cachedTokens: uses.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0),
    cacheWriteTokens: uses.reduce((sum, { cacheWriteTokens }) => sum + cacheWriteTokens, 0),
  }
}

/** @example cacheText(sum) // 'prompt cache: 1 of 2 calls hit it, 1152 cached tokens, 1408 written tokens' */
export const cacheText = ({ calls, hits, cachedTokens, cacheWriteTokens }: CacheSum): string =>
  `prompt cache: ${hits} of ${calls} calls hit it, ${cachedTokens} cached tokens, ${cacheWriteTokens} written tokens`
