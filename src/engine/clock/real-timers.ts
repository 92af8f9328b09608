/**
 * The timers as they were when the package was loaded: test runners replace those of `globalThis`.
 * A page has no `setImmediate`.
 */
export const { setImmediate, setTimeout, clearTimeout, setInterval, clearInterval } = globalThis

/** The longest time of a timer; a longer one overflows and ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
