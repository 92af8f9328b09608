/** Ends a stream with an error event, as the service does when it fails half-way. */
import { apiError } from '../../errors/catalogue.ts'
import type { PlanEvent } from '../../plan/plan.ts'
import { replaceEvent } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const streamError = faultWith({
  kind: 'stream',
  name: 'stream-error',
  summary: 'Ends a stream with an event that carries an error envelope.',
  options: {
    after: { kind: 'count', default: 1, summary: 'the number of events before it' },
    event: {
      kind: 'choice',
      of: ['unnamed', 'error'],
      default: 'unnamed',
      summary: 'error adds the line event: error to the event',
    },
  },
  transform(plan, { after, event }, { requestId }) {
    const json = JSON.stringify({ error: apiError('server-error', { requestId }).body })
    const error: PlanEvent = { type: 'send', data: `${event === 'error' ? 'event: error\n' : ''}data: ${json}\n\n` }
    const transformed = replaceEvent(plan, after, () => [error])
    if ('notApplicable' in transformed) return transformed
    return {
      ...transformed,
      events: [...transformed.events.slice(0, transformed.events.indexOf(error) + 1), { type: 'end' }],
    }
  },
})
