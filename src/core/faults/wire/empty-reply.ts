/** Closes the connection without sending a byte. */
import { beforeHead } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

export const emptyReply: WireFault = {
  kind: 'wire',
  name: 'empty-reply',
  summary: 'Closes the connection (FIN) without sending a byte.',
  options: {},
  transform: (plan) => ({ ...plan, events: [...beforeHead(plan), { type: 'close' }] }),
}
