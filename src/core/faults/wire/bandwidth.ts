/** Limits the bytes per second of a body. */
import { inPieces } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

const PIECES_PER_SECOND = 10

export const bandwidth = faultWith({
  kind: 'wire',
  name: 'bandwidth',
  summary: 'Sends the body evenly at a fixed number of bytes per second.',
  options: { rate: { kind: 'size', default: 1000, summary: 'the number of bytes per second' } },
  transform: (plan, { rate }) =>
    inPieces(plan, Math.ceil(rate / PIECES_PER_SECOND), (piece) => [
      { type: 'wait', ms: (piece.data.length * 1000) / rate },
      piece,
    ]),
})
