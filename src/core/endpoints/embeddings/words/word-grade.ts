/** How little a frequent word says about what a text is about. */
import { COMMON_WORDS } from './word-lists.ts'

type Grade = 'faint' | 'weak' | 'mild'

// Built on first use: most servers start without an embedding to make.
let gradeByWord: ReadonlyMap<string, Grade> | undefined

/** The grade of a lower-case word; undefined for a word that is not common. */
export function gradeOf(word: string): Grade | undefined {
  gradeByWord ??= readGrades()
  return gradeByWord.get(word)
}

/** Each line is a grade and its words: `faint: the a an`. */
function readGrades(): Map<string, Grade> {
  const lines = COMMON_WORDS.split('\n').map((line) => line.split(/:? /))
  return new Map(lines.flatMap(([grade, ...words]) => words.map((word) => [word, grade as Grade])))
}
