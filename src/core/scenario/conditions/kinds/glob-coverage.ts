/** Compares two globs: whether one matches all names of the other, or any of them. */
import { matchesGlob } from '../../compile/glob.ts'

/**
 * Whether `wide` matches every name that `narrow` matches. A star in `narrow` is compared as a plain character: only a star
 * of `wide` can match it, and that star matches any other text too.
 * @example coversGlob('sk-*', 'sk-ci-*') // true
 */
export const coversGlob = (wide: string, narrow: string): boolean => matchesGlob(wide, narrow)

/**
 * Whether some name matches both. Two globs with stars meet if their beginnings and their ends fit together.
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
