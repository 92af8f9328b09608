/** The wire faults, in the order of the docs: one entry each. `cut` is in cut.ts. */

import type { PlanEvent } from '../plan/plan.ts'
import { beforeHead, bytesOf, firstBytes, inPieces, sizeOf, textOf, withHeaders } from '../plan/transform.ts'
import { type Fault, faultWith, planFaults } from './fault.ts'

/** Declares a wire fault without options. */
const wire = planFaults('wire')

// Neither HTTP nor TLS starts like this. The text is pinned on the wire.
const GARBAGE = Uint8Array.of(0x00, 0xff, 0xfe, ...bytesOf('\r\nthis is no HTTP\r\n\r\n'), 0xc3, 0x28, 0x00)
/** The packets of `bandwidth`. */
const PIECES_PER_SECOND = 10

export const wireFaults: readonly Fault[] = [
  wire('hang', 'Accepts the call and never answers, until the client disconnects.', (plan) => ({
    ...plan,
    events: [{ type: 'stall' }],
  })),
  wire('reset-before-headers', 'Resets the connection (RST) when the response should start.', (plan) => ({
    ...plan,
    events: [...beforeHead(plan), { type: 'reset' }],
  })),
  wire('reset-after-headers', 'Sends the headers, then resets the connection (RST) before the body.', (plan) => ({
    ...plan,
    events: [...firstBytes(plan, 0), { type: 'reset' }],
  })),
  wire('empty-reply', 'Closes the connection (FIN) without sending a byte.', (plan) => ({
    ...plan,
    events: [...beforeHead(plan), { type: 'close' }],
  })),
  wire(
    'garbage',
    'Sends bytes that are not HTTP in place of a response, then closes the connection.',
    (plan) => ({ ...plan, events: [...beforeHead(plan), { type: 'raw', data: GARBAGE }, { type: 'close' }] }),
    'fetch only takes valid HTTP responses',
  ),
  wire(
    'stale-connection',
    'Answers as usual and keeps the connection alive, then resets it (RST) when the next call arrives on it.',
    (plan, _, { keepsAlive }) => {
      if (!keepsAlive) return { notApplicable: 'the client asked to close the connection after this answer.' }
      if (plan.events.at(-1)?.type !== 'end') return { notApplicable: 'the answer breaks the connection itself.' }
      return { ...plan, events: [...[...plan.events].slice(0, -1), { type: 'end', isStale: true }] }
    },
    'fetch hides the connection and whether it is used again',
  ),
  wire(
    'half-body',
    'Announces the length of the whole body (Content-Length), sends half of it and closes the connection (FIN).',
    (plan) => {
      const size = sizeOf(plan)
      const announced = withHeaders(plan, { 'content-length': String(size) })
      return { ...plan, events: [...firstBytes(announced, Math.floor(size / 2)), { type: 'close' }] }
    },
  ),
  wire('wrong-content-type', 'Sends the content type text/html with a body that is JSON or an event stream.', (plan) =>
    withHeaders(plan, { 'content-type': 'text/html; charset=utf-8' }),
  ),
  faultWith({
    kind: 'wire',
    name: 'delay',
    summary: 'Waits, then answers as usual, like a slow service or network.',
    options: { by: { kind: 'duration', default: 2000, summary: 'the wait before the answer' } },
    transform: (plan, { by }) => ({ ...plan, events: [{ type: 'wait', ms: by }, ...plan.events] }),
  }),
  faultWith({
    kind: 'wire',
    name: 'slow-drip',
    summary: 'Sends the body in small pieces, with a pause before each.',
    options: {
      size: { kind: 'size', default: 1, summary: 'the number of bytes per piece' },
      interval: { kind: 'duration', default: 100, summary: 'the pause before each piece' },
    },
    transform: (plan, { size, interval }) => inPieces(plan, size, (piece) => [{ type: 'wait', ms: interval }, piece]),
  }),
  faultWith({
    kind: 'wire',
    name: 'bandwidth',
    summary: 'Sends the body evenly at a fixed number of bytes per second.',
    options: { rate: { kind: 'size', default: 1000, summary: 'the number of bytes per second' } },
    transform: (plan, { rate }) =>
      inPieces(plan, Math.ceil(rate / PIECES_PER_SECOND), (piece) => [
        { type: 'wait', ms: (piece.data.length * 1000) / rate },
        piece,
      ]),
  }),
  wire(
    'truncated-gzip',
    'Gzips the body (Content-Encoding: gzip) and ends the response half-way, as if it were complete.',
    (plan) => {
      const zipped = { ...plan, events: [...zip(plan.events)] }
      const events: PlanEvent[] = [...firstBytes(zipped, Math.floor(sizeOf(zipped) / 2)), { type: 'end' }]
      return withHeaders({ ...plan, events }, { 'content-encoding': 'gzip' })
    },
  ),
]

// The format is gzip (RFC 1952) with stored blocks (RFC 1951, section 3.2.4): no compression, so a few lines suffice. The
// checksum would come after the truncation, so there is none.

/** The header of gzip: magic number, deflate, no flags, no time, no extra flags, system unknown. */
const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
const MAX_BLOCK = 0xffff

/** Zips the texts that are sent together: those between two events of other types. */
function* zip(events: Iterable<PlanEvent>): Generator<PlanEvent> {
  let hasBegun = false
  let texts: string[] = []
  for (const event of events) {
    if (event.type === 'send') {
      // Text: a call has one fault, and answers are text before it.
      texts.push(textOf(event.data))
      continue
    }
    const bytes = bytesOf(texts.join(''))
    texts = []
    if (bytes.length > 0 && !hasBegun) yield { type: 'send', data: GZIP_HEADER }
    hasBegun ||= bytes.length > 0
    // Blocks that are not the last one: a zero byte, the length, its complement, the bytes.
    for (let start = 0; start < bytes.length; start += MAX_BLOCK) {
      const block = bytes.subarray(start, start + MAX_BLOCK)
      const { length } = block
      yield { type: 'send', data: Uint8Array.of(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff) }
      yield { type: 'send', data: block }
    }
    yield event
  }
}
