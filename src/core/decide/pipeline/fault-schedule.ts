/** Whether the schedule of a fault rule lets it apply to a call that the rule matches. */

import type { Schedule } from '../../scenario/compile/fault-settings.ts'
import type { CallContext } from '../call/call-context.ts'
import type { Effect } from '../state/apply-effects.ts'

/** Why the schedule leaves this call alone; undefined when the fault is due. Adds the calls it counts to `effects`. */
export function scheduleObstacle(
  { chance, spans, bursts, after, every, times }: Schedule,
  ruleId: string,
  context: CallContext,
  effects: Effect[],
): string | undefined {
  if (chance !== undefined && context.random(ruleId).fraction() >= chance) return 'chance: the draw left this call out'
  const { elapsedMs, session } = context
  if (spans?.some(({ fromMs, untilMs }) => elapsedMs >= fromMs && elapsedMs < untilMs) === false)
    return 'between, from, until: not at this time'
  if (bursts?.(elapsedMs) === false) return 'bursts: not in a burst at this time'
  if (after !== undefined) {
    const counter = `${ruleId}.after`
    const before = session.countOf(counter)
    if (before < after) {
      effects.push({ type: 'count', sessionId: session.id, counter })
      return `after: call ${before + 1} of this key, applies after ${after}`
    }
  }
  if (every !== undefined) {
    const counter = `${ruleId}.every`
    const count = session.countOf(counter) + 1
    effects.push({ type: 'count', sessionId: session.id, counter })
    if (count % every !== 0) return `every: call ${count} of this key, applies to each ${every}.`
  }
  if (times === undefined) return undefined
  const before = session.countOf(ruleId)
  effects.push({ type: 'count', sessionId: session.id, counter: ruleId })
  return before < times ? undefined : `times: already applied to ${times} of this key's calls`
}
