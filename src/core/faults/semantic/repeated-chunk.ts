/** A stream that stutters: one piece of what is said comes twice. */
import type { SemanticFault } from '../fault.ts'

export const repeatedChunk: SemanticFault = {
  kind: 'semantic',
  name: 'repeated-chunk',
  summary: 'A stream in which one chunk of the text or of the arguments comes twice.',
  options: {},
  endpoint: 'chat',
  needs: 'a stream that says something',
  pieces: (all, random) => {
    const places = all.flatMap((pieces, list) => pieces.map((piece, index) => ({ list, index, piece })))
    if (places.length === 0) return undefined
    const { list, index, piece } = places[random.below(places.length)]!
    return all.with(list, all[list]!.toSpliced(index, 0, piece))
  },
}
