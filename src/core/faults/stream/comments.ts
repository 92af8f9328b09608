/** Puts comments between the events of a stream, which every client has to pass over. */
import { mapSends } from '../../plan/transform.ts'
import type { StreamFault } from '../fault.ts'

export const comments: StreamFault = {
  kind: 'stream',
  name: 'comments',
  summary: 'Puts a comment (: keep-alive) before each event of a stream, as proxies do.',
  options: {},
  transform: (plan) => mapSends(plan, (event) => [{ type: 'send', data: ': keep-alive\n\n' }, event]),
}
