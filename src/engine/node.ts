/** The door of this room for Node: other rooms import the parts that a browser cannot load from here. */

export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from './clock/real-timers.ts'
export {
  isBuiltIn,
  isFile,
  type LoadedScenario,
  loadFile,
  loadScenario,
  loadSessions,
  MAX_BYTES,
  readText,
} from './files/load-scenario.ts'
export { replaceFile } from './files/replace-file.ts'
export { watchFile } from './files/watch-file.ts'
export { Rehearsals } from './rehearsals.ts'
export { EventLoopLag } from './timing/event-loop-lag.ts'
