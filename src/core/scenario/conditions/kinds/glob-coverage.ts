/** Names with stars, compared without any name at hand: whether one takes all that another takes, or any of it. */
import { matchesGlob } from '../../compile/glob.ts'

/**
 * Whether `wide` matches every name that `narrow` matches. The stars of `narrow` are read as letters: only a star of
 * `wide` can take in a star, and then it takes in whatever that stands for.
 * @example coversGlob('sk-*', 'sk-ci-*') // true
 */
export const coversGlob = (wide: string, narrow: string): boolean => matchesGlob(wide, narrow)

// The comparison below is quadratic; of names that are longer together it is said that they may meet.
const MAX_STEPS = 40_000

/**
 * Whether there is a name that both match; true where that would take too long to find out.
 * @example globsMeet('sk-*', '*-ci') // true
 */
export function globsMeet(first: string, second: string): boolean {
  if (!second.includes('*')) return matchesGlob(first, second)
  if (!first.includes('*')) return matchesGlob(second, first)
  if (first.length * second.length > MAX_STEPS) return true
  // From the end on: after[j] says whether the rest of `first` and second.slice(j) meet.
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
