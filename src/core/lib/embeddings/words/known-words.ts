/**
 * Facts about known words: the grade of a common word, and the groups and topics that a word belongs to.
 *
 *     gradeOf('the')       'faint'
 *     relationsOf('cat')   { groups: [22], topics: [0] }
 *
 * Node loads this module, with its lists, when it computes the first embedding: see scripts/lazy-modules.ts.
 */
import { COMMON_WORDS, RELATED_WORDS, TOPICS } from './word-lists.ts'

/** The meaning that a common word has for a text: `faint` has the least. */
type Grade = 'faint' | 'weak' | 'mild'

/** The numbers of the groups and topics that a word belongs to. */
interface Relations {
  readonly groups: number[]
  readonly topics: number[]
}

const NONE: Relations = { groups: [], topics: [] }
// Set by the first call that needs them: most pages start without an embedding to make.
let gradeByWord: ReadonlyMap<string, Grade> | undefined
let relationsByStem: ReadonlyMap<string, Relations> | undefined

/** The grade of a lower-case word; undefined for a word that is not common. */
export function gradeOf(word: string): Grade | undefined {
  if (gradeByWord === undefined) {
    // Each line is a grade and some of its words, split at `: ` and at blanks: `faint: the a an`.
    const lines = COMMON_WORDS.split('\n').map((line) => line.split(/:? /))
    gradeByWord = new Map(lines.flatMap(([grade, ...words]) => words.map((each) => [each, grade as Grade])))
  }
  return gradeByWord.get(word)
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
