/** The package entry point for hunts: the smallest set of faults under which an app fails. */
export type { FaultClassName } from './core/hunt/fault-classes.ts'
export type { CellOutcome, HuntTable, TableCell, TableRow } from './core/hunt/table.ts'
export { HuntError, type HuntFinding, type HuntReport } from './hunt/hunt-error.ts'
export { type HuntOptions, hunt } from './hunt/in-process.ts'
