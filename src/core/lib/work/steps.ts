/**
 * Work in steps: how a call with much to do leaves the event loop to others in between.
 *
 * Steps are a generator that yields after each part how many units of work the part was. A unit is about a microsecond on
 * a slow machine. Units are counted and not measured, so the same call has the same steps everywhere.
 */

/** A computation in parts; each part yields its units. */
export type Steps<Result> = Generator<number, Result, undefined>

/** The units that one turn of the event loop is for. */
export const UNITS_PER_TURN = 5_000
/** Up to this many characters, work on a text is not worth counting. */
export const MAX_LIGHT_LENGTH = 1_000

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
