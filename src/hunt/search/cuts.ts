/**
 * The cut explorer: finds the first place at which an app mishandles a streamed answer that breaks off. It tries the
 * places between events, or all bytes, with each way in which an answer can end.
 */
import { confirm, type Finding, type SearchSteps, untilStopped } from './experiments.ts'
import { type FaultFields, faultText } from './fault-classes.ts'
import type { FaultSet } from './fault-set.ts'
import type { Run } from './run.ts'
import { NOTHING_PRUNED, type Progress, type SearchResult, type TriedSet } from './search.ts'

/** A reset of the connection, a close, an end as if the answer were complete, or silence. */
export const CUT_ENDS = ['reset', 'fin', 'clean', 'stall'] as const
export type CutEnd = (typeof CUT_ENDS)[number]

/** A streamed answer. */
export interface CutTarget {
  readonly call: string
  readonly attempt: number
  /** The bytes of each event. */
  readonly sizes: readonly number[]
}

export interface CutOptions {
  readonly targets: readonly CutTarget[]
  /** Whether to cut at every byte, not only between events. */
  readonly bytes: boolean
  /**
   * `all` tries every place. `bisect` tries a few, and between one that the app survives and one that it fails at it
   * looks for the first that it fails at. It may miss a failure that only a few places show.
   */
  readonly strategy: 'all' | 'bisect'
  /** How many experiments can run at once. Default: 1. */
  readonly jobs?: number
  /** The number of runs after which no new place is tried. Default: no limit. */
  readonly maxRuns?: number
  readonly onProgress?: (progress: Progress) => void
}

export function* exploreCuts(options: CutOptions): SearchSteps<SearchResult> {
  const explorer = new CutExplorer(options)
  const hasEnded = yield* untilStopped(
    explorer.run(),
    () => options.onProgress?.(explorer.progress),
    (faults, run) => explorer.learn(faults, run),
  )
  explorer.addFinding()
  const { findings, tried, progress } = explorer
  const isCutShort = explorer.isCutShort || !hasEnded
  return { findings, tried, pruned: NOTHING_PRUNED, skipped: [], isCutShort, left: isCutShort ? progress.left : 0 }
}

/** The cuts of an answer, in the order of its bytes, as texts of faults. The last one comes after its last byte. */
export function cutsOf(sizes: readonly number[], end: CutEnd, bytes: boolean): string[] {
  const fault = (fields: Omit<FaultFields, 'fault'>): string =>
    faultText({ fault: 'cut', ...fields, ...(end !== 'reset' && { end }) } as FaultFields)
  const inside = (after: number, size: number): string[] =>
    Array.from({ length: size - 1 }, (_, index) => fault({ after, bytes: index + 1 }))
  const cuts = sizes.flatMap((size, after) => [fault({ after }), ...(bytes ? inside(after, size) : [])])
  // A clean end after the last byte is no cut.
  return end === 'clean' ? cuts : [...cuts, fault({ after: sizes.length })]
}

/** The way in which a cut ends, of its text. */
export const endOf = (fault: string): string => /; end=(\w+)$/.exec(fault)?.[1] ?? 'reset'

/** `with end=clean, 3 of 8 cuts fail, from after=2 to after=4` */
function describeCuts(failed: readonly FaultSet[], tried: number): string {
  const [first, last] = [failed[0]!, failed.at(-1)!].map(([cut]) => cut!.fault)
  const placeIn = (fault: string): string => fault.replace(/^cut; |; end=\w+$/g, '')
  const range = first === last ? `at ${placeIn(first!)}` : `from ${placeIn(first!)} to ${placeIn(last!)}`
  return `with end=${endOf(first!)}, ${failed.length} of ${tried} cuts fail, ${range}`
}

/** How many places `bisect` tries first. */
const PROBES = 9

class CutExplorer {
  /** The first cut of an answer that the app mishandles, for each way to end. */
  readonly findings: Finding[] = []
  readonly tried: TriedSet[] = []
  isCutShort = false
  readonly #options: CutOptions
  #left = 0
  /** The cuts that are explored now, and which of them failed. */
  #explored: { readonly cuts: readonly FaultSet[]; readonly hasFailed: Map<number, boolean> } | undefined

  constructor(options: CutOptions) {
    this.#options = options
  }

  get progress(): Progress {
    return { tried: this.tried.length, found: this.findings.length, pruned: 0, left: this.#left }
  }

  *run(): SearchSteps<void> {
    const { targets, bytes, strategy } = this.#options
    const lists = targets.flatMap(({ call, attempt, sizes }) =>
      CUT_ENDS.map((end) => cutsOf(sizes, end, bytes).map((fault): FaultSet => [{ call, attempt, fault }])),
    )
    this.#left = strategy === 'all' ? lists.reduce((sum, cuts) => sum + cuts.length, 0) : lists.length * PROBES
    for (const cuts of lists) yield* this.#explore(cuts)
  }

  *#explore(cuts: readonly FaultSet[]): SearchSteps<void> {
    const hasFailed = new Map<number, boolean>()
    this.#explored = { cuts, hasFailed }
    const places = [...cuts.keys()]
    if (this.#options.strategy === 'all') yield* this.#try(cuts, places, hasFailed)
    else yield* this.#bisect(cuts, hasFailed)
    const finding = this.addFinding()
    if (finding === undefined) return
    this.findings[this.findings.indexOf(finding)] = { ...finding, ...(yield* confirm(finding.faults)) }
  }

  /** Adds the first of the explored cuts that failed, not confirmed yet. */
  addFinding(): Finding | undefined {
    const { cuts = [], hasFailed = new Map<number, boolean>() } = this.#explored ?? {}
    this.#explored = undefined
    const failed = cuts.filter((_, place) => hasFailed.get(place) === true)
    if (failed.length === 0) return undefined
    const finding = { faults: failed[0]!, failures: 1, tries: 1, detail: describeCuts(failed, hasFailed.size) }
    this.findings.push(finding)
    return finding
  }

  /** Stores a run of one of the explored cuts. */
  learn(faults: FaultSet, run: Run): void {
    if (this.#explored === undefined) return
    const { cuts, hasFailed } = this.#explored
    this.tried.push({ faults, run })
    this.#left--
    const isRefused = run.calls.some(({ refused }) => refused !== undefined)
    if (!isRefused) hasFailed.set(cuts.indexOf(faults), !run.isPassed)
  }

  *#bisect(cuts: readonly FaultSet[], hasFailed: Map<number, boolean>): SearchSteps<void> {
    const last = cuts.length - 1
    const probes = Array.from({ length: PROBES }, (_, index) => Math.round((index * last) / (PROBES - 1)))
    yield* this.#try(cuts, [...new Set(probes)], hasFailed)
    let failing = Math.min(...[...hasFailed].flatMap(([place, failed]) => (failed ? [place] : [])))
    if (failing === Number.POSITIVE_INFINITY) return
    let passing = Math.max(-1, ...[...hasFailed.keys()].filter((place) => place < failing))
    while (failing - passing > 1) {
      const middle = Math.floor((passing + failing) / 2)
      yield* this.#try(cuts, [middle], hasFailed)
      if (hasFailed.get(middle) === undefined) return
      if (hasFailed.get(middle) === true) failing = middle
      else passing = middle
    }
  }

  /** Tries cuts that were not tried, several at once. `learn` gets their runs. */
  *#try(cuts: readonly FaultSet[], places: readonly number[], hasFailed: Map<number, boolean>): SearchSteps<void> {
    const { jobs = 1, maxRuns = Number.POSITIVE_INFINITY } = this.#options
    const untried = places.filter((place) => !hasFailed.has(place))
    for (let start = 0; start < untried.length; start += jobs) {
      if (this.tried.length >= maxRuns) {
        this.isCutShort = true
        return
      }
      const batch = untried.slice(start, start + jobs)
      yield batch.map((place) => cuts[place]!)
    }
  }
}
