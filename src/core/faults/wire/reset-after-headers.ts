/** Resets the connection between the headers and the body. */
import { firstBytes } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

export const resetAfterHeaders: WireFault = {
  kind: 'wire',
  name: 'reset-after-headers',
  summary: 'Sends the headers, then resets the connection (RST) before the body.',
  options: {},
  transform: (plan) => ({ ...plan, events: [...firstBytes(plan, 0), { type: 'reset' }] }),
}
