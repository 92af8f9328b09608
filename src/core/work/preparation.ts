/** The long computations of one call: run at once, or left to the engine, which runs them in slices and asks again. */
import { finish, type Steps, UNITS_PER_SLICE } from './steps.ts'

export interface Preparation {
  /**
   * The result of a long computation. It must be a function of `name` and `input`.
   * @param isMostlyShort whether to run its first slice at once, which is all of it for most calls.
   * @throws Unfinished when the engine has to run the steps first.
   */
  of<Result>(name: string, input: string, start: () => Steps<Result>, isMostlyShort?: boolean): Result
}

/** Runs every computation at once. */
export const AT_ONCE: Preparation = { of: (_name, _input, start) => finish(start()) }

/** Thrown by a call whose answer needs a computation that has not run. Nothing has changed, so the call can be decided again. */
export class Unfinished {
  /** Runs the computation and stores its result for the next try. */
  readonly steps: Steps<void>

  constructor(steps: Steps<void>) {
    this.steps = steps
  }
}

/** Stores the results of the computations that have run. */
export class SlicedPreparation implements Preparation {
  #results: Map<string, Map<string, unknown>> | undefined

  of<Result>(name: string, input: string, start: () => Steps<Result>, isMostlyShort = false): Result {
    const results = this.#results?.get(name)
    if (results?.has(input) === true) return results.get(input) as Result
    const steps = start()
    for (let units = 0; isMostlyShort && units < UNITS_PER_SLICE; ) {
      const { done, value } = steps.next()
      if (done === true) {
        this.#store(name, input, value)
        return value
      }
      units += value
    }
    throw new Unfinished(this.#run(name, input, steps))
  }

  *#run(name: string, input: string, steps: Steps<unknown>): Steps<void> {
    this.#store(name, input, yield* steps)
  }

  #store(name: string, input: string, result: unknown): void {
    this.#results ??= new Map()
    const results = this.#results.get(name) ?? new Map<string, unknown>()
    this.#results.set(name, results.set(input, result))
  }
}
