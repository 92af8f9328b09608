/** Reads the largest word lists. Node loads this module when it computes the first embedding: see scripts/lazy-modules.ts. */
import { COMMON_WORDS, RELATED_WORDS, TOPICS } from './word-lists.ts'

export type Grade = 'faint' | 'weak' | 'mild'

/** The numbers of the groups and topics that a word belongs to. */
export interface Relations {
  readonly groups: number[]
  readonly topics: number[]
}

export function readRelations(): Map<string, Relations> {
  const byStem = new Map<string, Relations>()
  for (const [kind, lists] of [['groups', RELATED_WORDS] as const, ['topics', TOPICS] as const]) {
    for (const [number, list] of lists.split('\n').entries()) {
      for (const stemmed of list.split(' ')) {
        const relations = byStem.get(stemmed) ?? { groups: [], topics: [] }
        byStem.set(stemmed, relations)
        relations[kind].push(number)
      }
    }
  }
  return byStem
}

/** Each line is a grade and its words: `faint: the a an`. */
export function readGrades(): Map<string, Grade> {
  const lines = COMMON_WORDS.split('\n').map((line) => line.split(/:? /))
  return new Map(lines.flatMap(([grade, ...words]) => words.map((word) => [word, grade as Grade])))
}
