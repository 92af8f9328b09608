/** Labels a body as HTML that is not. */
import { withHeaders } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

export const wrongContentType: WireFault = {
  kind: 'wire',
  name: 'wrong-content-type',
  summary: 'Sends the content type text/html with a body that is JSON or an event stream.',
  options: {},
  transform: (plan) => withHeaders(plan, { 'content-type': 'text/html; charset=utf-8' }),
}
