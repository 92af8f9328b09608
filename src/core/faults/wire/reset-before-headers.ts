/** Resets the connection in place of an answer. */
import { beforeHead } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

export const resetBeforeHeaders: WireFault = {
  kind: 'wire',
  name: 'reset-before-headers',
  summary: 'Resets the connection (RST) when the answer should start.',
  options: {},
  transform: (plan) => ({ ...plan, events: [...beforeHead(plan), { type: 'reset' }] }),
}
