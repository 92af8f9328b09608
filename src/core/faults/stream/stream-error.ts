/** Puts an error into a stream that began well, as the service does when it fails half-way. */
import { apiError } from '../../errors/catalogue.ts'
import type { PlanEvent } from '../../plan/plan.ts'
import { replaceEvent } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const streamError = faultWith({
  kind: 'stream',
  name: 'stream-error',
  summary: 'Ends a stream with an event that holds an error in the envelope.',
  options: {
    after: { kind: 'count', default: 1, summary: 'how many events come before it' },
    event: {
      kind: 'choice',
      of: ['unnamed', 'error'],
      default: 'unnamed',
      summary: 'whether the event has its data only, or the line event: error too',
    },
  },
  transform(plan, { after, event }, { requestId }) {
    const json = JSON.stringify({ error: apiError('server-error', { requestId }).body })
    const error: PlanEvent = { type: 'send', data: `${event === 'error' ? 'event: error\n' : ''}data: ${json}\n\n` }
    const bent = replaceEvent(plan, after, () => [error])
    if ('notApplicable' in bent) return bent
    return { ...bent, events: [...bent.events.slice(0, bent.events.indexOf(error) + 1), { type: 'end' }] }
  },
})
