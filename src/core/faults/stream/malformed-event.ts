/** Breaks the JSON of one event; the stream continues. */
import { replaceEvent, textOf } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const malformedEvent = faultWith({
  kind: 'stream',
  name: 'malformed-event',
  summary: 'Sends one event of a stream with only half of its JSON, then continues.',
  options: { after: { kind: 'count', default: 1, summary: 'the number of events before it' } },
  transform: (plan, { after }) =>
    replaceEvent(plan, after, (event) => {
      const text = textOf(event.data)
      return [{ ...event, data: `${text.slice(0, Math.ceil(text.length / 2))}\n\n` }]
    }),
})
