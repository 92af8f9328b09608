/** Breaks the connection after some pieces of the answer: the stream ends with no finish and no [DONE]. */
import type { Plan, PlanEvent } from '../plan.ts'
import type { WireFault } from './fault.ts'

export const cut: WireFault = {
  kind: 'wire',
  name: 'cut',
  summary: 'Breaks the connection after some events of a stream; an answer that is no stream arrives half.',
  options: { after: { kind: 'count', default: 1, summary: 'how many events arrive whole before the break' } },
  bend: (plan, { after = 1 }) => ({ ...plan, events: isStream(plan) ? cutStream(plan, after) : cutBody(plan) }),
}

const isStream = (plan: Plan): boolean => plan.events.filter(({ type }) => type === 'send').length > 1

function cutStream(plan: Plan, after: number): PlanEvent[] {
  const kept: PlanEvent[] = []
  let sent = 0
  for (const event of plan.events) {
    if (event.type === 'end' || (event.type === 'send' && ++sent > after)) break
    kept.push(event)
  }
  kept.push({ type: 'reset' })
  return kept
}

function cutBody(plan: Plan): PlanEvent[] {
  return plan.events.map((event): PlanEvent => {
    if (event.type === 'send') return { type: 'send', data: event.data.slice(0, Math.floor(event.data.length / 2)) }
    return event.type === 'end' ? { type: 'reset' } : event
  })
}
