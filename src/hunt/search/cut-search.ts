/**
 * The search for cuts: finds the first place at which an app mishandles a streamed answer that breaks off. It tries the
 * places between events, or all bytes, with each way in which an answer can end. Of an answer with two events these are
 * `cut; after=0`, `cut; after=1`, `cut; after=2`, then `cut; after=0; end=fin` and so on.
 *
 * Of `Experiments`, which all searches extend, it reads the limits `jobs` and `maxRuns`, calls `confirm` for a finding, and
 * keeps `tried`, `left`, `isCutShort` and `unexamined` up to date.
 */
import { Experiments, isRefused, type SearchLimits, type SearchSteps } from './experiments.ts'
import type { FaultSet } from './fault-set.ts'

/** A reset of the connection, a close, an end as if the answer were complete, or silence. */
export const CUT_ENDS = ['reset', 'fin', 'clean', 'stall'] as const

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

export class CutSearch extends Experiments<CutSearchOptions> {
  protected *propose(): SearchSteps<void> {
    const { targets, bytes, strategy } = this.options
    const series = targets.flatMap(({ call, attempt, sizes }) =>
      CUT_ENDS.map((end) => cutsOf(sizes, end, bytes).map((fault): FaultSet => [{ call, attempt, fault }])),
    )
    this.left = strategy === 'all' ? series.flat().length : series.length * PROBES
    for (const cuts of series) {
      /** True or false for each place that was tried: if the app failed there. */
      const hasFailed = new Map<number, boolean>()
      if (strategy === 'all') yield* this.#try(cuts, [...cuts.keys()], hasFailed)
      else yield* this.#bisect(cuts, hasFailed)
      const failed = cuts.filter((_, place) => hasFailed.get(place) === true)
      if (failed.length > 0) yield* this.confirm(failed[0]!, describeRange(failed, hasFailed.size))
      // The finding stands for all of them: none becomes another one when the search is stopped.
      for (const cut of failed) this.unexamined.delete(cut)
    }
  }

  /**
   * Tries a few places, then halves the distance between one that fails and the next before it that passes.
   * @param hasFailed gets the result of each place that is tried
   */
  *#bisect(cuts: readonly FaultSet[], hasFailed: Map<number, boolean>): SearchSteps<void> {
    const last = cuts.length - 1
    const probes = Array.from({ length: PROBES }, (_, index) => Math.round((index * last) / (PROBES - 1)))
    yield* this.#try(cuts, [...new Set(probes)], hasFailed)
    const firstFailing = probes.find((place) => hasFailed.get(place) === true)
    if (firstFailing === undefined) return
    let failing = firstFailing
    // The last one tried before it; -1 if the first place fails already.
    let passing = probes.findLast((place) => place < firstFailing && hasFailed.has(place)) ?? -1
    while (failing - passing > 1) {
      const middle = Math.floor((passing + failing) / 2)
      yield* this.#try(cuts, [middle], hasFailed)
      // The runs are used up, or the cut could not apply.
      if (!hasFailed.has(middle)) return
      if (hasFailed.get(middle) === true) failing = middle
      else passing = middle
    }
  }

  /** Tries the cuts at these places, several at once, while runs are left. Adds to `hasFailed`. */
  *#try(cuts: readonly FaultSet[], places: readonly number[], hasFailed: Map<number, boolean>): SearchSteps<void> {
    for (let start = 0; start < places.length; start += this.jobs) {
      if (this.tried.length >= this.maxRuns) {
        this.isCutShort = true
        return
      }
      const batch = places.slice(start, start + this.jobs)
      const runs = yield batch.map((place) => cuts[place]!)
      for (const [index, place] of batch.entries()) {
        const run = runs[index]!
        this.tried.push({ faults: cuts[place]!, run })
        this.left--
        if (!isRefused(run)) hasFailed.set(place, !run.isPassed)
      }
    }
  }
}

/** `with end=clean, 3 of 8 cuts fail, from after=2 to after=4`: the cuts of one end that failed, of those that were tried. */
function describeRange(failed: readonly FaultSet[], tried: number): string {
  const faults = failed.map(([planned]) => planned!.fault)
  const places = faults.map((fault) => fault.replace(/^cut; |; end=\w+$/g, ''))
  const [first, last] = [places[0]!, places.at(-1)!]
  const range = first === last ? `at ${first}` : `from ${first} to ${last}`
  return `with end=${endOf(faults[0]!)}, ${failed.length} of ${tried} cuts fail, ${range}`
}

/** The cuts of an answer, in the order of its bytes, as texts of faults. The last one comes after its last byte. */
export function cutsOf(sizes: readonly number[], end: (typeof CUT_ENDS)[number], bytes: boolean): string[] {
  const ending = end === 'reset' ? '' : `; end=${end}`
  const cuts = sizes.flatMap((size, after) => {
    const places = Array.from({ length: bytes ? size : 1 }, (_, byte) => (byte === 0 ? '' : `; bytes=${byte}`))
    return places.map((place) => `cut; after=${after}${place}${ending}`)
  })
  // A clean end after the last byte is no cut.
  return end === 'clean' ? cuts : [...cuts, `cut; after=${sizes.length}${ending}`]
}

/** The end of a cut, read from its text. */
export const endOf = (fault: string): string => /; end=(\w+)$/.exec(fault)?.[1] ?? 'reset'
