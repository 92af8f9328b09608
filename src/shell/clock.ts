/** The one clock of a mock: shells ask it for the time and wait on it, the core never does. */

export interface Clock {
  /** Milliseconds; only differences mean anything. */
  now(): number
  /** Resolves at `time`, or as soon as `signal` aborts. A time that has passed resolves at once. */
  until(time: number, signal?: AbortSignal): Promise<void>
}

/** Real time, from a monotonic source: a change of the system's date moves no limit. */
export const systemClock: Clock = {
  now: () => performance.now(),
  until: (time, signal) =>
    new Promise((resolve) => {
      const ms = time - performance.now()
      if (ms <= 0 || signal?.aborted === true) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
    }),
}
