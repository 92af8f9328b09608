/** The door of this room: what changes when an app moves to another model. Other rooms import nothing else of it. */
export { driveRehearsal, type RehearsalPlayer } from './drive-rehearsal.ts'
export type { RehearsalReport, TargetReport } from './rehearsal-report.ts'
export { RehearsalError, type RehearseOptions, rehearse } from './rehearse-function.ts'
export { breakagesOf, titleOf, writeRehearsal } from './write-rehearsal.ts'
