/** How little a frequent word says about what a text is about. */
import { type Grade, readGrades } from './read-lists.ts'

// Built on first use: most servers start without an embedding to make.
let gradeByWord: ReadonlyMap<string, Grade> | undefined

/** The grade of a lower-case word; undefined for a word that is not common. */
export function gradeOf(word: string): Grade | undefined {
  gradeByWord ??= readGrades()
  return gradeByWord.get(word)
}
