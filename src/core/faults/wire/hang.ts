/** Accepts the call and never answers, to test the time-out of a client. */
import type { WireFault } from '../fault.ts'

export const hang: WireFault = {
  kind: 'wire',
  name: 'hang',
  summary: 'Accepts the call and never answers, until the client disconnects.',
  options: {},
  transform: (plan) => ({ ...plan, events: [{ type: 'stall' }] }),
}
