/**
 * The timers as they were when the package was loaded: test runners replace those of `globalThis`. A page has no
 * `setImmediate`. Apart from the clock, whose types users see: these need the types of Node.
 */
export const { setImmediate, setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
