/**
 * The clock of a mock that is called by another process in virtual time: real time, and what that process has skipped. After
 * `leap(2000)`, a wait of 3 seconds has 1 second left.
 */
import { type Clock, realClock } from '../../engine/index.ts'

interface Wait {
  /** Its end, in milliseconds of this clock. */
  readonly time: number
  readonly run: () => void
  cancelTimer: () => void
}

export class LeapingClock implements Clock {
  readonly speed: number
  readonly #real: Clock
  readonly #waits = new Set<Wait>()
  /** Milliseconds of this clock that were skipped. */
  #skipped = 0

  constructor(speed: number) {
    this.speed = speed
    this.#real = realClock(speed)
  }

  now(): number {
    return this.#real.now() + this.#skipped
  }

  /** Runs a function at a time. Returns a function that cancels it. */
  wake(time: number, run: () => void): () => void {
    const wait: Wait = { time, run, cancelTimer: () => {} }
    this.#waits.add(wait)
    this.#startTimer(wait)
    return () => {
      this.#waits.delete(wait)
      wait.cancelTimer()
    }
  }

  /** The number of waits that have not ended. */
  get waits(): number {
    return this.#waits.size
  }

  /** Real milliseconds until the next wait ends. */
  get nextMs(): number {
    const next = Math.min(...[...this.#waits].map(({ time }) => time))
    return (next - this.now()) / this.speed
  }

  /** Skips real milliseconds. */
  leap(ms: number): void {
    this.#skipped += ms * this.speed
    for (const wait of this.#waits) this.#startTimer(wait)
  }

  /** Starts the timer of a wait, anew after a leap. */
  #startTimer(wait: Wait): void {
    wait.cancelTimer()
    wait.cancelTimer = this.#real.wake(wait.time - this.#skipped, () => {
      this.#waits.delete(wait)
      wait.run()
    })
  }
}
