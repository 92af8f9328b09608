/**
 * Facts about known words: the weight of a common word, and the groups and topics that a word belongs to.
 *
 *     commonWeight('the')   0.12
 *     relationsOf('cat')    { groups: [22], topics: [0] }
 *
 * Node loads this module, with its lists, when it computes the first embedding: see scripts/lazy-modules.ts.
 */
import { COMMON_WORDS, RELATED_WORDS, TOPICS } from './word-lists.ts'

/** Weights of common words by their grade: the meaning that they have for a text. */
const WEIGHTS = { faint: 0.12, weak: 0.45, mild: 0.6 } as const

/** The numbers of the groups and topics that a word belongs to. */
interface Relations {
  readonly groups: number[]
  readonly topics: number[]
}

const NONE: Relations = { groups: [], topics: [] }
// Set by the first call that needs them: most pages start without an embedding to make.
let weightByWord: ReadonlyMap<string, number> | undefined
let relationsByStem: ReadonlyMap<string, Relations> | undefined

/** The weight of a common word, in lower case; undefined for any other. */
export function commonWeight(word: string): number | undefined {
  if (weightByWord === undefined) {
    // Each line is a grade and some of its words, split at `: ` and at blanks: `faint: the a an`.
    const lines = COMMON_WORDS.split('\n').map((line) => line.split(/:? /) as [keyof typeof WEIGHTS, ...string[]])
    weightByWord = new Map(lines.flatMap(([grade, ...words]) => words.map((each) => [each, WEIGHTS[grade]])))
  }
  return weightByWord.get(word)
}

/** The relations of a stem; most stems have none. */
export function relationsOf(stemmed: string): Readonly<Relations> {
  relationsByStem ??= readRelations()
  return relationsByStem.get(stemmed) ?? NONE
}

/** The relations of each stem. A line of a list is a group or a topic, and has the number of the line. */
function readRelations(): Map<string, Relations> {
  const byStem = new Map<string, Relations>()
  for (const [kind, list] of [['groups', RELATED_WORDS] as const, ['topics', TOPICS] as const]) {
    for (const [number, line] of list.split('\n').entries()) {
      for (const stem of line.split(' ')) {
        const relations = byStem.get(stem) ?? { groups: [], topics: [] }
        byStem.set(stem, relations)
        relations[kind].push(number)
      }
    }
  }
  return byStem
}
