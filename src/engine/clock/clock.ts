/**
 * The clock of a mock: transports read it and wait on it, the core never does.
 *
 * There are two: real time at any speed (`realClock`), and time that a test moves by hand (`ManualClock`). All times are
 * in simulated milliseconds. Only their differences have a meaning.
 */

import { MockError } from '../../core/protocol/errors/mock-error.ts'
import { clearTimeout, setTimeout } from './real-timers.ts'

export interface Clock {
  /** Simulated milliseconds per real millisecond. Waits that clients are told in real time are divided by it. */
  readonly speed: number
  /** Simulated milliseconds. They never go back. */
  now(): number
  /** Resolves at `time`, or as soon as `signal` aborts. A time that has passed resolves at once. */
  until(time: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `run` at `time`, never before it returns; the returned function cancels that. `run` must not be pending already.
   * The server waits this way for each token of a stream, because a promise and a signal per token would cost more than
   * the rest.
   */
  wake?(time: number, run: () => void): () => void
}

/** Calls `run` at a time of a clock; the returned function cancels that. */
export function wakeAt(clock: Clock, time: number, run: () => void): () => void {
  if (clock.wake !== undefined) return clock.wake(time, run)
  const left = new AbortController()
  void clock.until(time, left.signal).then(() => {
    if (!left.signal.aborted) run()
  })
  return () => left.abort()
}

/** Real milliseconds until `time`. Unknown for a manual clock, so the largest number. */
export const realMsUntil = (clock: Clock, time: number): number =>
  clock.wake === undefined ? Number.MAX_SAFE_INTEGER : (time - clock.now()) / clock.speed

const SLOWEST = 0.001
const FASTEST = 1_000_000
/** The range of speeds, for messages. A function, because `toLocaleString` takes 10 ms at its first call. */
export const allowedSpeeds = (): string => `a number from ${SLOWEST} to ${FASTEST.toLocaleString('en')}`

export const isSpeed = (speed: number): boolean => speed >= SLOWEST && speed <= FASTEST

/**
 * Real time from a monotonic source, so that a change of the system's date has no effect.
 *
 * The global timers are read at each call. When a test runner installs fake timers, before or after the mock is created,
 * the mock follows them, and its own time continues from where it was.
 * @param speed simulated milliseconds per real millisecond, from 0.001 to 1,000,000. Default: 1.
 * @throws MockError `invalid-option` when the speed is out of range.
 */
export function realClock(speed = 1): Clock {
  if (!isSpeed(speed)) {
    throw new MockError(
      'invalid-option',
      `Failed to set the clock: expected speed to be ${allowedSpeeds()}, got ${speed}.`,
    )
  }
  let timers = fakeTimers()
  let last = timers?.now ?? performance.now()
  let elapsed = 0
  const now = (): number => {
    const current = fakeTimers()
    const read = current?.now ?? performance.now()
    // Other timers than last time count from another start, so the difference has no meaning.
    if (current === timers) elapsed += read - last
    timers = current
    last = read
    return elapsed * speed
  }
  let wheel = new TimerWheel(timers)
  const wake = (time: number, run: () => void): (() => void) => {
    if (!wheel.isCurrent) wheel = new TimerWheel(fakeTimers())
    return wheel.wake((time - now()) / speed, run)
  }
  const clock = { speed, now, wake, until: (time: number, signal?: AbortSignal) => waitUntil(clock, time, signal) }
  return clock
}

/** Waits as `until` of a clock does, by its `wake`. */
export function waitUntil(
  clock: Pick<Required<Clock>, 'now' | 'wake'>,
  time: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (time <= clock.now() || signal?.aborted === true) return resolve()
    const done = (): void => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.wake(time, done)
    signal?.addEventListener('abort', done, { once: true })
  })
}

interface FakeTimers {
  readonly now: number
  /** True for those of a hunt. */
  readonly isVirtualTime?: boolean
}

/**
 * The installed fake timers, marked as those of Vitest, Jest and Sinon are. Their own clock is read, because
 * `performance` need not be among what was faked.
 */
export function fakeTimers(): FakeTimers | undefined {
  return (globalThis.setTimeout as { clock?: FakeTimers }).clock
}

/**
 * Resolves after real milliseconds, also when timers are faked: for what depends on the machine and not on the scenario,
 * such as sent data that drains before a connection is broken. In virtual time, where timers end only when nothing else
 * is left to do, it takes none.
 */
export const realDelay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const wait = fakeTimers()?.isVirtualTime ? globalThis.setTimeout : setTimeout
    wait(resolve, ms)
  })

/** Time after which Node's fetch gives up an answer that does not come. */
const FETCH_TIMEOUT_MS = 300_000

/**
 * Keeps the process alive, as a socket does that waits for an answer; the returned function ends that. In virtual time,
 * a timer would count as pending work, and the process has others.
 */
export function holdProcess(): () => void {
  if (fakeTimers()?.isVirtualTime) return () => {}
  const timer = setTimeout(() => {}, FETCH_TIMEOUT_MS)
  return () => clearTimeout(timer)
}

/** The longest time of a timer; a longer one overflows and ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/*
 * A timer for each millisecond instead of one for each wait: a thousand streams end twenty waits in each.
 *
 * `npm run bench -- --only paced` shows what it saves.
 */

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

  /** Uses the timers that are global now. @param fake their own clock, if they are fake. */
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
    const end = Math.ceil(this.#now() + ms - TOLERANCE_MS)
    const slot = this.#slots.get(end) ?? { waits: new Set(), timer: this.#arm(end) }
    this.#slots.set(end, slot)
    slot.waits.add(run)
    return () => {
      // After it has fired, another slot may have its place.
      if (!slot.waits.delete(run) || slot.waits.size > 0 || this.#slots.get(end) !== slot) return
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
