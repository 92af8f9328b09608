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
