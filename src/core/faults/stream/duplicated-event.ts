/** Sends one event twice. */
import { replaceEvent } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const duplicatedEvent = faultWith({
  kind: 'stream',
  name: 'duplicated-event',
  summary: 'Sends one event of a stream twice.',
  options: { after: { kind: 'count', default: 1, summary: 'the number of events before it' } },
  transform: (plan, { after }) => replaceEvent(plan, after, (event) => [event, event]),
})
