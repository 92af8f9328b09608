/** Answers with bytes that are not HTTP. */
import { beforeHead, bytesOf } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

// Neither HTTP nor TLS starts like this. The text is pinned on the wire.
const BYTES = Uint8Array.of(0x00, 0xff, 0xfe, ...bytesOf('\r\nthis is no HTTP\r\n\r\n'), 0xc3, 0x28, 0x00)

export const garbage: WireFault = {
  kind: 'wire',
  name: 'garbage',
  summary: 'Sends bytes that are not HTTP in place of an answer, then closes the connection.',
  options: {},
  notOverFetch: 'fetch only takes valid HTTP responses',
  transform: (plan) => ({ ...plan, events: [...beforeHead(plan), { type: 'raw', data: BYTES }, { type: 'close' }] }),
}
