/**
 * The one clock of a mock: shells ask it for the time and wait on it, the core never does.
 *
 * There are two: real time, which may run faster or slower than the world's (`realClock`), and time that stands still
 * until a test moves it (`ManualClock`). All times are simulated milliseconds; only differences mean anything.
 */

export interface Clock {
  /** How many simulated milliseconds pass in a real one. What is said to clients in real time is divided by it. */
  readonly speed: number
  /** Simulated milliseconds. They never go back. */
  now(): number
  /** Resolves at `time`, or as soon as `signal` aborts. A time that has passed resolves at once. */
  until(time: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls back at `time`, in the next turn where it has passed; what it returns takes that back. The server waits so,
   * for each token of each stream, as promises and signals would cost more than the rest; without it, by `until`.
   */
  wake?(time: number, run: () => void): () => void
}

/** Calls back at a time of a clock; returns the way to take that back. */
export function wakeAt(clock: Clock, time: number, run: () => void): () => void {
  if (clock.wake !== undefined) return clock.wake(time, run)
  const left = new AbortController()
  void clock.until(time, left.signal).then(() => {
    if (!left.signal.aborted) run()
  })
  return () => left.abort()
}

const SLOWEST = 0.001
const FASTEST = 1_000_000
/** What is allowed as a speed, for messages. Made only when it is shown: Node loads its tables of languages for 10 ms. */
export const allowedSpeeds = (): string => `a number from ${SLOWEST} to ${FASTEST.toLocaleString('en')}`

export const isSpeed = (speed: number): boolean => speed >= SLOWEST && speed <= FASTEST

// A longer time-out overflows, and fires at once.
const MAX_TIMEOUT = 2 ** 31 - 1
// What a speed may add to a number of milliseconds by rounding.
const TOLERANCE_MS = 0.001

/**
 * Real time, from a monotonic source, so that a change of the system's date moves no limit.
 *
 * The global timers are looked up at each call: when a test runner puts fake ones in their place, before or after the
 * mock was made, the mock goes by those, and its own time goes on from where it was.
 * @param speed how many times faster than the world's time it runs. Default: 1.
 * @throws when the speed is out of its bounds.
 */
export function realClock(speed = 1): Clock {
  if (!isSpeed(speed))
    throw new Error(`Failed to set the clock: found the speed ${speed}, allowed is ${allowedSpeeds()}.`)
  let timers = fakeTimers()
  let last = timers?.now ?? performance.now()
  let elapsed = 0
  const now = (): number => {
    const inForce = fakeTimers()
    const read = inForce?.now ?? performance.now()
    // Others than last time count from elsewhere: from here on it goes by them.
    if (inForce === timers) elapsed += read - last
    timers = inForce
    last = read
    return elapsed * speed
  }
  const wake = (time: number, run: () => void): (() => void) => {
    // Those in force now: fake timers could not clear a real one.
    const { setTimeout, clearTimeout } = globalThis
    let timer: ReturnType<typeof setTimeout>
    const arm = (): void => {
      // Timers drop fractions: without rounding up each wait would end too early.
      const ms = Math.max(0, Math.ceil((time - now()) / speed - TOLERANCE_MS))
      timer = ms > MAX_TIMEOUT ? setTimeout(arm, MAX_TIMEOUT) : setTimeout(run, ms)
    }
    arm()
    return () => clearTimeout(timer)
  }
  const until = (time: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (time <= now() || signal?.aborted === true) return resolve()
      const done = (): void => {
        cancel()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const cancel = wake(time, done)
      signal?.addEventListener('abort', done, { once: true })
    })
  const clock = { speed, now, until, wake }
  realClocks.add(clock)
  return clock
}

const realClocks = new WeakSet<Clock>()

/** Whether a clock goes as the world does, at whatever speed, and so as one in another process would. */
export const isRealTime = (clock: Clock): boolean => realClocks.has(clock) && fakeTimers() === undefined

/**
 * The fake timers in force, as those of Vitest, Jest and Sinon mark them. Their own count of milliseconds is the time
 * that the timers go by; the faked `performance` would say the same, but it need not be among what was faked.
 */
function fakeTimers(): { readonly now: number } | undefined {
  return (globalThis.setTimeout as { clock?: { readonly now: number } }).clock
}

const { setTimeout: setRealTimeout } = globalThis

/**
 * Resolves after real milliseconds, whatever the clock says and even where timers are faked later: for what needs the
 * machine's time and not the scenario's, such as letting sent data drain before a connection is broken.
 */
export const realDelay = (ms: number): Promise<void> => new Promise((resolve) => setRealTimeout(resolve, ms))
