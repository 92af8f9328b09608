/** What every search of a hunt shares: it proposes experiments, is given their runs, and confirms what it finds. */
import type { FaultSet } from './fault-set.ts'
import type { Run } from './run.ts'

/** Yields sets of faults to run at once, and expects their runs in the same order; no runs end the search. */
export type SearchSteps<Result> = Generator<readonly FaultSet[], Result, readonly Run[]>

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

export const isFlaky = ({ failures, tries }: Finding): boolean => failures < tries

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

/** Runs a search until it ends or is given no runs. @returns whether it ended */
export function* untilStopped(search: SearchSteps<unknown>, beforeEach: () => void = () => {}): SearchSteps<boolean> {
  let step = search.next()
  while (step.done !== true) {
    beforeEach()
    const runs = yield step.value
    if (runs.length === 0) return false
    step = search.next(runs)
  }
  return true
}
