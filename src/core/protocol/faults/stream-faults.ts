/** The stream faults, in the order of the docs: one entry each. The longer ones, and the functions that declare them, come first. */

import { type ApiError, apiError } from '../errors/error-catalogue.ts'
import type { Plan, PlanEvent } from '../plan/plan.ts'
import { inPieces, mapSends, replaceEvent, sendsOf, textOf, withData } from '../plan/transform.ts'
import { type Fault, faultWith, planFaults } from './fault.ts'
import { countUpTo, LAST_EVENT } from './responses-events.ts'

/** The last event of a chat, or of a response. */
const DONE = new RegExp(`^data: \\[DONE\\]|${LAST_EVENT.source}`)

const AFTER = {
  kind: 'count',
  default: 1,
  summary: 'the number of events before it, or of places on responses',
} as const

/** Declares a stream fault without options. */
const stream = planFaults('stream')

/** A fault that replaces the event behind the first `after` events; on responses, the event before the next place. */
const atEvent = (
  name: string,
  summary: string,
  replace: Parameters<typeof replaceEvent>[2],
  only?: Pick<Fault, 'endpoints'>,
): Fault =>
  faultWith({
    ...only,
    kind: 'stream',
    name,
    summary,
    options: { after: AFTER },
    transform(plan, { after }, { endpoint }) {
      if (endpoint !== 'responses') return replaceEvent(plan, after, replace)
      const count = countUpTo(plan, after + 1)
      return typeof count === 'number' ? replaceEvent(plan, count - 1, replace) : count
    },
  })

const streamError = faultWith({
  kind: 'stream',
  name: 'stream-error',
  summary: 'Ends a stream with an event that carries an error envelope.',
  options: {
    after: AFTER,
    event: {
      kind: 'choice',
      of: ['unnamed', 'error'],
      default: 'unnamed',
      summary: 'error adds the line event: error to the event; on responses it always has one',
    },
  },
  transform(plan, { after, event }, { endpoint, requestId }) {
    const { body } = apiError('server-error', { requestId })
    const isResponse = endpoint === 'responses'
    const count = isResponse ? countUpTo(plan, after) : after
    if (typeof count !== 'number') return count
    const name = event === 'error' ? 'event: error\n' : ''
    const texts = isResponse ? failedEvents(plan, count, body) : [`${name}data: ${JSON.stringify({ error: body })}\n\n`]
    const errors = texts.map((data): PlanEvent => ({ type: 'send', data }))
    const replaced = replaceEvent(plan, count, () => errors)
    if ('notApplicable' in replaced) return replaced
    // Nothing follows the errors but the end.
    const events = [...replaced.events]
    const upToErrors = events.slice(0, events.indexOf(errors.at(-1)!) + 1)
    return { ...replaced, events: [...upToErrors, { type: 'end' }] }
  },
})

/**
 * The events `error` and `response.failed`, which a response has after `count` others. The latter is made from the first event.
 * Not parsed: numbers keep their form, such as 1.0.
 *
 *     event: response.created   {"type":"response.created",...,"status":"in_progress","error":null,"sequence_number":0}
 *     event: response.failed    {"type":"response.failed",...,"status":"failed","error":{...},"sequence_number":5}
 */
function failedEvents(plan: Plan, count: number, { message, type, param, code }: ApiError['body']): string[] {
  const named = { type, code: code ?? type, message, param }
  const error = JSON.stringify({ type: 'error', sequence_number: count, error: named })
  const failed = textOf(sendsOf(plan)[0]!.data)
    .replace(
      /^event: response\.created\n(data: \{"type":)"response\.created"/,
      'event: response.failed\n$1"response.failed"',
    )
    .replace('"status":"in_progress"', '"status":"failed"')
    .replace('"error":null', () => `"error":${JSON.stringify({ code: named.code, message })}`)
    .replace(/"sequence_number":\d+/, `"sequence_number":${count + 1}`)
  return [`event: error\ndata: ${error}\n\n`, failed]
}

const joinedEvents = faultWith({
  kind: 'stream',
  name: 'joined-events',
  summary: 'Sends several events of a stream in one packet, as buffering proxies do.',
  options: { size: { kind: 'size', default: 4, summary: 'the number of events per packet' } },
  transform(plan, { size }) {
    const events: PlanEvent[] = []
    // The packet at hand: its texts, and the sum of the waits before them.
    let texts: string[] = []
    let waitMs = 0
    const sendPacket = (): void => {
      if (waitMs > 0) events.push({ type: 'wait', ms: waitMs })
      if (texts.length > 0) events.push({ type: 'send', data: texts.join('') }, { type: 'flush' })
      texts = []
      waitMs = 0
    }
    for (const event of plan.events) {
      switch (event.type) {
        case 'wait':
          waitMs += event.ms
          break
        case 'send':
          if (texts.push(textOf(event.data)) === size) sendPacket()
          break
        default:
          sendPacket()
          events.push(event)
      }
    }
    return { ...plan, events }
  },
})

export const streamFaults: readonly Fault[] = [
  streamError,
  atEvent('malformed-event', 'Sends one event of a stream with only half of its JSON, then continues.', (event) => {
    const text = textOf(event.data)
    return [withData(event, `${text.slice(0, Math.ceil(text.length / 2))}\n\n`)]
  }),
  stream('missing-done', 'Ends a stream normally but without its [DONE], or the last event of a response.', (plan) =>
    mapSends(plan, (event) => (DONE.test(textOf(event.data)) ? [] : [event])),
  ),
  atEvent('sequence-gap', 'Omits one event of a response, so that its sequence numbers have a gap.', () => [], {
    endpoints: ['responses'],
  }),
  stream('missing-usage', 'Omits the usage event of a stream whose request asked for it.', (plan, _, { endpoint }) => {
    if (endpoint === 'responses') {
      return mapSends(plan, (event) => {
        const text = textOf(event.data)
        // The schemas of tools may have a property of this name; they come before it.
        const start = text.lastIndexOf('"usage":{')
        if (start < 0 || !LAST_EVENT.test(text)) return [event]
        const rest = text.slice(start).replace(/^"usage":\{(?:[^{}]|\{[^{}]*\})*\}/, '"usage":null')
        return [withData(event, text.slice(0, start) + rest)]
      })
    }
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
