/** Ends the lines of a stream with CR LF, which the format allows as well as LF. */
import { mapSends, textOf } from '../../plan/transform.ts'
import type { StreamFault } from '../fault.ts'

export const crlf: StreamFault = {
  kind: 'stream',
  name: 'crlf',
  summary: 'Ends the lines of a stream with CR LF, as some gateways do.',
  options: {},
  transform: (plan) => mapSends(plan, (event) => [{ ...event, data: textOf(event.data).replaceAll('\n', '\r\n') }]),
}
