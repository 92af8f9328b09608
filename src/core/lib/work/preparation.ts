/** The long computations of one call: run at once, or left to the engine, which runs them in slices and asks again. */
import { finish, type Steps } from './steps.ts'

export interface Preparation {
  /**
   * The result of a long computation. It must be a function of `name` and `input`.
   * @throws Unfinished when the engine has to run the steps first.
   */
  of<Result>(name: string, input: string, start: () => Steps<Result>): Result
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

/** The units of work that are left for this turn of the event loop. */
export interface Allowance {
  readonly left: number
  spend(units: number): void
}

/** Runs as much of each computation as the turn is for, and stores the results of those that have run. */
export class SlicedPreparation implements Preparation {
  readonly #allowance: Allowance
  #results: Map<string, Map<string, unknown>> | undefined

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  of<Result>(name: string, input: string, start: () => Steps<Result>): Result {
    const results = this.#results?.get(name)
    if (results?.has(input) === true) return results.get(input) as Result
    const steps = start()
    while (this.#allowance.left > 0) {
      const { done, value } = steps.next()
      if (done === true) {
        this.#store(name, input, value)
        return value
      }
      this.#allowance.spend(value)
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
