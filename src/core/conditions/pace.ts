/** The pace condition: waits for the first token and for each token after it. */
import type { Plan, PlanEvent } from '../plan.ts'
import type { Turn } from '../turn.ts'

/**
 * The plan with its waits. A stream waits before its head and before each piece; a whole answer waits once,
 * as long as its stream would have taken.
 */
export function pacePlan(plan: Plan, { pace }: Turn): Plan {
  const { firstTokenMs, perTokenMs } = pace
  if (firstTokenMs === 0 && perTokenMs === 0) return plan
  const isStream = plan.events.filter(({ type }) => type === 'send').length > 1
  const events: PlanEvent[] = []
  const wait = (ms: number): void => {
    if (ms > 0) events.push({ type: 'wait', ms })
  }
  for (const event of plan.events) {
    if (event.type === 'head') wait(firstTokenMs + (isStream ? 0 : perTokenMs * tokensOf(plan.events)))
    if (event.type === 'send' && isStream) wait(perTokenMs * (event.tokens ?? 0))
    events.push(event)
  }
  return { ...plan, events }
}

const tokensOf = (events: readonly PlanEvent[]): number =>
  events.reduce((sum, event) => sum + (event.type === 'send' ? (event.tokens ?? 0) : 0), 0)
