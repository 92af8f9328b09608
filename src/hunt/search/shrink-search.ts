/**
 * Delta debugging: reduces the faults of a failing run to a part in which each is needed.
 *
 * The algorithm is ddmin (Zeller and Hildebrandt, 2002). It tries the chunks of the set and what is left without each,
 * in ever smaller chunks, and ends when no single fault can be left out.
 */
import { Experiments, type SearchLimits, type SearchSteps } from './experiments.ts'
import { type FaultSet, nameOf } from './fault-set.ts'

/**
 * Finds a part of a failing set that fails, and of which no single fault can be left out.
 * @param size the number of chunks that the set is split into first
 * @param findFailing finds the first of some sets under which the app fails
 */
export function* findSmallest(
  faults: FaultSet,
  size: number,
  findFailing: (sets: readonly FaultSet[]) => SearchSteps<FaultSet | undefined>,
): SearchSteps<FaultSet> {
  for (let smallest = faults, count = size; ; ) {
    if (smallest.length < 2) return smallest
    const ends = Array.from({ length: count + 1 }, (_, index) => Math.floor((index * smallest.length) / count))
    const chunks = ends.slice(1).map((end, index) => smallest.slice(ends[index], end))
    const chunk = yield* findFailing(chunks)
    const withoutEach = chunks.map((one) => smallest.filter((fault) => !one.includes(fault)))
    const rest = chunk === undefined ? yield* findFailing(withoutEach) : undefined
    if (chunk !== undefined) count = 2
    else if (rest !== undefined) count = Math.max(count - 1, 2)
    else if (count < smallest.length) count = Math.min(count * 2, smallest.length)
    else return smallest
    smallest = chunk ?? rest ?? smallest
  }
}

/** Reduces the faults that were applied in a run that failed. It finds nothing if the app does not fail under them again. */
export class ShrinkSearch extends Experiments {
  readonly #applied: FaultSet
  readonly #hasFailed = new Map<string, boolean>()

  constructor(applied: FaultSet, limits: SearchLimits) {
    super(limits)
    this.#applied = applied
  }

  protected *propose(): SearchSteps<void> {
    const findFailing = (sets: readonly FaultSet[]) => this.#findFailing(sets)
    const isFailing = this.#applied.length > 0 && (yield* findFailing([this.#applied])) !== undefined
    if (isFailing) yield* this.confirm(yield* findSmallest(this.#applied, 2, findFailing))
  }

  *#findFailing(sets: readonly FaultSet[]): SearchSteps<FaultSet | undefined> {
    for (let start = 0; start < sets.length; start += this.jobs) {
      const batch = sets.slice(start, start + this.jobs)
      const untried = batch.filter((set) => !this.#hasFailed.has(nameOf(set)))
      const runs = untried.length === 0 ? [] : yield untried
      for (const [index, faults] of untried.entries()) {
        const run = runs[index]!
        this.tried.push({ faults, run })
        this.#hasFailed.set(nameOf(faults), !run.isPassed)
      }
      const failing = batch.find((set) => this.#hasFailed.get(nameOf(set)) === true)
      if (failing !== undefined) return failing
    }
    return undefined
  }
}
