/** What every search of a hunt shares: it proposes experiments, is given their runs, and confirms what it finds. */
import type { FaultSet } from './fault-set.ts'
import type { Run } from './run.ts'

/** Yields sets of faults to run at once, and expects their runs in the same order; a missing run ends the search. */
export type SearchSteps<Result> = Generator<readonly FaultSet[], Result, readonly (Run | undefined)[]>

/** Other faults of the same class, as texts, and whether the app fails under them too. */
export interface Refinement {
  readonly fails: readonly string[]
  readonly passes: readonly string[]
}

/** A set of faults under which the app failed. */
export interface Finding {
  readonly faults: FaultSet
  readonly failures: number
  /** How often the set was tried. A finding with fewer failures is flaky; one that was tried once is not confirmed. */
  readonly tries: number
  /** More about it, for messages: `with end=clean, 3 of 8 cuts fail`. */
  readonly detail?: string
  /** For each of the faults, in their order; left out unless it was refined. */
  readonly refinements?: readonly Refinement[]
}

/** Whether it was tried only once, because the search was stopped. */
export const isUnconfirmed = ({ tries }: Pick<Finding, 'tries'>): boolean => tries === 1

export const isFlaky = ({ failures, tries }: Pick<Finding, 'failures' | 'tries'>): boolean => failures < tries

/** How often a set that failed once is tried in all when the second try passes. */
const FLAKY_TRIES = 5

/** Tries a set again that failed once. */
export function* confirm(faults: FaultSet): SearchSteps<Finding> {
  let failures = 1
  let tries = 1
  do {
    const [run] = yield [faults]
    tries++
    if (run?.isPassed === false) failures++
  } while (failures < tries && tries < FLAKY_TRIES)
  return { faults, failures, tries }
}

/**
 * Runs a search until it ends or a run is missing.
 * @param onRun gets each run, also those that came before a missing one
 * @returns whether it ended
 */
export function* untilStopped(
  search: SearchSteps<unknown>,
  beforeEach: () => void = () => {},
  onRun: (faults: FaultSet, run: Run) => void = () => {},
): SearchSteps<boolean> {
  let step = search.next()
  while (step.done !== true) {
    beforeEach()
    const sets = step.value
    const runs = yield sets
    for (const [index, faults] of sets.entries()) if (runs[index] !== undefined) onRun(faults, runs[index])
    if (sets.some((_, index) => runs[index] === undefined)) return false
    step = search.next(runs)
  }
  return true
}
