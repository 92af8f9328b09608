/** What each key has used of its limits, for the page: the buckets of the sessions, read without moving anything. */
import { maskKey } from '../core/errors.ts'
import type { Session } from '../core/memory.ts'
import type { Rate, Scenario } from '../core/scenario/compile.ts'

const MOST_KEYS = 100

/** One limit of a key. */
export interface Gauge {
  readonly kind: 'requests' | 'tokens'
  readonly limit: number
  /** The window in words, and how long it is. */
  readonly window: Rate['window']
  readonly windowMs: number
  /** Used by now, with the part of one that has not refilled. */
  readonly used: number
}

export interface KeyUsage {
  /** The key, shortened. */
  readonly key: string
  readonly limits: readonly Gauge[]
}

/** The usage of every key that has used some of a limit; the fullest first. */
export function usageOf(
  sessions: Iterable<readonly [key: string, session: Session]>,
  scenario: Scenario,
  now: number,
): KeyUsage[] {
  const all: (KeyUsage & { readonly share: number })[] = []
  for (const [key, session] of sessions) {
    const limits = gaugesOf(session, scenario.keyRule(key)?.limits ?? {}, now)
    if (limits.length === 0) continue
    all.push({ key: maskKey(key), limits, share: Math.max(...limits.map(({ used, limit }) => used / limit)) })
  }
  all.sort((a, b) => b.share - a.share)
  return all.slice(0, MOST_KEYS).map(({ key, limits }) => ({ key, limits }))
}

type Limits = { readonly [Kind in Gauge['kind']]?: Rate }

function gaugesOf(session: Session, limits: Limits, now: number): Gauge[] {
  return (['requests', 'tokens'] as const).flatMap((kind) => {
    const rate = limits[kind]
    const bucket = session.buckets.get(kind)
    if (rate === undefined || bucket === undefined) return []
    const { amount, window, windowMs } = rate
    const refilled = (Math.max(0, now - bucket.at) * amount) / windowMs
    return [{ kind, limit: amount, window, windowMs, used: Math.max(0, bucket.used - refilled) }]
  })
}
