/**
 * Timers of the clock: one for each millisecond instead of one for each wait, because a thousand streams end twenty waits in
 * each. `npm run bench -- --only paced` shows what it saves.
 */

/** The longest time of a timer; a longer one overflows and ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

// Node's timers count whole milliseconds, so they may end up to one too early.
const TIMER_ERROR_MS = 1
// The rounding error of the divisions by a clock's speed.
const TOLERANCE_MS = 0.001

interface Slot {
  readonly waits: Set<() => void>
  timer: ReturnType<typeof setTimeout>
}

export class TimerWheel {
  readonly #now: () => number
  readonly #setTimeout: typeof setTimeout
  readonly #clearTimeout: typeof clearTimeout
  /** The pending waits by the millisecond in which they end. */
  readonly #slots = new Map<number, Slot>()

  /** Uses the timers that are global now. @param fake the clock of fake timers; undefined for real ones. */
  constructor(fake: { readonly now: number } | undefined) {
    this.#now = fake === undefined ? performance.now.bind(performance) : () => fake.now
    this.#setTimeout = globalThis.setTimeout
    this.#clearTimeout = globalThis.clearTimeout
  }

  /** True if it uses the timers that are global now: test runners replace them. */
  get isCurrent(): boolean {
    return this.#setTimeout === globalThis.setTimeout
  }

  /**
   * Calls `run` in so many milliseconds, never before it returns; the returned function cancels that.
   * @param run must not be pending already.
   */
  wake(ms: number, run: () => void): () => void {
    // The millisecond in which the wait ends.
    const end = Math.ceil(this.#now() + ms - TOLERANCE_MS)
    const slot = this.#slots.get(end) ?? { waits: new Set(), timer: this.#arm(end) }
    this.#slots.set(end, slot)
    slot.waits.add(run)
    return () => {
      if (!slot.waits.delete(run) || slot.waits.size > 0) return
      // After it has fired, another slot may have its place.
      if (this.#slots.get(end) !== slot) return
      // Without a wait its timer would keep the process alive.
      this.#clearTimeout.call(globalThis, slot.timer)
      this.#slots.delete(end)
    }
  }

  #arm(end: number): ReturnType<typeof setTimeout> {
    const ms = Math.max(0, Math.ceil(end - this.#now()))
    return this.#setTimeout.call(globalThis, () => this.#fire(end), Math.min(ms, MAX_TIMER_MS))
  }

  #fire(end: number): void {
    const slot = this.#slots.get(end)!
    // A timer counts from when the turn of the event loop began, and in a long turn it ends too early.
    if (end - this.#now() > TIMER_ERROR_MS) {
      slot.timer = this.#arm(end)
      return
    }
    this.#slots.delete(end)
    for (const wait of slot.waits) {
      slot.waits.delete(wait)
      try {
        wait()
      } catch (error) {
        // Thrown later, so that the other waits of this millisecond still end.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
