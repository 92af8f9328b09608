/** Answers in bytes that are no HTTP. */
import { beforeHead, bytesOf } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

// No version of HTTP begins so, and neither does TLS.
const BYTES = Uint8Array.of(0x00, 0xff, 0xfe, ...bytesOf('\r\nthis is no HTTP\r\n\r\n'), 0xc3, 0x28, 0x00)

export const garbage: WireFault = {
  kind: 'wire',
  name: 'garbage',
  summary: 'Sends bytes that are no HTTP in place of an answer, then closes the connection.',
  options: {},
  notOverFetch: 'fetch is handed responses, never bytes that are none',
  transform: (plan) => ({ ...plan, events: [...beforeHead(plan), { type: 'raw', data: BYTES }, { type: 'close' }] }),
}
