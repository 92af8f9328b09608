/**
 * The clock of a mock: transports read it and wait on it, the core never does.
 *
 * There are two: real time at any speed (`realClock`), and time that a test moves by hand (`ManualClock`). All times are
 * in simulated milliseconds. Only their differences have a meaning.
 */

import { clearTimeout, setTimeout } from './real-timers.ts'
import { TimerWheel } from './timer-wheel.ts'

export interface Clock {
  /** Simulated milliseconds per real millisecond. Waits that clients are told in real time are divided by it. */
  readonly speed: number
  /** Simulated milliseconds. They never go back. */
  now(): number
  /**
   * Calls `run` at `time`, which must not have passed, and never before it returns; the returned function cancels that. `run`
   * must not be pending already. The server waits this way for each token of a stream, because a promise and a signal per
   * token would cost more than the rest.
   */
  wake(time: number, run: () => void): () => void
  /** True if a test moves it, so that nobody knows how long a wait takes in real time. */
  readonly isManual?: true
}

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
 */
export function realClock(speed = 1): Clock {
  // The fake timers at the last call of `now`, and the time that they or `performance` told. Only `now` changes these.
  let lastTimers = fakeTimers()
  let lastTime = lastTimers?.now ?? performance.now()
  let elapsed = 0
  const now = (): number => {
    const timers = fakeTimers()
    const time = timers?.now ?? performance.now()
    // Other timers than last time count from another start, so the difference has no meaning.
    if (timers === lastTimers) elapsed += time - lastTime
    lastTimers = timers
    lastTime = time
    return elapsed * speed
  }
  // Another one when a test runner has replaced the timers. Waits of the one before end by its own timers.
  let wheel = new TimerWheel(lastTimers)
  const wake = (time: number, run: () => void): (() => void) => {
    if (!wheel.isCurrent) wheel = new TimerWheel(fakeTimers())
    return wheel.wake((time - now()) / speed, run)
  }
  return { speed, now, wake }
}

/** Resolves at a time of a clock, or as soon as `signal` aborts. A time that has passed resolves at once. */
export function waitUntil(clock: Clock, time: number, signal?: AbortSignal): Promise<void> {
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
