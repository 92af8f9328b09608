/**
 * Sends a gzipped body that ends in the middle of its data.
 *
 * The format is gzip (RFC 1952) with stored blocks (RFC 1951, section 3.2.4): no compression, so a few lines
 * suffice. The checksum would come after the truncation, so there is none.
 */
import type { PlanEvent } from '../../plan/plan.ts'
import { bytesOf, firstBytes, sizeOf, textOf, withHeaders } from '../../plan/transform.ts'
import type { WireFault } from '../fault.ts'

/** Magic number, deflate, no flags, no time, no extra flags, system unknown. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
const MAX_BLOCK = 0xffff

export const truncatedGzip: WireFault = {
  kind: 'wire',
  name: 'truncated-gzip',
  summary: 'Gzips the body (Content-Encoding: gzip) and ends the response half-way, as if it were complete.',
  options: {},
  transform(plan) {
    const zipped = { ...plan, events: [...zip(plan.events)] }
    const events: PlanEvent[] = [...firstBytes(zipped, Math.floor(sizeOf(zipped) / 2)), { type: 'end' }]
    return withHeaders({ ...plan, events }, { 'content-encoding': 'gzip' })
  },
}

/** Zips the texts that are sent together: those between two events of other types. */
function* zip(events: readonly PlanEvent[]): Generator<PlanEvent> {
  let isBegun = false
  let texts: string[] = []
  for (const event of events) {
    if (event.type === 'send') {
      // Not bytes: a call has one fault, and answers are text before it.
      texts.push(textOf(event.data))
      continue
    }
    if (texts.length > 0) {
      if (!isBegun) yield { type: 'send', data: HEADER }
      yield* storedBlocks(bytesOf(texts.join('')))
      isBegun = true
      texts = []
    }
    yield event
  }
}

/** Blocks that are not the last one: a zero byte, the length, its complement, the bytes. */
function* storedBlocks(bytes: Uint8Array): Generator<PlanEvent> {
  for (let start = 0; start < bytes.length; start += MAX_BLOCK) {
    const block = bytes.subarray(start, start + MAX_BLOCK)
    const { length } = block
    yield { type: 'send', data: Uint8Array.of(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff) }
    yield { type: 'send', data: block }
  }
}
