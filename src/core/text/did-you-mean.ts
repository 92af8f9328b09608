/** "Did you mean": the names that are most similar to a misspelt one. */

/**
 * The most similar candidates first, at most `count`. Each is at most a third of the word's length in edits away.
 * @example nearest('temprature', ['temperature', 'top_p']) // ['temperature']
 */
export function nearest(word: string, candidates: Iterable<string>, count = 2): string[] {
  if (word.length > 64) return []
  const limit = Math.max(1, Math.floor(word.length / 3))
  const lower = word.toLowerCase()
  return [...candidates]
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .filter(({ distance, name }) => distance <= limit || (word.length >= 3 && name.startsWith(lower)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name)
}

/** ` Did you mean 'stop' or 'store'?` with its leading space, or ''. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const names = nearest(word, candidates)
  return names.length === 0 ? '' : ` Did you mean ${names.map((name) => `'${name}'`).join(' or ')}?`
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
