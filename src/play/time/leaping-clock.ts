/** The clock of a mock that is called by another process in virtual time: real time, and what that process has skipped. */
import { type Clock, realClock, waitUntil, wakeAt } from '../../engine/index.ts'

interface Wait {
  readonly time: number
  readonly run: () => void
  cancel: () => void
}

export class LeapingClock implements Clock {
  readonly speed: number
  readonly #real: Clock
  readonly #waits = new Set<Wait>()
  #skipped = 0

  constructor(speed: number) {
    this.speed = speed
    this.#real = realClock(speed)
  }

  now(): number {
    return this.#real.now() + this.#skipped
  }

  until(time: number, signal?: AbortSignal): Promise<void> {
    return waitUntil(this, time, signal)
  }

  wake(time: number, run: () => void): () => void {
    const wait: Wait = { time, run, cancel: () => {} }
    this.#waits.add(wait)
    this.#arm(wait)
    return () => {
      this.#waits.delete(wait)
      wait.cancel()
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
    for (const wait of this.#waits) this.#arm(wait)
  }

  #arm(wait: Wait): void {
    wait.cancel()
    wait.cancel = wakeAt(this.#real, wait.time - this.#skipped, () => {
      this.#waits.delete(wait)
      wait.run()
    })
  }
}
