/** The stream faults, in the order of the docs: one entry each. */

import { apiError } from '../errors/error-catalogue.ts'
import type { PlanEvent } from '../plan/plan.ts'
import { inPieces, mapSends, replaceEvent, sendsOf, textOf, withData } from '../plan/transform.ts'
import { type Fault, faultWith, type StreamFault } from './fault.ts'

const streamError = faultWith({
  kind: 'stream',
  name: 'stream-error',
  summary: 'Ends a stream with an event that carries an error envelope.',
  options: {
    after: { kind: 'count', default: 1, summary: 'the number of events before it' },
    event: {
      kind: 'choice',
      of: ['unnamed', 'error'],
      default: 'unnamed',
      summary: 'error adds the line event: error to the event',
    },
  },
  transform(plan, { after, event }, { requestId }) {
    const json = JSON.stringify({ error: apiError('server-error', { requestId }).body })
    const error: PlanEvent = { type: 'send', data: `${event === 'error' ? 'event: error\n' : ''}data: ${json}\n\n` }
    const transformed = replaceEvent(plan, after, () => [error])
    if ('notApplicable' in transformed) return transformed
    return {
      ...transformed,
      events: [...transformed.events.slice(0, transformed.events.indexOf(error) + 1), { type: 'end' }],
    }
  },
})

const joinedEvents = faultWith({
  kind: 'stream',
  name: 'joined-events',
  summary: 'Sends several events of a stream in one packet, as buffering proxies do.',
  options: { size: { kind: 'size', default: 4, summary: 'the number of events per packet' } },
  transform(plan, { size }) {
    const events: PlanEvent[] = []
    let held: string[] = []
    let waitMs = 0
    const release = (): void => {
      if (waitMs > 0) events.push({ type: 'wait', ms: waitMs })
      if (held.length > 0) events.push({ type: 'send', data: held.join('') }, { type: 'flush' })
      held = []
      waitMs = 0
    }
    for (const event of plan.events) {
      switch (event.type) {
        case 'wait':
          waitMs += event.ms
          break
        case 'send':
          if (held.push(textOf(event.data)) === size) release()
          break
        default:
          release()
          events.push(event)
      }
    }
    return { ...plan, events }
  },
})

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
