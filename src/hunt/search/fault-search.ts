/**
 * The search for the smallest sets of faults under which an app fails. It proposes experiments and is given what
 * happened, so it needs neither processes nor time.
 *
 * It goes by the size of the sets, so each set that it finds is minimal. The next larger sets add one fault to a call
 * that was seen, so calls that appear only under faults (retries, fallbacks) are reached too.
 *
 * At size 1 each variant of a class is tried, and a fault from each call on. Larger sets take the fault that stands for a
 * class, and of these only what made the app do something else. Runs that are quick and classes that had few turns come
 * first.
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
import { type FaultSet, hasAll, keyOf, nameOf, outageStart, type PlannedFault, withFault } from './fault-set.ts'
import { type AppRun, hasRecovered, KnownRuns, type SeenCall } from './known-runs.ts'
import { findSmallest } from './shrink-search.ts'

export interface FaultSearchOptions extends SearchLimits {
  /** The run without faults. It must have passed. */
  readonly baseline: AppRun
  /** The faults to try on each call, those that stand for classes. */
  readonly faults: readonly string[]
  /** The size of the largest sets. */
  readonly depth: number
  /** Other faults of the same class, for the same call. Default: none. */
  readonly variantsFor?: (fault: PlannedFault) => readonly string[]
  /** Skips faults that never end: on every attempt of a call, or on a call and all later ones. Default: false. */
  readonly skipOutages?: boolean | undefined
  /** Also pairs a fault that a retry recovered from with faults of other calls. Default: false. */
  readonly isExhaustive?: boolean | undefined
  /** True for a call whose results are kept from an earlier hunt. Default: none. */
  readonly isKept?: ((call: string) => boolean) | undefined
}

export class FaultSearch extends Experiments {
  readonly #options: FaultSearchOptions
  readonly #runs = new KnownRuns()
  /** Sets that fail: those that were found, and those that would be the same runs. */
  readonly #failing: FaultSet[] = []
  /** Faults that a retry recovered from: without the calls that failed, their runs are the baseline. */
  readonly #recovered = new Set<string>()
  /** Faults that could not apply to their calls. */
  readonly #refused = new Set<string>()
  /** The sets of the next size to add to. */
  #passed: TriedSet[]
  /** The classes of variants. */
  readonly #classes = new Map<string, string>()
  /** Effects of each single fault on the app. */
  readonly #doings = new Map<string, string>()
  /** Variants under which the app did something else than under the fault that stands for their class. */
  readonly #distinct = new Set<string>()

  constructor(options: FaultSearchOptions) {
    super(options)
    this.#options = options
    this.#runs.add(options.baseline)
    this.#passed = [{ faults: [], run: options.baseline }]
  }

  protected *propose(): SearchSteps<void> {
    for (let size = 1; size <= this.#options.depth; size++) {
      const candidates = this.#largerSets(size)
      this.#passed = []
      yield* this.#tryAll(candidates)
      if (this.isCutShort) return
    }
  }

  /** Tries sets of one size. Several run at once, and the search learns from them in the order of the sets. */
  *#tryAll(candidates: readonly FaultSet[]): SearchSteps<void> {
    const runs = new Map<FaultSet, AppRun>()
    for (const [position, faults] of candidates.entries()) {
      const isNeeded = !this.#skip(faults)
      if (isNeeded && !runs.has(faults)) {
        if (this.tried.length >= this.maxRuns) {
          this.isCutShort = true
          this.left = candidates.length - position
          return
        }
        const batch = [faults]
        let next = position + 1
        for (; next < candidates.length && batch.length < this.jobs; next++)
          if (this.#lookUp(candidates[next]!) === undefined) batch.push(candidates[next]!)
        this.left = candidates.length - next + batch.length
        const played = yield batch
        this.left -= batch.length
        for (const [index, set] of batch.entries()) runs.set(set, played[index]!)
      }
      if (isNeeded) yield* this.#judge(faults, runs.get(faults)!)
      this.unexamined.delete(faults)
    }
  }

  /** Learns from a run. A set that passed is added to, and one that failed is examined. */
  *#judge(faults: FaultSet, run: AppRun): SearchSteps<void> {
    if (!this.#learn(faults, run)) return
    if (run.isPassed) this.#passed.push({ faults, run })
    const alone = run.isPassed ? faults : this.#finite(faults, run)
    const isKnown = alone !== faults && this.#failing.some((set) => set !== faults && hasAll(alone, set))
    if (!isKnown && !this.#refine(alone, run.isPassed) && !run.isPassed) yield* this.#examine(alone)
  }

  /** The known run that a set would repeat, or another reason not to run it; undefined if its run may tell something new. */
  #lookUp(faults: FaultSet): AppRun | keyof Pruned | undefined {
    if (this.#failing.some((set) => hasAll(faults, set))) return 'failingSubset'
    if (this.#isKept(faults)) return 'kept'
    if (faults.some((one) => this.#refused.has(placeOf(one)))) return 'refused'
    // A fault that a retry recovered from, without another fault of the same call.
    const isRecovered = (fault: PlannedFault): boolean =>
      this.#recovered.has(keyOf(fault)) && faults.filter(({ call }) => call === fault.call).length === 1
    if (this.#options.isExhaustive !== true && faults.length > 1 && faults.some(isRecovered)) return 'recoveredByRetry'
    return this.#runs.find(faults)
  }

  /** True if all calls of a set are kept. One fault on each is tried all the same, to reach calls that only faults lead to. */
  #isKept(faults: FaultSet): boolean {
    const { isKept, skipOutages = false, faults: classes } = this.#options
    if (isKept === undefined || !faults.every(({ call }) => isKept(call))) return false
    const [{ attempt, fault }] = faults as readonly [PlannedFault]
    const isProbe = faults.length === 1 && fault === classes[0] && attempt === (skipOutages ? 1 : 'every')
    return !isProbe
  }

  /** Counts a set whose run would tell nothing new; false for any other. */
  #skip(faults: FaultSet): boolean {
    const found = this.#lookUp(faults)
    if (found === undefined) return false
    const isReason = typeof found === 'string'
    this.skipped.push({ faults, reason: isReason ? found : 'knownRun' })
    if (isReason) return true
    this.#compare(faults, found)
    if (found.isPassed) this.#passed.push({ faults, run: found })
    else this.#failing.push(faults)
    return true
  }

  /** Stores a run. Returns false when a fault could not apply, so that there is nothing to learn. */
  #learn(faults: FaultSet, run: AppRun): boolean {
    this.tried.push({ faults, run })
    for (const { id: call, refused: fault } of run.calls)
      if (fault !== undefined) this.#refused.add(placeOf({ call, fault }))
    if (isRefused(run)) return false
    this.#runs.add(run)
    this.#compare(faults, run)
    if (run.isPassed && faults.length === 1 && hasRecovered(run, this.#options.baseline))
      this.#recovered.add(keyOf(faults[0]!))
    return true
  }

  /** Adds a failing set to the findings, or a part of it that fails too: the rule about retries may have left that out. */
  *#examine(faults: FaultSet): SearchSteps<void> {
    const findFailing = (sets: readonly FaultSet[]) => this.#findFailing(sets)
    const isSmallest = this.#options.isExhaustive === true
    const smallest = isSmallest ? faults : yield* findSmallest(faults, faults.length, findFailing)
    this.#failing.push(faults, smallest)
    const isKnown = this.findings.some((finding) => nameOf(finding.faults) === nameOf(smallest))
    if (!isKnown && !this.#refine(smallest, false)) yield* this.confirm(smallest)
  }

  *#findFailing(sets: readonly FaultSet[]): SearchSteps<FaultSet | undefined> {
    for (const set of sets) {
      const known = this.#runs.find(set)
      const run = known ?? (yield [set])[0]!
      const hasRun = known !== undefined || this.#learn(set, run)
      if (hasRun && !run.isPassed) return set
    }
    return undefined
  }

  /** The faults of an outage that hit few calls, one by one: the same run, and the app fails though the outage ends. */
  #finite(faults: FaultSet, run: AppRun): FaultSet {
    const hits = run.calls.flatMap(({ id: call, attempt, fault }) =>
      fault === undefined ? [] : { call, attempt, fault },
    )
    if (hits.length > this.#options.depth || faults.every((fault) => outageStart(fault) === undefined)) return faults
    this.#failing.push(faults)
    return hits.reduce<FaultSet>((set, hit) => withFault(set, hit) ?? set, [])
  }

  /**
   * Adds what became of a set with a variant to the finding of its class, if that failed.
   * @returns false if there is none
   */
  #refine(faults: FaultSet, isPassed: boolean): boolean {
    const usual = nameOf(faults.map((one) => ({ ...one, fault: this.#usualOf(one) })))
    const place = this.findings.findIndex((finding) => nameOf(finding.faults) === usual)
    if (place < 0 || usual === nameOf(faults)) return false
    if (!isPassed) this.#failing.push(faults)
    const finding = this.findings[place]!
    const refinements = faults.map(({ fault }, index) => {
      const { fails, passes } = finding.refinements?.[index] ?? { fails: [], passes: [] }
      if (fault === finding.faults[index]!.fault) return { fails, passes }
      return isPassed ? { fails, passes: [...passes, fault] } : { fails: [...fails, fault], passes }
    })
    this.findings[place] = { ...finding, refinements }
    return true
  }

  /** The fault that stands for the class of a variant. */
  #usualOf({ fault }: Pick<PlannedFault, 'fault'>): string {
    return this.#classes.get(fault) ?? fault
  }

  /** Notes what the app did under a single fault, and whether larger sets should have that fault. */
  #compare(faults: FaultSet, run: AppRun): void {
    const [one] = faults
    if (one === undefined || faults.length > 1) return
    const did = JSON.stringify([
      run.isPassed,
      run.calls.map((call) => [call.id, call.attempt, call.fault !== undefined]),
    ])
    const usual = this.#doings.get(keyOf({ ...one, fault: this.#usualOf(one) }))
    if (usual !== undefined && usual !== did) this.#distinct.add(one.fault)
    this.#doings.set(keyOf(one), did)
  }

  /** The sets of the next size: those that passed, each with one more fault on a call of its run. */
  #largerSets(size: number): FaultSet[] {
    const byName = new Map<string, FaultSet>()
    for (const { faults, run } of this.#passed) {
      if (faults.length === 1 && !this.#isForPairs(faults[0]!)) continue
      for (const call of run.calls) {
        for (const added of this.#faultsOn(call)) {
          const larger = withFault(faults, added)
          if (larger !== undefined && (size === 1 || this.#isForPairs(added))) byName.set(nameOf(larger), larger)
        }
      }
    }
    return inTurns([...byName.values()], (fault) => this.#usualOf(fault))
  }

  /** The faults to try on a call of a run, those that stand for classes first. */
  #faultsOn({ id: call, attempt, fault: present, places = [] }: SeenCall): PlannedFault[] {
    const { faults, variantsFor = () => [], skipOutages = false } = this.#options
    // A fault on every attempt leaves room for another one on one of them.
    const lasting = ['every' as const, ...places.map((place) => `from ${place}` as const)]
    const extents = [attempt, ...(present === undefined && !skipOutages ? lasting : [])]
    const usual = faults.flatMap((fault) => extents.map((extent) => ({ call, attempt: extent, fault })))
    const variants = usual.flatMap((one) => {
      // An outage differs from a fault on every attempt in its length only, so one fault of each class is enough.
      const others = outageStart(one) === undefined ? variantsFor(one) : []
      for (const fault of others) this.#classes.set(fault, one.fault)
      return others.map((fault) => ({ ...one, fault }))
    })
    return [...usual, ...variants].filter(({ fault }) => fault !== present)
  }

  #isForPairs({ fault }: PlannedFault): boolean {
    return this.#options.faults.includes(fault) || this.#distinct.has(fault)
  }
}

/**
 * Sets in the order in which they are tried. Classes take turns; a class whose runs take ten times as long gets one turn
 * in ten. Within a class, the faults that stand for it come before its variants.
 */
function inTurns(sets: readonly FaultSet[], usualOf: (fault: PlannedFault) => string): FaultSet[] {
  const turns = new Map<string, number>()
  const isVariant = (faults: FaultSet): boolean => faults.some((fault) => usualOf(fault) !== fault.fault)
  const ordered = sets.toSorted((one, other) => Number(isVariant(one)) - Number(isVariant(other)))
  const placed = ordered.map((faults) => {
    const classes = JSON.stringify(faults.map(usualOf))
    const turn = (turns.get(classes) ?? 0) + 1
    turns.set(classes, turn)
    return { faults, at: turn * Math.max(...faults.map(({ fault }) => costOf(fault))) }
  })
  return placed.sort((one, other) => one.at - other.at).map(({ faults }) => faults)
}

const placeOf = ({ call, fault }: Pick<PlannedFault, 'call' | 'fault'>): string => JSON.stringify([call, fault])
