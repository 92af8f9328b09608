/** Sends each event of a stream in many packets. */
import { inPieces } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const splitEvents = faultWith({
  kind: 'stream',
  name: 'split-events',
  summary: 'Sends each event of a stream in packets of a few bytes, which may part a character.',
  options: { size: { kind: 'size', default: 16, summary: 'how many bytes a packet has' } },
  transform: (plan, { size }) => inPieces(plan, size, (piece) => [piece, { type: 'flush' }]),
})
