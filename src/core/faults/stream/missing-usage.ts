/** Leaves out the usage that the call asked for. */
import { mapSends, sendsOf, textOf } from '../../plan/transform.ts'
import type { StreamFault } from '../fault.ts'

export const missingUsage: StreamFault = {
  kind: 'stream',
  name: 'missing-usage',
  summary: 'Leaves out the event with the usage, in a stream that was asked for it.',
  options: {},
  transform(plan) {
    const bent = mapSends(plan, (event) => (textOf(event.data).includes('"usage":{') ? [] : [event]))
    if (sendsOf(bent).length < sendsOf(plan).length) return bent
    return { notApplicable: 'it has no usage. Ask for it with "stream_options": {"include_usage": true}.' }
  },
}
