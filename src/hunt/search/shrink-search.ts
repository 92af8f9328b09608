/**
 * Delta debugging: reduces the faults of a failing run to a part in which each is needed.
 *
 * The algorithm is ddmin (Zeller and Hildebrandt, 2002). It tries the chunks of the set and what is left without each,
 * in ever smaller chunks, and ends when no single fault can be left out.
 */
import { Experiments, type SearchLimits, type SearchSteps } from './experiments.ts'
import { type FaultSet, keyOfSet } from './fault-set.ts'

/**
 * Finds a part of a failing set that fails, and of which no single fault can be left out.
 * @param firstCount the number of chunks that the set is split into first
 * @param findFailing finds the first of some sets under which the app fails
 */
export function* findSmallest(
  faults: FaultSet,
  firstCount: number,
  findFailing: (sets: readonly FaultSet[]) => SearchSteps<FaultSet | undefined>,
): SearchSteps<FaultSet> {
  let smallest = faults
  let count = firstCount
  while (smallest.length > 1) {
    // Of about the same size: 3 chunks of `[a, b, c, d]` are `[a]`, `[b]` and `[c, d]`.
    const ends = Array.from({ length: count + 1 }, (_, index) => Math.floor((index * smallest.length) / count))
    const chunks = ends.slice(1).map((end, index) => smallest.slice(ends[index], end))
    const failingChunk = yield* findFailing(chunks)
    if (failingChunk !== undefined) {
      smallest = failingChunk
      count = 2
      continue
    }
    const withoutEach = chunks.map((chunk) => smallest.filter((fault) => !chunk.includes(fault)))
    const failingRest = yield* findFailing(withoutEach)
    if (failingRest !== undefined) {
      smallest = failingRest
      count = Math.max(count - 1, 2)
      continue
    }
    // Chunks of one fault each: none of them can be left out.
    if (count >= smallest.length) break
    count = Math.min(count * 2, smallest.length)
  }
  return smallest
}

interface ShrinkOptions extends SearchLimits {
  readonly applied: FaultSet
}

/** Reduces the faults that were applied in a run that failed. It finds nothing if the app does not fail under them again. */
export class ShrinkSearch extends Experiments<ShrinkOptions> {
  /** True for each set that failed, false for others that were tried. */
  readonly #hasFailed = new Map<string, boolean>()

  protected *propose(): SearchSteps<void> {
    const { applied } = this.options
    const findFailing = (sets: readonly FaultSet[]) => this.#findFailing(sets)
    const isFailing = applied.length > 0 && (yield* findFailing([applied])) !== undefined
    if (isFailing) yield* this.confirm(yield* findSmallest(applied, 2, findFailing))
  }

  /**
   * Runs sets until one fails, several at once. It has no `maxRuns`, because `shrink` has no such option, and asks no
   * `isRefused`, because each fault has applied to its call before.
   */
  *#findFailing(sets: readonly FaultSet[]): SearchSteps<FaultSet | undefined> {
    for (let start = 0; start < sets.length; start += this.jobs) {
      const batch = sets.slice(start, start + this.jobs)
      const untried = batch.filter((set) => !this.#hasFailed.has(keyOfSet(set)))
      const runs = untried.length === 0 ? [] : yield untried
      for (const [index, faults] of untried.entries()) {
        const run = runs[index]!
        this.tried.push({ faults, run })
        this.#hasFailed.set(keyOfSet(faults), !run.isPassed)
      }
      const failing = batch.find((set) => this.#hasFailed.get(keyOfSet(set)) === true)
      if (failing !== undefined) return failing
    }
    return undefined
  }
}
