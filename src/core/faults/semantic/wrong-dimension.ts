/** Embeddings of which one has fewer dimensions than the others. */
import type { SemanticFault } from '../fault.ts'

export const wrongDimension: SemanticFault = {
  kind: 'semantic',
  name: 'wrong-dimension',
  summary: 'One embedding has one dimension too few.',
  options: {},
  endpoint: 'embeddings',
  needs: 'embeddings of at least two dimensions',
  embeddings: (all, random) => {
    const position = random.below(all.length)
    const { index, vector } = all[position]!
    return vector.length < 2 ? undefined : all.with(position, { index, vector: vector.subarray(0, -1) })
  },
}
