/** Matches names with `*`, and texts with another wildcard. */

/**
 * Linear: the parts between the stars must follow one another; the first and last are anchored.
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
  const [one, other] = [first.split('*'), second.split('*')]
  const [start, otherStart, end, otherEnd] = [one[0]!, other[0]!, one.at(-1)!, other.at(-1)!]
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) && (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  )
}
