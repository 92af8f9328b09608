/** "Did you mean": the names nearest to a misspelt one, and our words for the words of other tools. */

const MAX_SUGGESTIONS = 3

/** The names that a word of another tool may stand for: `{ prompt: ['user'] }`. Words are in lower case, letters only. */
export type Synonyms = Readonly<Record<string, readonly string[]>>

/**
 * The most similar candidates first, at most `count`. Each is at most a third of the word's length in edits away, so
 * a word of one or two letters has none but itself in capitals.
 * @example nearest('temprature', ['temperature', 'top_p']) // ['temperature']
 */
export function nearest(word: string, candidates: Iterable<string>, count = 2): string[] {
  if (word.length > 64) return []
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
 * ` Did you mean 'stop' or 'store'?`, or nothing; at most three names. The space in front is part of it.
 * @param synonyms words of other tools; of the names they stand for only candidates are suggested.
 */
export function didYouMean(word: string, candidates: Iterable<string>, synonyms: Synonyms = {}): string {
  const all = [...candidates]
  const known = namesOf(word, synonyms).filter((name) => all.includes(name))
  const near = known.length > 0 ? known : nearest(word, all)
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
