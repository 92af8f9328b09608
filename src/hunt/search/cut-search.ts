/**
 * The search for cuts: finds the first place at which an app mishandles a streamed answer that breaks off. It tries the
 * places between events, or all bytes, with each way in which an answer can end.
 */
import { Experiments, type SearchLimits, type SearchSteps } from './experiments.ts'
import { type FaultFields, faultText } from './fault-classes.ts'
import type { FaultSet } from './fault-set.ts'
import type { AppRun } from './known-runs.ts'

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

export interface CutSearchOptions extends SearchLimits {
  readonly targets: readonly CutTarget[]
  /** Cuts at every byte, not only between events. */
  readonly bytes: boolean
  /**
   * `all` tries every place. `bisect` tries a few, and between one that the app survives and one that it fails at it
   * looks for the first that it fails at. It may miss a failure that only a few places show.
   */
  readonly strategy: 'all' | 'bisect'
}

/** The number of places that `bisect` tries first. */
const PROBES = 9

export class CutSearch extends Experiments {
  readonly #options: CutSearchOptions
  /** The cuts with one end of one answer that are tried now. */
  #cuts: readonly FaultSet[] = []
  /** The places of those that were tried, and whether the app failed. */
  #hasFailed = new Map<number, boolean>()

  constructor(options: CutSearchOptions) {
    super(options)
    this.#options = options
  }

  protected *propose(): SearchSteps<void> {
    const { targets, bytes, strategy } = this.#options
    const lists = targets.flatMap(({ call, attempt, sizes }) =>
      CUT_ENDS.map((end) => cutsOf(sizes, end, bytes).map((fault): FaultSet => [{ call, attempt, fault }])),
    )
    this.left = strategy === 'all' ? lists.flat().length : lists.length * PROBES
    for (const cuts of lists) {
      this.#cuts = cuts
      this.#hasFailed = new Map()
      if (strategy === 'all') yield* this.#try([...cuts.keys()])
      else yield* this.#bisect()
      const failed = this.#takeFailed()
      if (failed !== undefined) yield* this.confirm(failed.first, failed.detail)
    }
  }

  /** Stores a run of one of the cuts; the runs of a confirmation come when no cuts are tried. */
  protected override see(faults: FaultSet, run: AppRun): void {
    const place = this.#cuts.indexOf(faults)
    if (place < 0) return
    this.tried.push({ faults, run })
    this.left--
    if (run.calls.every(({ refused }) => refused === undefined)) this.#hasFailed.set(place, !run.isPassed)
  }

  protected override stop(): void {
    const failed = this.#takeFailed()
    if (failed !== undefined) this.add(failed.first, failed.detail)
  }

  /** The first of the cuts that failed: `with end=clean, 3 of 8 cuts fail, from after=2 to after=4`. Ends their trial. */
  #takeFailed(): { readonly first: FaultSet; readonly detail: string } | undefined {
    const failed = this.#cuts.filter((_, place) => this.#hasFailed.get(place) === true)
    this.#cuts = []
    const [first] = failed
    if (first === undefined) return undefined
    const [from, to] = [first, failed.at(-1)!].map(([cut]) => cut!.fault.replace(/^cut; |; end=\w+$/g, ''))
    const range = from === to ? `at ${from}` : `from ${from} to ${to}`
    const counts = `${failed.length} of ${this.#hasFailed.size} cuts fail`
    return { first, detail: `with end=${endOf(first[0]!.fault)}, ${counts}, ${range}` }
  }

  *#bisect(): SearchSteps<void> {
    const last = this.#cuts.length - 1
    const probes = Array.from({ length: PROBES }, (_, index) => Math.round((index * last) / (PROBES - 1)))
    yield* this.#try([...new Set(probes)])
    let failing = Math.min(...[...this.#hasFailed].flatMap(([place, failed]) => (failed ? [place] : [])))
    if (failing === Number.POSITIVE_INFINITY) return
    let passing = Math.max(-1, ...[...this.#hasFailed.keys()].filter((place) => place < failing))
    while (failing - passing > 1) {
      const middle = Math.floor((passing + failing) / 2)
      yield* this.#try([middle])
      const hasFailed = this.#hasFailed.get(middle)
      if (hasFailed === undefined) return
      if (hasFailed) failing = middle
      else passing = middle
    }
  }

  /** Tries the cuts at these places, while runs are left. */
  *#try(places: readonly number[]): SearchSteps<void> {
    const untried = places.filter((place) => !this.#hasFailed.has(place)).map((place) => this.#cuts[place]!)
    const allowed = Math.max(0, Math.ceil((this.maxRuns - this.tried.length) / this.jobs) * this.jobs)
    if (untried.length > allowed) this.isCutShort = true
    yield* this.runAll(untried.slice(0, allowed))
  }
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

/** The end of a cut, read from its text. */
export const endOf = (fault: string): string => /; end=(\w+)$/.exec(fault)?.[1] ?? 'reset'
