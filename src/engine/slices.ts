/** Runs long computations in slices: one slice per turn of the event loop, each computation in turn. */
import { type Steps, UNITS_PER_SLICE } from '../core/work/steps.ts'

// As they were when the module loaded: test runners replace timers by their own.
const { setImmediate, setTimeout } = globalThis
/** A page has no setImmediate. */
const nextTurn = setImmediate === undefined ? (run: () => void) => void setTimeout(run) : setImmediate

export class Slices {
  readonly #nextTurn: (run: () => void) => void
  readonly #jobs: Steps<void>[] = []

  /** @param runLater calls a function in a later turn of the event loop. */
  constructor(runLater: (run: () => void) => void = nextTurn) {
    this.#nextTurn = runLater
  }

  /** Runs a computation, from the next turn on. It handles its own errors. */
  run(steps: Steps<void>): void {
    this.#jobs.push(steps)
    if (this.#jobs.length === 1) this.#schedule()
  }

  #schedule(): void {
    this.#nextTurn(() => {
      const steps = this.#jobs[0]!
      let isDone = true
      try {
        isDone = runSlice(steps)
      } finally {
        this.#jobs.shift()
        if (!isDone) this.#jobs.push(steps)
        if (this.#jobs.length > 0) this.#schedule()
      }
    })
  }
}

/** Runs steps for one slice; true when they are done. */
function runSlice(steps: Steps<void>): boolean {
  for (let units = 0; units < UNITS_PER_SLICE; ) {
    const { done, value } = steps.next()
    if (done === true) return true
    units += value
  }
  return false
}
