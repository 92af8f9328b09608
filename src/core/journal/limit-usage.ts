/**
 * The usage of limits and budgets by each key, or session of it. Reads the sessions without changing them.
 *
 *     [{ key: 'sk****st', limits: [{ kind: 'requests', limit: 60, used: 12, freeInMs: 0, window: 'minute' }] }]
 */

import type { SessionReader } from '../decide/state/session.ts'
import { keyIn, type SessionId } from '../decide/state/session-id.ts'
import { BUDGET_UNITS, type BudgetUnit, toNumber } from '../scenario/compile/budget.ts'
import type { KeyRule, Scenario } from '../scenario/compile/compile.ts'
import type { Rate } from '../scenario/compile/limits.ts'

const MAX_KEYS = 100

/** The usage of one limit or budget. */
export interface LimitUsage {
  readonly kind: 'requests' | 'tokens' | 'concurrent' | `budget.${BudgetUnit}`
  /** The most that may be used: in US dollars for `budget.usd`. */
  readonly limit: number
  /** More than `limit` for a budget, if the last call needed more than was left. */
  readonly used: number
  /** Real milliseconds until one more fits, 0 if it fits now; undefined for `concurrent`, and for a budget, which does not refill. */
  readonly freeInMs?: number
  /** The window as the scenario has it; undefined for `concurrent` and for a budget. */
  readonly window?: Rate['window']
  /** The model that the limit is for; undefined for a limit of the scenario or of the key. */
  readonly model?: string
}

export interface KeyUsage {
  /** The key, masked. */
  readonly key: string
  /** The session; left out for the calls of the key that name none. */
  readonly session?: string
  readonly limits: readonly LimitUsage[]
}

/**
 * The usage of each key or session with a limit in use, the fullest first; at most 100.
 * @param speed simulated milliseconds per real one.
 */
export function readLimitUsage(
  sessions: Iterable<readonly [id: SessionId, session: SessionReader]>,
  scenario: Scenario,
  now: number,
  speed: number,
): KeyUsage[] {
  const all = Array.from(sessions, ([id, session]) => {
    const keyRule = scenario.keyRule(keyIn(id))
    const limits = readLimits(session, scenario, keyRule, now, speed)
    for (const unit of BUDGET_UNITS) {
      const amount = keyRule?.budget?.[unit]
      if (amount === undefined) continue
      const used = toNumber(unit, session.spent[unit])
      limits.push({ kind: `budget.${unit}`, limit: toNumber(unit, amount), used })
    }
    const usage = { key: session.maskedKey, ...(session.name !== '' && { session: session.name }), limits }
    // A budget of 0 is full from the start.
    return { usage, share: Math.max(...limits.map(({ used, limit }) => (limit === 0 ? 1 : used / limit))) }
  })
  const inUse = all.filter(({ usage }) => usage.limits.length > 0).sort((a, b) => b.share - a.share)
  return inUse.slice(0, MAX_KEYS).map(({ usage }) => usage)
}

/** One entry per limit in use: those for all models first, then those of each model that are not among them. */
function readLimits(
  session: SessionReader,
  { limitsOf, model, source }: Scenario,
  keyRule: KeyRule | undefined,
  now: number,
  speed: number,
): LimitUsage[] {
  if (limitsOf === undefined) return []
  // A glob pattern of models matches itself.
  const ofModels = Object.keys(source.models ?? {}).map((pattern) => ({ model: pattern, rule: model(pattern) }))
  const usage = new Map<object, LimitUsage>()
  for (const { rule, ...scope } of [{ rule: undefined }, ...ofModels]) {
    const limits = limitsOf(keyRule, rule)
    for (const kind of ['requests', 'tokens'] as const) {
      for (const rate of limits[kind]) {
        const bucket = session.usedRates.get(rate)
        if (bucket === undefined || usage.has(rate)) continue
        const { limit, used } = bucket.read(now)
        const freeInMs = bucket.waitMs(1, now) / speed
        usage.set(rate, { kind, limit, used, freeInMs, window: rate.window, ...scope })
      }
    }
    for (const cap of limits.concurrent) {
      if (!session.usedConcurrency.has(cap) || usage.has(cap)) continue
      usage.set(cap, { kind: 'concurrent', limit: cap.most, used: session.countInFlight(cap), ...scope })
    }
  }
  return [...usage.values()]
}
