/** The door of this room: changes and reports over replicas. Other rooms import nothing else of it. */

export { type FleetEntry, type FleetReport, reportOnFleet } from './fleet-report.ts'
export { applyChanges, type Change, Replica } from './replica.ts'
export { resolveTargets } from './resolve-targets.ts'
