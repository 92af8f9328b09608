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
import { confirm, type Finding, isFlaky, type SearchSteps, untilStopped } from './experiments.ts'
import { type FaultSet, hasAll, keyOf, type PlannedFault, withFault } from './fault-set.ts'
import { groupFindings } from './groups.ts'
import { refine } from './refine.ts'
import { hasRecovered, type Run, RunTree, type SeenCall } from './run.ts'

export interface SearchOptions {
  /** What happened without faults. It must have passed. */
  readonly baseline: Run
  /** The faults to try on a call, those that are quick to try first. */
  readonly faultsFor: (call: SeenCall) => readonly string[]
  /** The size of the largest sets. */
  readonly depth: number
  /** Other faults of the same class, to try in place of the faults of what was found. Default: none. */
  readonly variantsFor?: (fault: PlannedFault) => readonly string[]
  /** How many experiments can run at once. Default: 1. */
  readonly jobs?: number
  /** The number of runs after which no new set is tried. Default: no limit. */
  readonly maxRuns?: number
  /** Also pairs a fault that a retry recovered from with faults of other calls. Default: false. */
  readonly isExhaustive?: boolean
  /** Called before sets are proposed. */
  readonly onProgress?: (progress: Progress) => void
}

/** How far a search has come. */
export interface Progress {
  readonly tried: number
  readonly found: number
  readonly pruned: number
  /** The sets of the current size that were not tried yet, those that are tried now included. */
  readonly left: number
}

/** Why sets were not tried, and how many. */
export interface Pruned {
  /** It would be a run that is known. */
  readonly knownRun: number
  /** It contains a set that fails. */
  readonly failingSubset: number
  /** It pairs a fault that a retry recovered from with a fault of another call. `isExhaustive` tries these. */
  readonly recoveredByRetry: number
  /** It contains a fault that could not apply to its call. */
  readonly refused: number
}

export interface SearchResult {
  /** The smallest first. No confirmed one contains another confirmed one. */
  readonly findings: readonly Finding[]
  /** The sets that were tried and what happened. */
  readonly tried: readonly TriedSet[]
  readonly pruned: Pruned
  /** The sets that were not tried, and why. */
  readonly skipped: readonly Skipped[]
  /** Whether sets are left, because of `maxRuns` or because the search was stopped. */
  readonly isCutShort: boolean
  /** The least number of sets that are left. */
  readonly left: number
}

export interface Skipped {
  readonly faults: FaultSet
  readonly reason: keyof Pruned
}

/** A set of faults and the run that it leads to. */
export interface TriedSet {
  readonly faults: FaultSet
  readonly run: Run
}

/** How many groups of findings are refined. */
const MAX_REFINED = 5

export const search = (options: SearchOptions): SearchSteps<SearchResult> => new Search(options).run()

export const NOTHING_PRUNED: Pruned = { knownRun: 0, failingSubset: 0, recoveredByRetry: 0, refused: 0 }

/** A search that was stopped before its first run. */
export const NOTHING_TRIED: { readonly progress: Progress; readonly result: SearchResult } = {
  progress: { tried: 0, found: 0, pruned: 0, left: 0 },
  result: { findings: [], tried: [], pruned: NOTHING_PRUNED, skipped: [], isCutShort: true, left: 0 },
}

class Search {
  readonly #options: Required<SearchOptions>
  readonly #runs = new RunTree()
  readonly #tried: TriedSet[] = []
  readonly #findings: Finding[] = []
  readonly #skipped: Skipped[] = []
  readonly #pruned = { ...NOTHING_PRUNED }
  /** Sets that fail: those that were found, and those that would be the same runs. */
  readonly #failing: FaultSet[] = []
  /** Faults that a retry recovered from: without the calls that failed, their runs are the baseline. */
  readonly #recovered = new Set<string>()
  readonly #refused = new Set<string>()
  /** The runs that failed, whatever was learned from them. */
  readonly #failures: TriedSet[] = []
  #isCutShort = false
  /** From then on no set is left to try. */
  #isRefining = false
  #left = 0
  /** The sets of the next size to add to. */
  #passed: TriedSet[] = []

  constructor(options: SearchOptions) {
    this.#options = {
      jobs: 1,
      maxRuns: Number.POSITIVE_INFINITY,
      isExhaustive: false,
      onProgress: () => {},
      variantsFor: () => [],
      ...options,
    }
    this.#runs.add(options.baseline)
  }

  *run(): SearchSteps<SearchResult> {
    const hasEnded = yield* untilStopped(
      this.#steps(),
      () => this.#options.onProgress(this.#progress()),
      (faults, run) => {
        if (!run.isPassed) this.#failures.push({ faults, run })
      },
    )
    if (!hasEnded && !this.#isRefining) this.#stop()
    this.#findings.sort((one, other) => one.faults.length - other.faults.length)
    return {
      findings: this.#findings,
      tried: this.#tried,
      pruned: this.#pruned,
      skipped: this.#skipped,
      isCutShort: this.#isCutShort,
      left: this.#isCutShort ? this.#left : 0,
    }
  }

  /** Adds the failures that were seen and not examined, without a confirmation. */
  #stop(): void {
    this.#isCutShort = true
    const bySize = this.#failures.toSorted((one, other) => one.faults.length - other.faults.length)
    for (const { faults, run } of bySize) {
      const isKnown = this.#failing.some((set) => hasAll(faults, set)) || isRefused(run)
      const same = this.#findRun(faults)
      if (isKnown || (same !== undefined && same !== run && !same.isPassed)) continue
      if (!this.#tried.some((one) => one.run === run)) this.#learn(faults, run)
      this.#failing.push(faults)
      this.#findings.push({ faults, failures: 1, tries: 1 })
    }
  }

  *#steps(): SearchSteps<void> {
    yield* this.#trySizes()
    if (this.#isCutShort) return
    this.#isRefining = true
    yield* this.#refine()
  }

  /** Refines groups of findings where they have one class only: several classes say enough. */
  *#refine(): SearchSteps<void> {
    const confirmed = this.#findings.filter((finding) => !isFlaky(finding))
    for (const { places, findings } of groupFindings(confirmed).slice(0, MAX_REFINED)) {
      const [finding] = findings
      const variants = finding!.faults.map((fault, index) =>
        places[index]!.faults.length === 1 ? this.#options.variantsFor(fault) : [],
      )
      if (variants.every(({ length }) => length === 0)) continue
      const refinements = yield* refine(finding!, variants, this.#options.jobs)
      this.#findings[this.#findings.indexOf(finding!)] = { ...finding!, refinements }
    }
  }

  #progress(): Progress {
    const pruned = Object.values(this.#pruned).reduce((sum, count) => sum + count, 0)
    return { tried: this.#tried.length, found: this.#findings.length, pruned, left: this.#left }
  }

  *#trySizes(): SearchSteps<void> {
    const { baseline, faultsFor, depth } = this.#options
    this.#passed = [{ faults: [], run: baseline }]
    for (let size = 1; size <= depth; size++) {
      const candidates = largerSets(this.#passed, faultsFor)
      this.#passed = []
      yield* this.#tryAll(candidates)
      if (this.#isCutShort) return
    }
  }

  *#tryAll(candidates: readonly FaultSet[]): SearchSteps<void> {
    const { jobs, maxRuns } = this.#options
    for (let position = 0; position < candidates.length; ) {
      if (this.#tried.length >= maxRuns) {
        this.#isCutShort = true
        this.#left = candidates.length - position
        return
      }
      const batch: FaultSet[] = []
      // Those from the first set of the batch on wait for its runs, so that the result is the same for any number of jobs.
      const waiting: FaultSet[] = []
      for (; position < candidates.length && batch.length < jobs; position++) {
        const faults = candidates[position]!
        const isNeeded = batch.length === 0 ? this.#isWorthARun(faults) : this.#isUnknown(faults)
        if (isNeeded) batch.push(faults)
        if (batch.length > 0) waiting.push(faults)
      }
      if (batch.length === 0) continue
      this.#left = candidates.length - position + batch.length
      const runs = yield batch
      this.#left -= batch.length
      for (const [index, faults] of waiting.entries()) {
        if (index > 0 && !this.#isWorthARun(faults)) continue
        const tried = this.#learn(faults, runs[batch.indexOf(faults)]!)
        if (tried?.run.isPassed === true) this.#passed.push(tried)
        else if (tried !== undefined) yield* this.#addFinding(faults)
      }
    }
  }

  #isUnknown(faults: FaultSet): boolean {
    return this.#reasonNotToRun(faults) === undefined && this.#findRun(faults) === undefined
  }

  /** Counts a set that is not. */
  #isWorthARun(faults: FaultSet): boolean {
    const reason = this.#reasonNotToRun(faults)
    if (reason !== undefined) return this.#skip(faults, reason)
    const known = this.#findRun(faults)
    if (known === undefined) return true
    if (known.isPassed) this.#passed.push({ faults, run: known })
    else this.#failing.push(faults)
    return this.#skip(faults, 'knownRun')
  }

  #skip(faults: FaultSet, reason: keyof Pruned): false {
    this.#pruned[reason]++
    this.#skipped.push({ faults, reason })
    return false
  }

  /** The run that a set leads to; undefined if it is not known yet. */
  #findRun(faults: FaultSet): Run | undefined {
    return this.#runs.find(faults)
  }

  #reasonNotToRun(faults: FaultSet): keyof Pruned | undefined {
    if (this.#failing.some((set) => hasAll(faults, set))) return 'failingSubset'
    if (faults.some((one) => this.#refused.has(placeOf(one)))) return 'refused'
    return !this.#options.isExhaustive && this.#pairsRecovered(faults) ? 'recoveredByRetry' : undefined
  }

  /** Whether a fault that a retry recovered from is in the set without another fault of the same call. */
  #pairsRecovered(faults: FaultSet): boolean {
    const isAlone = ({ call }: PlannedFault): boolean => faults.filter((one) => one.call === call).length === 1
    return faults.length > 1 && faults.some((fault) => this.#recovered.has(keyOf(fault)) && isAlone(fault))
  }

  /** Stores a run; undefined when a fault could not apply, so that there is nothing to learn. */
  #learn(faults: FaultSet, run: Run): TriedSet | undefined {
    this.#tried.push({ faults, run })
    const impossible = run.calls.flatMap(({ id, refused }) =>
      refused === undefined ? [] : [{ call: id, fault: refused }],
    )
    for (const place of impossible) this.#refused.add(placeOf(place))
    if (impossible.length > 0) return undefined
    this.#runs.add(run)
    const isRecovered = run.isPassed && faults.length === 1 && hasRecovered(run, this.#options.baseline)
    if (isRecovered) this.#recovered.add(keyOf(faults[0]!))
    return { faults, run }
  }

  *#addFinding(faults: FaultSet): SearchSteps<void> {
    const smallest = this.#options.isExhaustive ? faults : yield* this.#findSmaller(faults)
    this.#failing.push(faults, smallest)
    const key = smallest.map(keyOf).join()
    if (this.#findings.some((finding) => finding.faults.map(keyOf).join() === key)) return
    // Record it before confirming, in case the search is stopped.
    const place = this.#findings.push({ faults: smallest, failures: 1, tries: 1 }) - 1
    this.#findings[place] = yield* confirm(smallest)
  }

  /** A part of a failing set that fails too: the rule about retries may have left it out. */
  *#findSmaller(faults: FaultSet): SearchSteps<FaultSet> {
    for (const left of faults) {
      const smaller = faults.filter((one) => one !== left)
      const run = this.#findRun(smaller) ?? this.#learn(smaller, (yield [smaller])[0]!)?.run
      if (run?.isPassed === false) return yield* this.#findSmaller(smaller)
    }
    return faults
  }
}

/** Each of these sets with one more fault that applies to a call of its run; quick faults first. */
function largerSets(passed: readonly TriedSet[], faultsFor: SearchOptions['faultsFor']): FaultSet[] {
  const byKey = new Map<string, { readonly faults: FaultSet; readonly rank: number }>()
  for (const { faults, run } of passed) {
    for (const call of run.calls) {
      for (const [rank, fault] of faultsFor(call).entries()) {
        if (fault === call.fault) continue
        // A fault on every attempt leaves room for another one on one of them.
        const extents = call.fault === undefined ? ([call.attempt, 'every'] as const) : [call.attempt]
        for (const attempt of extents) {
          const larger = withFault(faults, { call: call.id, attempt, fault })
          if (larger === undefined) continue
          const key = larger.map(keyOf).join('\n')
          if (!byKey.has(key)) byKey.set(key, { faults: larger, rank })
        }
      }
    }
  }
  return [...byKey.values()].sort((one, other) => one.rank - other.rank).map(({ faults }) => faults)
}

const isRefused = ({ calls }: Run): boolean => calls.some(({ refused }) => refused !== undefined)

const placeOf = ({ call, fault }: Pick<PlannedFault, 'call' | 'fault'>): string => JSON.stringify([call, fault])
