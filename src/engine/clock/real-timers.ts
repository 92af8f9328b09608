/**
 * The timers as they were when the package was loaded: test runners replace those of `globalThis`.
 * A page has no `setImmediate`.
 */
export const { setImmediate, setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
