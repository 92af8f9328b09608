/** Omits the usage that the request asked for. */
import { mapSends, sendsOf, textOf } from '../../plan/transform.ts'
import type { StreamFault } from '../fault.ts'

export const missingUsage: StreamFault = {
  kind: 'stream',
  name: 'missing-usage',
  summary: 'Omits the usage event of a stream whose request asked for it.',
  options: {},
  transform(plan) {
    const transformed = mapSends(plan, (event) => (textOf(event.data).includes('"usage":{') ? [] : [event]))
    if (sendsOf(transformed).length < sendsOf(plan).length) return transformed
    return { notApplicable: 'the stream has no usage. Ask for it with "stream_options": {"include_usage": true}.' }
  },
}
