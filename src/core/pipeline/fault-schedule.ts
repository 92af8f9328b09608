/** Whether the schedule of a fault rule lets it strike a call that the rule matches. */

import type { CallContext } from '../call/call-context.ts'
import type { Schedule } from '../scenario/compile/schedule.ts'

/** Counts the call for `every` and `times` only if the rest of the schedule holds. */
export function isDue({ chance, spans, bursts, every, times }: Schedule, place: string, context: CallContext): boolean {
  if (chance !== undefined && context.random(place).fraction() >= chance) return false
  const { elapsedMs } = context
  if (spans?.some(({ fromMs, untilMs }) => elapsedMs >= fromMs && elapsedMs < untilMs) === false) return false
  if (bursts?.(elapsedMs) === false) return false
  if (every !== undefined && (context.session.count(`${place}.every`) + 1) % every !== 0) return false
  return times === undefined || context.session.count(place) < times
}
