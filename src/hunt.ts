/** The package entry point for hunts: the smallest set of faults under which an app fails. */

export type { HuntReport } from './hunt/drive.ts'
export { HuntError, type HuntFinding } from './hunt/hunt-error.ts'
export { type HuntOptions, hunt } from './hunt/in-process.ts'
export type { FaultClassName } from './hunt/search/fault-classes.ts'
export type { CellOutcome, HuntTable, TableCell, TableRow } from './hunt/search/hunt-table.ts'
