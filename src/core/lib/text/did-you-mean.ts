/** Finds the names that somebody may have meant: those nearest to a misspelt one, and ours for a word of another tool. */

const MAX_SUGGESTIONS = 3
/** The longest word that is compared: distances take time in proportion to its length. */
const MAX_WORD_LENGTH = 64

/** The names that words of other tools may stand for: `{ prompt: ['user'] }`. Words are in lower case, letters only. */
export type Synonyms = Readonly<Record<string, readonly string[]>>

/**
 * The most similar candidates first, at most `count`. Each is at most a third of the word's length in edits away, or begins with
 * the word. So a word of one or two letters has none but itself in capitals.
 * @example nearest('temprature', ['temperature', 'top_p']) // ['temperature']
 */
export function nearest(word: string, candidates: Iterable<string>, count = 2): string[] {
  if (word.length > MAX_WORD_LENGTH) return []
  const limit = Math.floor(word.length / 3)
  const lower = word.toLowerCase()
  return [...candidates]
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .filter(({ distance, name }) => distance <= limit || (word.length >= 3 && name.startsWith(lower)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name)
}

/**
 * A sentence for the end of a message, with the space before it: ` Did you mean 'stop' or 'store'?` It is '' if no candidate is
 * near, and has at most three names.
 */
export function didYouMean(word: string, candidates: Iterable<string>, synonyms: Synonyms = {}): string {
  const all = [...candidates]
  const translated = namesOf(word, synonyms).filter((name) => all.includes(name))
  const near = translated.length > 0 ? translated : nearest(word, all)
  // A name that differs in its capitals only is certainly meant.
  const same = near.filter((name) => name.toLowerCase() === word.toLowerCase())
  const names = same.length > 0 ? same : near
  const quoted = names.slice(0, MAX_SUGGESTIONS).map((name) => `'${name}'`)
  const last = quoted.pop()
  if (last === undefined) return ''
  return quoted.length === 0 ? ` Did you mean ${last}?` : ` Did you mean ${quoted.join(', ')} or ${last}?`
}

/** The names that a word of another tool stands for, however it is written: `max_tokens`, `maxTokens`. */
export function namesOf(word: string, synonyms: Synonyms): readonly string[] {
  const plain = word.toLowerCase().replace(/[^a-z]/g, '')
  return Object.hasOwn(synonyms, plain) ? synonyms[plain]! : []
}

/** Edits between two words: insert, delete, replace, swap neighbours (Damerau 1964, optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
