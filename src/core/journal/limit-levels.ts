/** The levels of the rate limits, as the headers of an answer tell them. */
import { parseDuration } from '../lib/text/duration.ts'
import type { JournalEntry } from './entry.ts'

/** The level of one limit after a call. */
export interface LimitLevel {
  readonly kind: 'requests' | 'tokens'
  readonly limit: number
  readonly used: number
  /** Time until nothing is used, in milliseconds of the mock's clock. The level falls evenly. */
  readonly resetMs: number
}

/** Smallest share of a limit that is shown. A scenario without limits has the headers of large limits. */
const MIN_SHARE = 0.05

/**
 * The levels of limits that are used; undefined if hardly anything is.
 * @param speed simulated milliseconds per real one: the headers are in real time.
 */
export function readLevels(headers: JournalEntry['headers'], speed: number): readonly LimitLevel[] | undefined {
  const levels = (['requests', 'tokens'] as const).flatMap((kind) => {
    const limit = Number(headers[`x-ratelimit-limit-${kind}`])
    const used = limit - Number(headers[`x-ratelimit-remaining-${kind}`])
    const resetMs = speed * (parseDuration(headers[`x-ratelimit-reset-${kind}`]) ?? Number.NaN)
    return used >= MIN_SHARE * limit && resetMs > 0 ? [{ kind, limit, used, resetMs }] : []
  })
  return levels.length === 0 ? undefined : levels
}
