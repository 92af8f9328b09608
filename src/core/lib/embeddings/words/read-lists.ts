/**
 * Reads the largest word lists: groups of related words (`car automobil auto vehicl`), topics, and common words by grade.
 *
 * Node loads this module when it computes the first embedding: see scripts/lazy-modules.ts.
 */
import { COMMON_WORDS, RELATED_WORDS, TOPICS } from './word-lists.ts'

/** The meaning that a common word has for a text: `faint` has the least. */
export type Grade = 'faint' | 'weak' | 'mild'

/** The numbers of the groups and topics that a word belongs to. */
export interface Relations {
  readonly groups: number[]
  readonly topics: number[]
}

/** The relations of each stem. A line of a list is a group or a topic, and has the number of the line. */
export function readRelations(): Map<string, Relations> {
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

/** The grades of common words. Each line of the list is a grade and some of its words, split at `: ` and at blanks: `faint: the a an`. */
export function readGrades(): Map<string, Grade> {
  const lines = COMMON_WORDS.split('\n').map((line) => line.split(/:? /))
  return new Map(lines.flatMap(([grade, ...words]) => words.map((word) => [word, grade as Grade])))
}
