/** What each key has used of its limits, for the page: read from the sessions without moving anything. */

import type { Scenario } from '../scenario/compile/compile.ts'
import type { Limits, Rate } from '../scenario/compile/limits.ts'
import type { SessionReader } from '../state/session.ts'

const MAX_KEYS = 100

/** One limit of a key. */
export interface Gauge {
  readonly kind: 'requests' | 'tokens' | 'concurrent'
  readonly limit: number
  readonly used: number
  /** The window in words; not for calls at once. */
  readonly window?: Rate['window']
  /** The model whose limit it is; undefined for one of the scenario or the key. */
  readonly model?: string
}

export interface KeyUsage {
  /** The key, shortened. */
  readonly key: string
  readonly limits: readonly Gauge[]
}

/** The usage of every key that has used some of a limit; the fullest first. */
export function limitUsageOf(
  sessions: Iterable<readonly [key: string, session: SessionReader]>,
  scenario: Scenario,
  now: number,
): KeyUsage[] {
  const { limitsOf } = scenario
  if (limitsOf === undefined) return []
  const all: (KeyUsage & { readonly share: number })[] = []
  for (const [key, session] of sessions) {
    const rule = scenario.keyRule(key)
    const models = Object.keys(scenario.source.models ?? {})
    const places: Place[] = [
      { limits: limitsOf(rule, undefined) },
      // A pattern of names matches itself.
      ...models.map((model) => ({ model, limits: limitsOf(rule, scenario.model(model)) })),
    ]
    const limits = gaugesOf(session, places, now)
    if (limits.length === 0) continue
    all.push({ key: session.maskedKey, limits, share: Math.max(...limits.map(({ used, limit }) => used / limit)) })
  }
  all.sort((a, b) => b.share - a.share)
  return all.slice(0, MAX_KEYS).map(({ key, limits }) => ({ key, limits }))
}

interface Place {
  readonly model?: string
  readonly limits: Limits
}

/** One gauge for each limit that was met; one that several places share is of the first. */
function gaugesOf({ usedRates, usedConcurrency }: SessionReader, places: readonly Place[], now: number): Gauge[] {
  const gauges = new Map<object, Gauge>()
  for (const { limits, ...of } of places) {
    for (const kind of ['requests', 'tokens'] as const) {
      for (const rate of limits[kind]) {
        const bucket = usedRates.get(rate)
        if (bucket === undefined || gauges.has(rate)) continue
        const { limit, used } = bucket.read(now)
        gauges.set(rate, { kind, limit, used, window: rate.window, ...of })
      }
    }
    for (const cap of limits.concurrent) {
      const flights = usedConcurrency.get(cap)
      if (flights === undefined || gauges.has(cap)) continue
      gauges.set(cap, { kind: 'concurrent', limit: cap.most, used: flights.size, ...of })
    }
  }
  return [...gauges.values()]
}
