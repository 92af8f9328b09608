/**
 * The experiments of a hunt: the base of all searches. A search is a generator. It yields sets of faults, is given the runs
 * of the app under them, and returns the sets that fail. So it needs neither processes nor time:
 *
 *     const steps = search.run()
 *     steps.next()          // { value: [[{ call: '1q307jmytm5', attempt: 1, fault: 'hang' }]] }
 *     steps.next([run])     // the next sets, and at the end { done: true, value: { findings, tried, ... } }
 */
import { type FaultSet, hasAll } from './fault-set.ts'
import type { AppRun } from './known-runs.ts'

/** Yields sets of faults to run at once, and expects their runs in the same order; a missing run ends the search. */
export type SearchSteps<Result> = Generator<readonly FaultSet[], Result, readonly (AppRun | undefined)[]>

/** Other faults of the same class, as texts, by what the app does under them. */
export interface Refinement {
  readonly fails: readonly string[]
  readonly passes: readonly string[]
}

/** A set of faults under which the app failed. */
export interface FailingSet {
  readonly faults: FaultSet
  readonly failures: number
  /** The number of times that the set was tried. A set with fewer failures is flaky; one that was tried once is not confirmed. */
  readonly tries: number
  /** More about it, for messages: `with end=clean, 3 of 8 cuts fail`. */
  readonly detail?: string
  /** For each of the faults, in their order; left out unless it was refined. */
  readonly refinements?: readonly Refinement[]
}

export const isFlaky = ({ failures, tries }: Pick<FailingSet, 'failures' | 'tries'>): boolean => failures < tries

/** A set of faults and the run that it leads to. */
export interface TriedSet {
  readonly faults: FaultSet
  readonly run: AppRun
}

/** The number of sets that were not tried, by the reason. */
export interface Pruned {
  /** It would be a run that is known. */
  readonly knownRun: number
  /** It contains a set that fails. */
  readonly failingSubset: number
  /** It pairs a fault that a retry recovered from with a fault of another call. `isExhaustive` tries these. */
  readonly recoveredByRetry: number
  /** It contains a fault that could not apply to its call. */
  readonly refused: number
  /** Its calls were hunted before, and an earlier report has their results. */
  readonly kept: number
}

export const NOTHING_PRUNED: Pruned = { knownRun: 0, failingSubset: 0, recoveredByRetry: 0, refused: 0, kept: 0 }

export interface SkippedSet {
  readonly faults: FaultSet
  readonly reason: keyof Pruned
}

/** Counts for the progress line. */
export interface SearchProgress {
  readonly tried: number
  readonly found: number
  /** The sets of the current size that were not tried yet, those that are tried now included. */
  readonly left: number
}

export interface SearchResult {
  /** Sets under which the app failed, the smallest first. No confirmed one contains another confirmed one. */
  readonly findings: readonly FailingSet[]
  readonly tried: readonly TriedSet[]
  readonly skipped: readonly SkippedSet[]
  readonly pruned: Pruned
  /** True if sets are left, because of `maxRuns` or because the search was stopped. */
  readonly isCutShort: boolean
  /** The least number of sets that are left. */
  readonly left: number
}

/** The number of times that a set which failed once is tried in all, when the second try passes. */
const FLAKY_TRIES = 5

export interface SearchLimits {
  /** The number of experiments that can run at once. Default: 1. */
  readonly jobs?: number | undefined
  /** The number of runs after which no new set is tried. Default: no limit. */
  readonly maxRuns?: number | undefined
}

/** A search. What it has reached is kept, so a search that is stopped has a result too. */
export abstract class Experiments<Options extends SearchLimits = SearchLimits> {
  protected readonly options: Options
  protected readonly jobs: number
  protected readonly maxRuns: number
  protected readonly findings: FailingSet[] = []
  /** A search adds each set with its run. */
  protected readonly tried: TriedSet[] = []
  protected readonly skipped: SkippedSet[] = []
  /** Set by a search when its runs are used up, and by `run` when a run is missing. */
  protected isCutShort = false
  /** The sets that are left, for the progress. A search counts them. */
  protected left = 0
  /**
   * The runs that failed, by their sets. `run` adds them, and a search deletes those that it has examined. When it is
   * stopped, the others become findings that are not confirmed.
   */
  protected readonly unexamined = new Map<FaultSet, AppRun>()

  constructor(options: Options) {
    const { jobs = 1, maxRuns = Number.POSITIVE_INFINITY } = options
    this.options = options
    this.jobs = jobs
    this.maxRuns = maxRuns
  }

  /** Yields the sets, and is given all their runs: `run` ends the search when one is missing. */
  protected abstract propose(): SearchSteps<void>

  /** Runs the search until it ends or a run is missing. */
  *run(): SearchSteps<SearchResult> {
    const steps = this.propose()
    let step = steps.next()
    while (step.done !== true) {
      const sets = step.value
      const runs = yield sets
      for (const [index, faults] of sets.entries()) {
        const run = runs[index]
        if (run?.isPassed === false) this.unexamined.set(faults, run)
      }
      if (sets.some((_, index) => runs[index] === undefined)) {
        this.isCutShort = true
        this.#addUnexamined()
        break
      }
      step = steps.next(runs)
    }
    const { findings, tried, skipped, isCutShort } = this
    findings.sort((one, other) => one.faults.length - other.faults.length)
    const pruned = { ...NOTHING_PRUNED }
    for (const { reason } of skipped) pruned[reason]++
    return { findings, tried, skipped, pruned, isCutShort, left: isCutShort ? this.left : 0 }
  }

  get progress(): SearchProgress {
    return { tried: this.tried.length, found: this.findings.length, left: this.left }
  }

  /** Adds a set that failed once, and tries it again. If the search is stopped meanwhile, it stays unconfirmed. */
  protected *confirm(faults: FaultSet, detail?: string): SearchSteps<void> {
    const index = this.findings.length
    this.findings.push({ faults, failures: 1, tries: 1, ...(detail !== undefined && { detail }) })
    let failures = 1
    let tries = 1
    do {
      const [run] = yield [faults]
      tries++
      if (run?.isPassed === false) failures++
    } while (failures < tries && tries < FLAKY_TRIES)
    this.findings[index] = { ...this.findings[index]!, failures, tries }
  }

  /** Adds the sets that failed and were not examined before the search was stopped, the smallest first. */
  #addUnexamined(): void {
    for (const [faults, run] of [...this.unexamined].sort(([one], [other]) => one.length - other.length)) {
      const isKnown = this.findings.some((finding) => hasAll(faults, finding.faults))
      if (isKnown || isRefused(run)) continue
      if (!this.tried.some((one) => one.run === run)) this.tried.push({ faults, run })
      this.findings.push({ faults, failures: 1, tries: 1 })
    }
  }
}

/** True if a fault could not apply in a run, so that the run says nothing. */
export const isRefused = ({ calls }: AppRun): boolean => calls.some(({ refused }) => refused !== undefined)
