/**
 * The search for the smallest sets of faults under which an app fails. It proposes experiments and is given what
 * happened, so it needs neither processes nor time.
 *
 * It goes by the size of the sets, so each set that it finds is minimal. The next larger sets add one fault to a call
 * that was seen, so calls that appear only under faults (retries, fallbacks) are reached too.
 *
 * An app that gets the same answers makes the same calls. So a set is skipped if it would inject the same faults as a known
 * run. This rule saves most runs.
 */
import {
  Experiments,
  groupFindings,
  isFlaky,
  type Pruned,
  type Refinement,
  type SearchLimits,
  type SearchSteps,
  type TriedSet,
} from './experiments.ts'
import { type FaultSet, hasAll, keyOf, nameOf, type PlannedFault, withFault } from './fault-set.ts'
import { type AppRun, hasRecovered, KnownRuns } from './known-runs.ts'
import { findSmallest } from './shrink-search.ts'

export interface FaultSearchOptions extends SearchLimits {
  /** The run without faults. It must have passed. */
  readonly baseline: AppRun
  /** The faults to try on each call, those that are quick to try first. */
  readonly faults: readonly string[]
  /** The size of the largest sets. */
  readonly depth: number
  /** Other faults of the same class, to try in place of the faults of what was found. Default: none. */
  readonly variantsFor?: (fault: PlannedFault) => readonly string[]
  /** Also pairs a fault that a retry recovered from with faults of other calls. Default: false. */
  readonly isExhaustive?: boolean | undefined
}

/** Most groups of findings that are refined. */
const MAX_REFINED = 5

export class FaultSearch extends Experiments {
  readonly #options: FaultSearchOptions
  readonly #runs = new KnownRuns()
  /** Sets that fail: those that were found, and those that would be the same runs. */
  readonly #failing: FaultSet[] = []
  /** Faults that a retry recovered from: without the calls that failed, their runs are the baseline. */
  readonly #recovered = new Set<string>()
  /** Faults that could not apply to their calls. */
  readonly #refused = new Set<string>()
  /** The runs that failed, whatever was learned from them. */
  readonly #failures: TriedSet[] = []
  /** The sets of the next size to add to. */
  #passed: TriedSet[]
  /** From then on no set is left to try. */
  #isRefining = false

  constructor(options: FaultSearchOptions) {
    super(options)
    this.#options = options
    this.#runs.add(options.baseline)
    this.#passed = [{ faults: [], run: options.baseline }]
  }

  protected *propose(): SearchSteps<void> {
    const { faults, depth } = this.#options
    for (let size = 1; size <= depth; size++) {
      const candidates = largerSets(this.#passed, faults)
      this.#passed = []
      yield* this.#tryAll(candidates)
      if (this.isCutShort) return
    }
    this.#isRefining = true
    yield* this.#refine()
  }

  protected override see(faults: FaultSet, run: AppRun): void {
    if (!run.isPassed) this.#failures.push({ faults, run })
  }

  /** Adds the failures that were seen and not examined, without a confirmation. */
  protected override stop(): void {
    if (this.#isRefining) return
    this.isCutShort = true
    for (const { faults, run } of this.#failures.toSorted((one, other) => one.faults.length - other.faults.length)) {
      const isKnown = this.#failing.some((set) => hasAll(faults, set)) || refusedBy(run).length > 0
      const same = this.#runs.find(faults)
      if (isKnown || (same !== undefined && same !== run && !same.isPassed)) continue
      if (!this.tried.some((one) => one.run === run)) this.#learn(faults, run)
      this.#failing.push(faults)
      this.add(faults)
    }
  }

  /** Tries sets of one size, several at once. Those that pass are added to, and those that fail are examined. */
  *#tryAll(candidates: readonly FaultSet[]): SearchSteps<void> {
    for (let position = 0; position < candidates.length; ) {
      if (this.tried.length >= this.maxRuns) {
        this.isCutShort = true
        this.left = candidates.length - position
        return
      }
      const batch: FaultSet[] = []
      // Those from the first set of the batch on wait for its runs, so that the result is the same for any number of jobs.
      const waiting: FaultSet[] = []
      for (; position < candidates.length && batch.length < this.jobs; position++) {
        const faults = candidates[position]!
        const isNeeded = batch.length === 0 ? !this.#skip(faults) : this.#reasonToSkip(faults) === undefined
        if (isNeeded) batch.push(faults)
        if (batch.length > 0) waiting.push(faults)
      }
      if (batch.length === 0) continue
      this.left = candidates.length - position + batch.length
      const runs = yield batch
      this.left -= batch.length
      for (const [index, faults] of waiting.entries()) {
        if (index > 0 && this.#skip(faults)) continue
        const tried = this.#learn(faults, runs[batch.indexOf(faults)]!)
        if (tried?.run.isPassed === true) this.#passed.push(tried)
        else if (tried !== undefined) yield* this.#examine(faults)
      }
    }
  }

  /** The reason not to run a set; undefined if its run may tell something new. */
  #reasonToSkip(faults: FaultSet): keyof Pruned | undefined {
    if (this.#failing.some((set) => hasAll(faults, set))) return 'failingSubset'
    if (faults.some((one) => this.#refused.has(placeOf(one)))) return 'refused'
    // A fault that a retry recovered from, without another fault of the same call.
    const isRecovered = (fault: PlannedFault): boolean =>
      this.#recovered.has(keyOf(fault)) && faults.filter(({ call }) => call === fault.call).length === 1
    if (this.#options.isExhaustive !== true && faults.length > 1 && faults.some(isRecovered)) return 'recoveredByRetry'
    return this.#runs.find(faults) === undefined ? undefined : 'knownRun'
  }

  /** Counts a set whose run would tell nothing new; false for any other. */
  #skip(faults: FaultSet): boolean {
    const reason = this.#reasonToSkip(faults)
    if (reason === undefined) return false
    if (reason === 'knownRun') {
      const run = this.#runs.find(faults)!
      if (run.isPassed) this.#passed.push({ faults, run })
      else this.#failing.push(faults)
    }
    this.skipped.push({ faults, reason })
    return true
  }

  /** Stores a run; undefined when a fault could not apply, so that there is nothing to learn. */
  #learn(faults: FaultSet, run: AppRun): TriedSet | undefined {
    this.tried.push({ faults, run })
    const refused = refusedBy(run)
    for (const place of refused) this.#refused.add(place)
    if (refused.length > 0) return undefined
    this.#runs.add(run)
    if (run.isPassed && faults.length === 1 && hasRecovered(run, this.#options.baseline))
      this.#recovered.add(keyOf(faults[0]!))
    return { faults, run }
  }

  /** Adds a failing set to the findings, or a part of it that fails too: the rule about retries may have left that out. */
  *#examine(faults: FaultSet): SearchSteps<void> {
    const findFailing = (sets: readonly FaultSet[]) => this.#findFailing(sets)
    const isSmallest = this.#options.isExhaustive === true
    const smallest = isSmallest ? faults : yield* findSmallest(faults, faults.length, findFailing)
    this.#failing.push(faults, smallest)
    const isKnown = this.findings.some((finding) => nameOf(finding.faults) === nameOf(smallest))
    if (!isKnown) yield* this.confirm(smallest)
  }

  *#findFailing(sets: readonly FaultSet[]): SearchSteps<FaultSet | undefined> {
    for (const set of sets) {
      const run = this.#runs.find(set) ?? this.#learn(set, (yield [set])[0]!)?.run
      if (run?.isPassed === false) return set
    }
    return undefined
  }

  /**
   * Tries other faults of the same class in place of those of confirmed findings. Only groups of findings with one class
   * are refined: several classes say enough.
   */
  *#refine(): SearchSteps<void> {
    const { variantsFor = () => [] } = this.#options
    const confirmed = this.findings.filter((finding) => !isFlaky(finding))
    for (const { places, findings } of groupFindings(confirmed).slice(0, MAX_REFINED)) {
      const { faults } = findings[0]!
      const allVariants = faults.map((fault, index) => (places[index]!.faults.length === 1 ? variantsFor(fault) : []))
      if (allVariants.every(({ length }) => length === 0)) continue
      const refinements: Refinement[] = []
      for (const [index, variants] of allVariants.entries()) {
        const sets = variants.map((fault) => faults.with(index, { ...faults[index]!, fault }))
        const runs = yield* this.runAll(sets)
        // One that cannot apply to the call says nothing.
        const applied = variants.filter((_, place) => refusedBy(runs[place]!).length === 0)
        const passes = variants.filter((_, place) => runs[place]!.isPassed)
        refinements.push({
          fails: applied.filter((variant) => !passes.includes(variant)),
          passes: applied.filter((variant) => passes.includes(variant)),
        })
      }
      this.findings[this.findings.indexOf(findings[0]!)] = { ...findings[0]!, refinements }
    }
  }
}

/** Each of these sets with one more fault that applies to a call of its run; quick faults first. */
function largerSets(passed: readonly TriedSet[], all: readonly string[]): FaultSet[] {
  const byKey = new Map<string, { readonly faults: FaultSet; readonly rank: number }>()
  for (const { faults, run } of passed) {
    for (const call of run.calls) {
      for (const [rank, fault] of all.entries()) {
        if (fault === call.fault) continue
        // A fault on every attempt leaves room for another one on one of them.
        const extents = call.fault === undefined ? ([call.attempt, 'every'] as const) : [call.attempt]
        for (const attempt of extents) {
          const larger = withFault(faults, { call: call.id, attempt, fault })
          if (larger === undefined) continue
          const key = nameOf(larger)
          if (!byKey.has(key)) byKey.set(key, { faults: larger, rank })
        }
      }
    }
  }
  return [...byKey.values()].sort((one, other) => one.rank - other.rank).map(({ faults }) => faults)
}

/** The faults that could not apply in a run. */
const refusedBy = ({ calls }: AppRun): string[] =>
  calls.flatMap(({ id, refused }) => (refused === undefined ? [] : placeOf({ call: id, fault: refused })))

const placeOf = ({ call, fault }: Pick<PlannedFault, 'call' | 'fault'>): string => JSON.stringify([call, fault])
