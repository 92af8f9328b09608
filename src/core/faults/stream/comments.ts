/** Sends comments between the events of a stream, which every client must ignore. */
import { mapSends } from '../../plan/transform.ts'
import type { StreamFault } from '../fault.ts'

export const comments: StreamFault = {
  kind: 'stream',
  name: 'comments',
  summary: 'Sends a comment (: keep-alive) before each event of a stream, as proxies do.',
  options: {},
  transform: (plan) => mapSends(plan, (event) => [{ type: 'send', data: ': keep-alive\n\n' }, event]),
}
