/** The door of this room: changes and reports over replicas. Other rooms import nothing else of it. */
export { applyChanges, type Change } from './apply-changes.ts'
export { type FleetReport, reportOnFleet } from './fleet-report.ts'
export type { FleetEntry } from './merge-journals.ts'
export { Replica } from './replica.ts'
