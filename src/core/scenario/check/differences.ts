/** What a call lacks to fulfil conditions: for near misses and for the messages of matchers. */

/** One condition that does not hold. */
export interface Difference {
  /** The condition: `user`. */
  readonly field: string
  /** What the call has, for messages: `'Hello'`. */
  readonly found: string
  /** What the condition needs: `/weather/`. */
  readonly needed: string
  /** Says what is missing when it is more than a condition that fails; replaces the other texts in messages. */
  readonly explanation?: string
}

const MAX_SHOWN = 4

/** `expected user /weather/, got 'Hello'; expected turn 2, got 1` */
export function differencesText(differences: readonly Difference[]): string {
  const shown = differences
    .slice(0, MAX_SHOWN)
    .map((one) => one.explanation ?? `expected ${one.field} ${one.needed}, got ${one.found}`)
  const more = differences.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more difference${more === 1 ? '' : 's'}`] : [])].join('; ')
}
