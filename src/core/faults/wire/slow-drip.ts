/** Sends the body in small pieces with a pause before each. */
import { inPieces } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const slowDrip = faultWith({
  kind: 'wire',
  name: 'slow-drip',
  summary: 'Sends the body in small pieces, with a pause before each.',
  options: {
    size: { kind: 'size', default: 1, summary: 'the number of bytes per piece' },
    interval: { kind: 'duration', default: 100, summary: 'the pause before each piece' },
  },
  transform: (plan, { size, interval }) => inPieces(plan, size, (piece) => [{ type: 'wait', ms: interval }, piece]),
})
