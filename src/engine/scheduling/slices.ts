/** Runs long computations in slices: in each turn of the event loop as much as a turn is for, each computation in turn. */
import { setImmediate, setTimeout } from '../clock/real-timers.ts'
import { TurnAllowance } from './turn-allowance.ts'

const nextTurn = setImmediate === undefined ? (run: () => void) => void setTimeout(run) : setImmediate

/** A computation in steps that may also yield a promise, to run on when it has settled. The promise must not reject. */
export type Task<Result> = Generator<number | Promise<void>, Result, undefined>

export class Slices {
  /** What calls may use of this turn. */
  readonly allowance: TurnAllowance
  readonly #nextTurn: (run: () => void) => void
  readonly #jobs: Task<void>[] = []

  /** @param runLater calls a function in a later turn of the event loop. */
  constructor(runLater: (run: () => void) => void = nextTurn) {
    this.#nextTurn = runLater
    this.allowance = new TurnAllowance(runLater)
  }

  /** Runs a computation in later turns. It handles its own errors. */
  run(steps: Task<void>): void {
    this.#jobs.push(steps)
    // An immediate is still of the turn that read the call from its socket, whose allowance may be spent.
    if (this.#jobs.length === 1) this.#nextTurn(() => this.#schedule())
  }

  #schedule(): void {
    this.#nextTurn(() => {
      this.allowance.renew()
      try {
        while (this.#jobs.length > 0 && this.allowance.left > 0) this.#runFirst()
      } finally {
        if (this.#jobs.length > 0) this.#schedule()
      }
    })
  }

  /** Runs the first computation until it or the turn is over, and puts the rest of it last. */
  #runFirst(): void {
    const steps = this.#jobs[0]!
    let isDone = true
    try {
      isDone = this.#runSlice(steps)
    } finally {
      this.#jobs.shift()
      if (!isDone) this.#jobs.push(steps)
    }
  }

  /** True when the steps are done, or wait. */
  #runSlice(steps: Task<void>): boolean {
    while (this.allowance.left > 0) {
      const { done, value } = steps.next()
      if (done === true) return true
      if (typeof value !== 'number') {
        void value.then(() => this.run(steps))
        return true
      }
      try {
        this.allowance.spend(value)
      } catch {
        // Work that cannot be counted ends the slice. Its call may be decided already, so it must not be lost.
        return false
      }
    }
    return false
  }
}
