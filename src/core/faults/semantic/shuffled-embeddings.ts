/** Embeddings that are not in the order of their inputs: only `index` says which input each belongs to. */
import type { SemanticFault } from '../fault.ts'

export const shuffledEmbeddings: SemanticFault = {
  kind: 'semantic',
  name: 'shuffled-embeddings',
  summary: 'Embeddings out of order: each has the index of its input, but none is at that position.',
  options: {},
  endpoint: 'embeddings',
  needs: 'embeddings of at least two inputs',
  embeddings: (all, random) => {
    if (all.length < 2) return undefined
    // All move by the same number of positions, so none stays where it belongs.
    const shift = 1 + random.below(all.length - 1)
    return [...all.slice(shift), ...all.slice(0, shift)]
  },
}
