/** The door of this room for Node: other rooms import the parts that a browser cannot load from here. */

export { EventLoopLag } from './event-loop-lag.ts'
export { Rehearsals } from './rehearsals.ts'
export { isBuiltIn, isFile, type LoadedScenario, loadScenario } from './scenario-files/load-scenario.ts'
export { loadFile, MAX_BYTES, readText } from './scenario-files/scenario-file.ts'
export { watchFile } from './scenario-files/watch-file.ts'
