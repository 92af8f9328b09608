/**
 * Delta debugging: reduces the faults of a failing run to a part in which each is needed.
 *
 * The algorithm is ddmin (Zeller and Hildebrandt, 2002). It tries the chunks of the set and what is left without each,
 * in ever smaller chunks, and ends when no single fault can be left out.
 */
import { confirm, type Finding, type SearchSteps, untilStopped } from './experiments.ts'
import { type FaultSet, keyOf } from './fault-set.ts'

export interface ShrinkResult {
  /** Undefined if the app did not fail when all faults were applied again. */
  readonly finding: Finding | undefined
  /** The sets that were tried. */
  readonly tried: number
  /** Whether it was stopped, so that the finding may have faults that are not needed. */
  readonly isCutShort: boolean
}

/**
 * @param applied the faults that were applied in a run that failed
 * @param jobs how many experiments can run at once
 */
export function* shrink(applied: FaultSet, jobs = 1): SearchSteps<ShrinkResult> {
  const state = new Shrinking(jobs)
  const hasEnded = yield* untilStopped(state.run(applied))
  return { finding: state.finding, tried: state.tried, isCutShort: !hasEnded }
}

class Shrinking {
  finding: Finding | undefined
  readonly #jobs: number
  readonly #hasFailed = new Map<string, boolean>()

  constructor(jobs: number) {
    this.#jobs = jobs
  }

  get tried(): number {
    return this.#hasFailed.size
  }

  *run(applied: FaultSet): SearchSteps<void> {
    let faults = yield* this.#findFailing([applied])
    for (let size = 2; faults !== undefined && faults.length > 1; ) {
      this.#keep(faults)
      const chunks = splitInto(faults, size)
      const chunk = yield* this.#findFailing(chunks)
      const rest = chunk === undefined ? yield* this.#findFailing(withoutEach(faults, chunks)) : undefined
      if (chunk !== undefined) size = 2
      else if (rest !== undefined) size = Math.max(size - 1, 2)
      else if (size < faults.length) size = Math.min(size * 2, faults.length)
      else break
      faults = chunk ?? rest ?? faults
    }
    if (faults === undefined) return
    this.#keep(faults)
    this.finding = yield* confirm(faults)
  }

  #keep(faults: FaultSet): void {
    this.finding = { faults, failures: 1, tries: 1 }
  }

  /** The first of these sets under which the app fails. */
  *#findFailing(sets: readonly FaultSet[]): SearchSteps<FaultSet | undefined> {
    for (let start = 0; start < sets.length; start += this.#jobs) {
      const batch = sets.slice(start, start + this.#jobs)
      const untried = batch.filter((set) => set.length > 0 && !this.#hasFailed.has(nameOf(set)))
      const runs = untried.length === 0 ? [] : yield untried
      for (const [index, set] of untried.entries()) this.#hasFailed.set(nameOf(set), !runs[index]!.isPassed)
      const failing = batch.find((set) => this.#hasFailed.get(nameOf(set)) === true)
      if (failing !== undefined) return failing
    }
    return undefined
  }
}

const nameOf = (faults: FaultSet): string => faults.map(keyOf).join('\n')

const withoutEach = (faults: FaultSet, chunks: readonly FaultSet[]): FaultSet[] =>
  chunks.map((chunk) => faults.filter((fault) => !chunk.includes(fault)))

/** So many parts of about the same size, in order. */
function splitInto(faults: FaultSet, count: number): FaultSet[] {
  const ends = Array.from({ length: count + 1 }, (_, index) => Math.floor((index * faults.length) / count))
  return ends.slice(1).map((end, index) => faults.slice(ends[index], end))
}
