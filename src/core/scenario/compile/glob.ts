/** Matches names with `*` (`sk-ci-*` matches `sk-ci-7`), and texts with another wildcard. */

/**
 * True if the parts between the stars follow one another in the name; the first is its beginning, the last its end. Takes
 * linear time.
 * @param star the wildcard, which matches any characters.
 */
export function matchesGlob(glob: string, name: string, star = '*'): boolean {
  const parts = glob.split(star)
  if (parts.length === 1) return glob === name
  const first = parts[0]!
  const last = parts.at(-1)!
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let position = first.length
  const end = name.length - last.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, position)
    if (found < 0 || found + part.length > end) return false
    position = found + part.length
  }
  return true
}

/**
 * True if some name matches both globs. Two globs with stars meet if their beginnings and their ends fit together.
 * @example globsMeet('sk-*', '*-ci') // true
 */
export function globsMeet(first: string, second: string): boolean {
  if (!second.includes('*')) return matchesGlob(first, second)
  if (!first.includes('*')) return matchesGlob(second, first)
  const [firstParts, secondParts] = [first.split('*'), second.split('*')]
  const [start, otherStart] = [firstParts[0]!, secondParts[0]!]
  const [end, otherEnd] = [firstParts.at(-1)!, secondParts.at(-1)!]
  const startsFit = start.startsWith(otherStart) || otherStart.startsWith(start)
  return startsFit && (end.endsWith(otherEnd) || otherEnd.endsWith(end))
}
