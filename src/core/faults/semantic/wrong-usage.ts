/** A usage whose total is not the sum of its parts. */
import type { SemanticFault } from '../fault.ts'

export const wrongUsage: SemanticFault = {
  kind: 'semantic',
  name: 'wrong-usage',
  summary: 'A usage that does not add up: total_tokens is more than the sum of its parts.',
  options: {},
  needs: 'an answer',
  total: (total, random) => total + 1 + random.below(100),
}
