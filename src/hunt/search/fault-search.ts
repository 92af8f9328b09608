/**
 * The search for the smallest sets of faults under which an app fails. It proposes experiments and is given what
 * happened, so it needs neither processes nor time.
 *
 * Say an app survives each single fault, but charges twice if its first call hangs and the retry gets a 500:
 *
 *     size 1   [{ call: 'a', attempt: 1, fault: 'hang' }]          passes; its run has a second attempt of call `a`
 *     size 2   [{ call: 'a', attempt: 1, fault: 'hang' },
 *               { call: 'a', attempt: 2, fault: 'server-error' }]  fails: a finding
 *
 * It goes by the size of the sets, so each set that it finds is minimal. The next larger sets add one fault to a call
 * that was seen, so calls that appear only under faults (retries, fallbacks) are reached too.
 *
 * At size 1 each fault of a class is tried: its representative, such as `server-error`, and its variants, such as `502`. A
 * fault from each call on is tried too. Larger sets take representatives, and of the variants only those under which the app
 * did something else. Runs that are quick and classes that had few turns come first.
 *
 * An app that gets the same answers makes the same calls. So a set is skipped if it would inject the same faults as a known
 * run. This rule saves most runs.
 */
import {
  Experiments,
  isRefused,
  type Pruned,
  type SearchLimits,
  type SearchSteps,
  type TriedSet,
} from './experiments.ts'
import { costOf } from './fault-classes.ts'
import { type FaultSet, hasAll, keyOfFault, keyOfSet, outageStart, type PlannedFault, withFault } from './fault-set.ts'
import { type AppRun, hasRecovered, KnownRuns, type SeenCall } from './known-runs.ts'
import { findSmallest } from './shrink-search.ts'

export interface FaultSearchOptions extends SearchLimits {
  /** The run without faults. It must have passed. */
  readonly baseline: AppRun
  /** The faults to try on each call: the representatives of the classes. */
  readonly faults: readonly string[]
  /** The size of the largest sets. */
  readonly depth: number
  /** Other faults of the same class, for the same call. Default: none. */
  readonly variantsFor?: (fault: PlannedFault) => readonly string[]
  /** Skips faults that never end: on every attempt of a call, or on a call and all later ones. Default: false. */
  readonly skipOutages?: boolean | undefined
  /** Also pairs a fault that a retry recovered from with faults of other calls. Default: false. */
  readonly isExhaustive?: boolean | undefined
  /** The calls whose results are kept from an earlier hunt. Default: none. */
  readonly kept?: Pick<ReadonlyMap<string, unknown>, 'has'> | undefined
}

/** A reason not to run a set, with the known run that it would repeat. */
interface Skip {
  readonly reason: keyof Pruned
  readonly run?: AppRun
}

export class FaultSearch extends Experiments<FaultSearchOptions> {
  /** The runs that were judged. */
  readonly #runs = new KnownRuns()
  /** The sets of the size that is tried now under which the app passed. The next larger sets add to them. */
  #passed: TriedSet[] = []
  /** Sets that fail: those that were found, and those that would be the same runs. A set that contains one is skipped. */
  readonly #failing: FaultSet[] = []
  /** Keys of faults that a retry recovered from: without the calls that failed, their runs are the baseline. */
  readonly #recovered = new Set<string>()
  /** Faults that could not apply to their calls, by `onCall`. */
  readonly #refused = new Set<string>()
  /** The representatives of variants, by the variants. `#planFaultsOn` adds them. */
  readonly #representatives = new Map<string, string>()
  /** Actions of the app under each single fault, as texts for comparison, by `keyOfFault`. */
  readonly #behaviours = new Map<string, string>()
  /** Variants under which the app did something else than under their representatives. */
  readonly #distinctVariants = new Set<string>()

  protected *propose(): SearchSteps<void> {
    const { baseline, depth } = this.options
    this.#runs.add(baseline)
    this.#passed = [{ faults: [], run: baseline }]
    for (let size = 1; size <= depth; size++) {
      const candidates = this.#largerSets(size)
      this.#passed = []
      yield* this.#tryAll(candidates)
      if (this.isCutShort) return
    }
  }

  /** The sets of the next size: those that passed, each with one more fault on a call of its run. */
  #largerSets(size: number): FaultSet[] {
    // By their keys, because a pair is reached from either of its faults.
    const byKey = new Map<string, FaultSet>()
    const isWorthPairing = ({ fault }: PlannedFault): boolean =>
      size === 1 || this.options.faults.includes(fault) || this.#distinctVariants.has(fault)
    for (const { faults, run } of this.#passed.filter((passed) => passed.faults.every(isWorthPairing))) {
      for (const added of run.calls.flatMap((call) => this.#planFaultsOn(call)).filter(isWorthPairing)) {
        const larger = withFault(faults, added)
        if (larger !== undefined) byKey.set(keyOfSet(larger), larger)
      }
    }
    return inTurns([...byKey.values()], (fault) => this.#representativeOf(fault))
  }

  /** Plans the faults to try on a call of a run, representatives first. Notes whose variants the others are. */
  #planFaultsOn({ id: call, attempt, fault: present, positions = [] }: SeenCall): PlannedFault[] {
    const { faults, variantsFor = () => [], skipOutages = false } = this.options
    const lasting = ['every' as const, ...positions.map((position) => `from ${position}` as const)]
    // A call that has a fault may have one on every attempt. It leaves room for another one on this attempt only.
    const mayLast = present === undefined && !skipOutages
    const extents = [attempt, ...(mayLast ? lasting : [])]
    const representatives = faults.flatMap((fault) => extents.map((extent) => ({ call, attempt: extent, fault })))
    const variants = representatives.flatMap((planned) => {
      // An outage differs from a fault on every attempt in its length only, so one fault of each class is enough.
      const others = outageStart(planned) === undefined ? variantsFor(planned) : []
      for (const fault of others) this.#representatives.set(fault, planned.fault)
      return others.map((fault) => ({ ...planned, fault }))
    })
    return [...representatives, ...variants].filter(({ fault }) => fault !== present)
  }

  /** The representative of the class of a fault. */
  #representativeOf({ fault }: Pick<PlannedFault, 'fault'>): string {
    return this.#representatives.get(fault) ?? fault
  }

  /** Tries sets of one size. Several run at once, and the search learns from them in the order of the sets. */
  *#tryAll(candidates: readonly FaultSet[]): SearchSteps<void> {
    /** The runs of a batch. A set is judged when its turn comes. */
    const runs = new Map<FaultSet, AppRun>()
    for (const [position, faults] of candidates.entries()) {
      // Asked only now, even for a set that has run: an earlier set may have made it needless.
      const skip = this.#reasonToSkip(faults)
      if (skip !== undefined) {
        this.#noteSkipped(faults, skip)
        continue
      }
      if (!runs.has(faults)) {
        if (this.tried.length >= this.maxRuns) {
          this.isCutShort = true
          this.left = candidates.length - position
          return
        }
        yield* this.#runBatch(candidates, position, runs)
      }
      yield* this.#judge(faults, runs.get(faults)!)
      this.unexamined.delete(faults)
    }
  }

  /** Runs the set at a position, together with as many of the next sets as may run at once. Adds to `runs`. */
  *#runBatch(candidates: readonly FaultSet[], position: number, runs: Map<FaultSet, AppRun>): SearchSteps<void> {
    const batch = [candidates[position]!]
    let next = position + 1
    for (; next < candidates.length && batch.length < this.jobs; next++)
      if (this.#reasonToSkip(candidates[next]!) === undefined) batch.push(candidates[next]!)
    this.left = candidates.length - next + batch.length
    const played = yield batch
    this.left -= batch.length
    for (const [index, faults] of batch.entries()) runs.set(faults, played[index]!)
  }

  /** Notes a set that is not run. If its run is known, the search learns from it as if the set had led to it. */
  #noteSkipped(faults: FaultSet, { reason, run }: Skip): void {
    this.skipped.push({ faults, reason })
    this.unexamined.delete(faults)
    if (run === undefined) return
    this.#noteBehaviour(faults, run)
    if (run.isPassed) this.#passed.push({ faults, run })
    else this.#failing.push(faults)
  }

  /** The reason not to run a set; undefined if its run may tell something new. */
  #reasonToSkip(faults: FaultSet): Skip | undefined {
    if (this.#failing.some((set) => hasAll(faults, set))) return { reason: 'failingSubset' }
    const { kept, isExhaustive = false } = this.options
    const isKept = kept !== undefined && faults.every(({ call }) => kept.has(call))
    if (isKept && !this.#isProbe(faults)) return { reason: 'kept' }
    if (faults.some((fault) => this.#refused.has(onCall(fault)))) return { reason: 'refused' }
    // A fault that a retry recovered from, without another fault of the same call.
    const isRecovered = (fault: PlannedFault): boolean =>
      this.#recovered.has(keyOfFault(fault)) && faults.filter(({ call }) => call === fault.call).length === 1
    if (!isExhaustive && faults.length > 1 && faults.some(isRecovered)) return { reason: 'recoveredByRetry' }
    const run = this.#runs.find(faults)
    return run && { reason: 'knownRun', run }
  }

  /**
   * True for the one set of a kept call that is tried all the same, to reach calls that only faults lead to: the first fault
   * alone, on every attempt or, without outages, on the first one.
   */
  #isProbe(faults: FaultSet): boolean {
    const { skipOutages = false, faults: classes } = this.options
    const [first] = faults
    return faults.length === 1 && first?.fault === classes[0] && first?.attempt === (skipOutages ? 1 : 'every')
  }

  /** Learns from a run. A set that passed is added to, and one that failed is examined. */
  *#judge(faults: FaultSet, run: AppRun): SearchSteps<void> {
    this.#learn(faults, run)
    if (isRefused(run)) return
    if (run.isPassed) {
      this.#passed.push({ faults, run })
      this.#refineFinding(faults, true)
      return
    }
    // Faults that end lead to the same run as an outage, and another set may have found it with them already.
    const ending = this.#withoutOutages(faults, run)
    const isFound = ending !== undefined && this.#failing.some((set) => hasAll(ending, set))
    if (ending !== undefined) this.#failing.push(faults)
    if (!isFound) yield* this.#examine(ending ?? faults)
  }

  /** Stores a run. Of one with a fault that could not apply, only this is noted. */
  #learn(faults: FaultSet, run: AppRun): void {
    this.tried.push({ faults, run })
    for (const { id: call, refused: fault } of run.calls)
      if (fault !== undefined) this.#refused.add(onCall({ call, fault }))
    if (isRefused(run)) return
    this.#runs.add(run)
    this.#noteBehaviour(faults, run)
    if (run.isPassed && faults.length === 1 && hasRecovered(run, this.options.baseline))
      this.#recovered.add(keyOfFault(faults[0]!))
  }

  /** Notes what the app did under a single fault, and whether larger sets should have that fault. */
  #noteBehaviour(faults: FaultSet, run: AppRun): void {
    const [fault] = faults
    if (fault === undefined || faults.length > 1) return
    const behaviour = JSON.stringify([
      run.isPassed,
      run.calls.map((call) => [call.id, call.attempt, call.fault !== undefined]),
    ])
    const ofRepresentative = this.#behaviours.get(keyOfFault({ ...fault, fault: this.#representativeOf(fault) }))
    if (ofRepresentative !== undefined && ofRepresentative !== behaviour) this.#distinctVariants.add(fault.fault)
    this.#behaviours.set(keyOfFault(fault), behaviour)
  }

  /**
   * A set that leads to the same run as an outage, with a fault on each call that the outage hit. The app then fails though
   * the faults end. Undefined without an outage, or when it hit more calls than a set may have faults.
   */
  #withoutOutages(faults: FaultSet, run: AppRun): FaultSet | undefined {
    const hits = run.calls.flatMap(({ id: call, attempt, fault }) =>
      fault === undefined ? [] : { call, attempt, fault },
    )
    if (hits.length > this.options.depth || faults.every((fault) => outageStart(fault) === undefined)) return undefined
    return hits.reduce<FaultSet>((set, hit) => withFault(set, hit) ?? set, [])
  }

  /**
   * Adds what became of a set with variants to the finding with their representatives, if these failed.
   * @returns false if there is no such finding
   */
  #refineFinding(faults: FaultSet, isPassed: boolean): boolean {
    const representatives = keyOfSet(faults.map((planned) => ({ ...planned, fault: this.#representativeOf(planned) })))
    if (representatives === keyOfSet(faults)) return false
    const index = this.findings.findIndex((finding) => keyOfSet(finding.faults) === representatives)
    const finding = this.findings[index]
    if (finding === undefined) return false
    if (!isPassed) this.#failing.push(faults)
    const refinements = faults.map(({ fault }, place) => {
      const { fails, passes } = finding.refinements?.[place] ?? { fails: [], passes: [] }
      if (fault === finding.faults[place]!.fault) return { fails, passes }
      return isPassed ? { fails, passes: [...passes, fault] } : { fails: [...fails, fault], passes }
    })
    this.findings[index] = { ...finding, refinements }
    return true
  }

  /** Adds a failing set to the findings, or a part of it that fails too: the rule about retries may have left that out. */
  *#examine(faults: FaultSet): SearchSteps<void> {
    if (this.#refineFinding(faults, false)) return
    const findFailing = (sets: readonly FaultSet[]) => this.#findFailing(sets)
    const smallest = this.options.isExhaustive ? faults : yield* findSmallest(faults, faults.length, findFailing)
    this.#failing.push(faults, smallest)
    const isFound = this.findings.some((finding) => keyOfSet(finding.faults) === keyOfSet(smallest))
    if (!isFound && !this.#refineFinding(smallest, false)) yield* this.confirm(smallest)
  }

  /** Finds the first of some sets under which the app fails. Runs those whose run is not known. */
  *#findFailing(sets: readonly FaultSet[]): SearchSteps<FaultSet | undefined> {
    for (const set of sets) {
      const known = this.#runs.find(set)
      const run = known ?? (yield [set])[0]!
      if (known === undefined) this.#learn(set, run)
      if (!run.isPassed && !isRefused(run)) return set
    }
    return undefined
  }
}

/** A text for a fault on any attempt of a call. */
const onCall = ({ call, fault }: Pick<PlannedFault, 'call' | 'fault'>): string => JSON.stringify([call, fault])

/**
 * Sets in the order in which they are tried. Classes take turns; a class whose runs take ten times as long gets one turn
 * in ten. Within a class, the representative comes before its variants. With `slow`, whose cost is 10, these are the turns:
 * `cut` at 1, `cut` at 2, ..., `slow` at 10, and `slow` again at 20.
 */
function inTurns(sets: readonly FaultSet[], representativeOf: (fault: PlannedFault) => string): FaultSet[] {
  const turns = new Map<string, number>()
  const hasVariant = (faults: FaultSet): boolean => faults.some((fault) => representativeOf(fault) !== fault.fault)
  const ordered = sets.toSorted((one, other) => Number(hasVariant(one)) - Number(hasVariant(other)))
  const placed = ordered.map((faults) => {
    const classes = JSON.stringify(faults.map(representativeOf))
    const turn = (turns.get(classes) ?? 0) + 1
    turns.set(classes, turn)
    return { faults, at: turn * Math.max(...faults.map(({ fault }) => costOf(fault))) }
  })
  return placed.sort((one, other) => one.at - other.at).map(({ faults }) => faults)
}
