/**
 * Sends a gzipped body that ends in the middle of its data.
 *
 * The format is gzip (RFC 1952) with stored blocks (RFC 1951, section 3.2.4): no compression, so a few lines
 * suffice. The checksum would come after the truncation, so there is none.
 */
import type { Plan, PlanEvent } from '../../plan/plan.ts'
import { bytesOf, firstBytes, mapSends, sendSizeOf, sendsOf, sizeOf, withHeaders } from '../../plan/transform.ts'
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
    const size = Math.floor(sizeOfZipped(plan) / 2)
    let zippedSize = 0
    const zipped = mapSends(withHeaders(plan, { 'content-encoding': 'gzip' }), (send, index) => {
      // The rest is not sent, and a stream of 14 MB takes 400 ms to zip.
      if (zippedSize >= size) return []
      const blocks = storedBlocks(bytesOf(send.data))
      const events: PlanEvent[] = index === 0 ? [{ type: 'send', data: HEADER }, ...blocks] : blocks
      zippedSize += sizeOf({ events })
      return events
    })
    return { ...zipped, events: [...firstBytes(zipped, size), { type: 'end' }] }
  },
}

const FRAME_BYTES = 5

/** The size of the body in bytes, gzipped and whole. */
function sizeOfZipped(plan: Plan): number {
  const sizes = sendsOf(plan).map(sendSizeOf)
  const blocks = sizes.reduce((sum, size) => sum + Math.ceil(size / MAX_BLOCK), 0)
  const header = sizes.length > 0 ? HEADER.length : 0
  return sizes.reduce((sum, size) => sum + size, header + blocks * FRAME_BYTES)
}

/** Blocks that are not the last one: a zero byte, the length, its complement, the bytes. */
function storedBlocks(bytes: Uint8Array): PlanEvent[] {
  const blocks: PlanEvent[] = []
  for (let start = 0; start < bytes.length; start += MAX_BLOCK) {
    const block = bytes.subarray(start, start + MAX_BLOCK)
    const { length } = block
    const frame = Uint8Array.of(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff)
    blocks.push({ type: 'send', data: frame }, { type: 'send', data: block })
  }
  return blocks
}
