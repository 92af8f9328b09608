/** Embeddings of which one has another size than the rest. */
import type { SemanticFault } from '../fault.ts'

export const wrongDimension: SemanticFault = {
  kind: 'semantic',
  name: 'wrong-dimension',
  summary: 'An embedding that has one number too few.',
  options: {},
  endpoint: 'embeddings',
  needs: 'embeddings of at least two dimensions',
  embeddings: (all, random) => {
    const place = random.below(all.length)
    const { index, vector } = all[place]!
    return vector.length < 2 ? undefined : all.with(place, { index, vector: vector.subarray(0, -1) })
  },
}
