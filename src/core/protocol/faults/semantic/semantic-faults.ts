/** The semantic faults, in the order of the docs: one entry each. A long one has its own file. */
import type { Fault, SemanticFault } from '../fault.ts'
import { otherLanguage } from './other-language.ts'
import { toolCallFaults } from './tool-calls/tool-call-faults.ts'
import { truncatedJson } from './truncated-json.ts'
import { undeclaredTool } from './undeclared-tool.ts'
import { unfinished } from './unfinished.ts'
import { wrongEnum } from './wrong-enum.ts'

const chat = { kind: 'semantic', options: {}, endpoint: 'chat' } as const
const embeddings = { kind: 'semantic', options: {}, endpoint: 'embeddings' } as const

const refusal: SemanticFault = {
  ...chat,
  name: 'refusal',
  summary: 'A refusal: no content, the text in `refusal`, with finish_reason stop.',
  needs: 'a chat completion',
  message: () => ({ type: 'refusal', text: "I'm sorry, but I can't help with that." }),
}

const emptyText: SemanticFault = {
  ...chat,
  name: 'empty-text',
  summary: 'An empty text in place of an answer, with finish_reason stop.',
  needs: 'a chat completion',
  message: () => ({ type: 'text', text: '' }),
}

const repeatedChunk: SemanticFault = {
  ...chat,
  name: 'repeated-chunk',
  summary: 'A stream that repeats one chunk of the text or of the arguments.',
  needs: 'a stream with text or arguments',
  pieces: (all, random) => {
    const candidates = all.flatMap((pieces, list) => pieces.map((piece, index) => ({ list, index, piece })))
    if (candidates.length === 0) return undefined
    const { list, index, piece } = candidates[random.below(candidates.length)]!
    return all.with(list, all[list]!.toSpliced(index, 0, piece))
  },
}

const wrongUsage: SemanticFault = {
  kind: 'semantic',
  name: 'wrong-usage',
  summary: 'A usage that does not add up: total_tokens is more than the sum of its parts.',
  options: {},
  needs: 'an answer',
  total: (total, random) => total + 1 + random.below(100),
}

const wrongDimension: SemanticFault = {
  ...embeddings,
  name: 'wrong-dimension',
  summary: 'One embedding has one dimension too few.',
  needs: 'embeddings of at least two dimensions',
  embeddings: (all, random) => {
    const position = random.below(all.length)
    const { index, dimensions, vector } = all[position]!
    if (dimensions < 2) return undefined
    return all.with(position, { index, dimensions: dimensions - 1, vector: () => vector().subarray(0, -1) })
  },
}

const shuffledEmbeddings: SemanticFault = {
  ...embeddings,
  name: 'shuffled-embeddings',
  summary: 'Embeddings out of order: each has the index of its input, but none is at that position.',
  needs: 'embeddings of at least two inputs',
  embeddings: (all, random) => {
    if (all.length < 2) return undefined
    // All move by the same number of positions, so none stays where it belongs.
    const shift = 1 + random.below(all.length - 1)
    return [...all.slice(shift), ...all.slice(0, shift)]
  },
}

export const semanticFaults: readonly Fault[] = [
  refusal,
  emptyText,
  otherLanguage,
  unfinished,
  truncatedJson,
  wrongEnum,
  undeclaredTool,
  ...toolCallFaults,
  repeatedChunk,
  wrongUsage,
  wrongDimension,
  shuffledEmbeddings,
]
