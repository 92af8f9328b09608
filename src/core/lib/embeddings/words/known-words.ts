/**
 * Facts about known words: the grade of a common word, and the groups and topics that a word belongs to.
 *
 *     gradeOf('the')       'faint'
 *     relationsOf('cat')   { groups: [22], topics: [0] }
 */
import { type Grade, type Relations, readGrades, readRelations } from './read-lists.ts'

const NONE: Relations = { groups: [], topics: [] }
// Set by the first call that needs them: most servers start without an embedding to make.
let gradeByWord: ReadonlyMap<string, Grade> | undefined
let relationsByStem: ReadonlyMap<string, Relations> | undefined

/** The grade of a lower-case word; undefined for a word that is not common. */
export function gradeOf(word: string): Grade | undefined {
  gradeByWord ??= readGrades()
  return gradeByWord.get(word)
}

/** The relations of a stem; most stems have none. */
export function relationsOf(stemmed: string): Readonly<Relations> {
  relationsByStem ??= readRelations()
  return relationsByStem.get(stemmed) ?? NONE
}
