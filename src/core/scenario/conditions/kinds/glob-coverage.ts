/** Compares two globs: whether one matches all names of the other, or any of them. */
import { matchesGlob } from '../../compile/glob.ts'

/**
 * Whether `wide` matches every name that `narrow` matches. A star in `narrow` is compared as a plain character: only a star
 * of `wide` can match it, and that star matches any other text too.
 * @example coversGlob('sk-*', 'sk-ci-*') // true
 */
export const coversGlob = (wide: string, narrow: string): boolean => matchesGlob(wide, narrow)

// The comparison is quadratic; longer names are assumed to meet.
const MAX_STEPS = 40_000

/**
 * Whether some name matches both; true if the comparison would take too long.
 * @example globsMeet('sk-*', '*-ci') // true
 */
export function globsMeet(first: string, second: string): boolean {
  if (!second.includes('*')) return matchesGlob(first, second)
  if (!first.includes('*')) return matchesGlob(second, first)
  if (first.length * second.length > MAX_STEPS) return true
  // From the end backwards: after[j] is whether first.slice(i + 1) and second.slice(j) meet.
  let after: boolean[] = []
  for (let i = first.length; i >= 0; i--) {
    const row: boolean[] = []
    for (let j = second.length; j >= 0; j--) {
      const [a, b] = [first[i], second[j]]
      if (a === undefined && b === undefined) row[j] = true
      else if (a === '*') row[j] = after[j] === true || (b !== undefined && row[j + 1] === true)
      else if (b === '*') row[j] = row[j + 1] === true || (a !== undefined && after[j] === true)
      else row[j] = a === b && after[j + 1] === true
    }
    after = row
  }
  return after[0]!
}
