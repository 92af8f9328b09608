/** The door of this room: what changes when an app moves to another model. Other rooms import nothing else of it. */
export { driveRehearsal, type RehearsalPlayer } from './drive-rehearsal.ts'
export { RehearsalError, type RehearseOptions, rehearse } from './in-process.ts'
export type { RehearsalReport, TargetReport } from './rehearsal-report.ts'
export { MODEL_TABLE } from './rehearsed-scenarios.ts'
export { breakagesOf, titleOf, writeRehearsal } from './write-rehearsal.ts'
