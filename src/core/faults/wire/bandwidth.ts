/** Sends the body at so many bytes a second. */
import { inPieces } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

const PIECES_A_SECOND = 10

export const bandwidth = faultWith({
  kind: 'wire',
  name: 'bandwidth',
  summary: 'Sends the body evenly, at so many bytes a second.',
  options: { rate: { kind: 'size', default: 1000, summary: 'how many bytes a second' } },
  transform: (plan, { rate }) =>
    inPieces(plan, Math.ceil(rate / PIECES_A_SECOND), (piece) => [
      { type: 'wait', ms: (piece.data.length * 1000) / rate },
      piece,
    ]),
})
