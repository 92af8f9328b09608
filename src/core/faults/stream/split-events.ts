/** Sends each event of a stream in several packets. */
import { inPieces } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const splitEvents = faultWith({
  kind: 'stream',
  name: 'split-events',
  summary: 'Sends each event of a stream in packets of a few bytes, which may split a character.',
  options: { size: { kind: 'size', default: 16, summary: 'the number of bytes per packet' } },
  transform: (plan, { size }) => inPieces(plan, size, (piece) => [piece, { type: 'flush' }]),
})
