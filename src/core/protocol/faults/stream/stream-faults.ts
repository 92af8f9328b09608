/** The stream faults, in the order of the docs: one entry each. A long one has its own file. */
import { inPieces, mapSends, replaceEvent, sendsOf, textOf, withData } from '../../plan/transform.ts'
import { type Fault, faultWith, type StreamFault } from '../fault.ts'
import { joinedEvents } from './joined-events.ts'
import { streamError } from './stream-error.ts'

const stream = (name: string, summary: string, transform: StreamFault['transform']): StreamFault => ({
  kind: 'stream',
  name,
  summary,
  options: {},
  transform,
})

/** A fault that replaces the event behind the first `after` events. */
const atEvent = (name: string, summary: string, replace: Parameters<typeof replaceEvent>[2]): Fault =>
  faultWith({
    kind: 'stream',
    name,
    summary,
    options: { after: { kind: 'count', default: 1, summary: 'the number of events before it' } },
    transform: (plan, { after }) => replaceEvent(plan, after, replace),
  })

export const streamFaults: readonly Fault[] = [
  streamError,
  atEvent('malformed-event', 'Sends one event of a stream with only half of its JSON, then continues.', (event) => {
    const text = textOf(event.data)
    return [withData(event, `${text.slice(0, Math.ceil(text.length / 2))}\n\n`)]
  }),
  stream('missing-done', 'Ends a stream normally but without its [DONE].', (plan) =>
    mapSends(plan, (event) => (textOf(event.data).startsWith('data: [DONE]') ? [] : [event])),
  ),
  stream('missing-usage', 'Omits the usage event of a stream whose request asked for it.', (plan) => {
    const transformed = mapSends(plan, (event) => (textOf(event.data).includes('"usage":{') ? [] : [event]))
    if (sendsOf(transformed).length < sendsOf(plan).length) return transformed
    return { notApplicable: 'the stream has no usage. Ask for it with "stream_options": {"include_usage": true}.' }
  }),
  atEvent('duplicated-event', 'Sends one event of a stream twice.', (event) => [event, event]),
  stream('comments', 'Sends a comment (: keep-alive) before each event of a stream, as proxies do.', (plan) =>
    mapSends(plan, (event) => [{ type: 'send', data: ': keep-alive\n\n' }, event]),
  ),
  stream('crlf', 'Ends the lines of a stream with CR LF, as some gateways do.', (plan) =>
    mapSends(plan, (event) => [withData(event, textOf(event.data).replaceAll('\n', '\r\n'))]),
  ),
  faultWith({
    kind: 'stream',
    name: 'split-events',
    summary: 'Sends each event of a stream in packets of a few bytes, which may split a character.',
    options: { size: { kind: 'size', default: 16, summary: 'the number of bytes per packet' } },
    transform: (plan, { size }) => inPieces(plan, size, (piece) => [piece, { type: 'flush' }]),
  }),
  joinedEvents,
]
