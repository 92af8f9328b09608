/** Says that the body is HTML when it is not. */
import { withHeaders } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

export const wrongContentType: WireFault = {
  kind: 'wire',
  name: 'wrong-content-type',
  summary: 'Says text/html of a body that is JSON, or a stream of events.',
  options: {},
  transform: (plan) => withHeaders(plan, { 'content-type': 'text/html; charset=utf-8' }),
}
