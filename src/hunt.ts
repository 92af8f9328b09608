/** The package entry point for hunts: the smallest set of faults under which an app fails. */
export type { FaultClassName } from './core/hunt/fault-classes.ts'
export { HuntError, type HuntFinding } from './hunt/hunt-error.ts'
export { type HuntOptions, type HuntReport, hunt } from './hunt/in-process.ts'
