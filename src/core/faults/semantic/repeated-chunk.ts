/** A stream that repeats one chunk of its text or arguments. */
import type { SemanticFault } from '../fault.ts'

export const repeatedChunk: SemanticFault = {
  kind: 'semantic',
  name: 'repeated-chunk',
  summary: 'A stream that repeats one chunk of the text or of the arguments.',
  options: {},
  endpoint: 'chat',
  needs: 'a stream with text or arguments',
  pieces: (all, random) => {
    const candidates = all.flatMap((pieces, list) => pieces.map((piece, index) => ({ list, index, piece })))
    if (candidates.length === 0) return undefined
    const { list, index, piece } = candidates[random.below(candidates.length)]!
    return all.with(list, all[list]!.toSpliced(index, 0, piece))
  },
}
