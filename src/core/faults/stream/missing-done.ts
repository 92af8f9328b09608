/** Omits the [DONE] that ends a stream. */
import { mapSends, textOf } from '../../plan/transform.ts'
import type { StreamFault } from '../fault.ts'

export const missingDone: StreamFault = {
  kind: 'stream',
  name: 'missing-done',
  summary: 'Ends a stream normally but without its [DONE].',
  options: {},
  transform: (plan) => mapSends(plan, (event) => (textOf(event.data).startsWith('data: [DONE]') ? [] : [event])),
}
