/** Announces the length of the whole body and sends half of it. */
import { firstBytes, sizeOf, withHeaders } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

export const halfBody: WireFault = {
  kind: 'wire',
  name: 'half-body',
  summary: 'Announces the length of the whole body (Content-Length), sends half of it and closes the connection (FIN).',
  options: {},
  transform(plan) {
    const size = sizeOf(plan)
    const { events } = withHeaders(plan, { 'content-length': String(size) })
    return { ...plan, events: [...firstBytes({ ...plan, events }, Math.floor(size / 2)), { type: 'close' }] }
  },
}
