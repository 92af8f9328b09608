/** Takes the call and never answers: what a client's time-out is for. */
import type { WireFault } from '../fault.ts'

export const hang: WireFault = {
  kind: 'wire',
  name: 'hang',
  summary: 'Takes the call and never answers, until the client leaves.',
  options: {},
  transform: (plan) => ({ ...plan, events: [{ type: 'stall' }] }),
}
