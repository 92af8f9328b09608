/** The door of this room: the hunt in process. Other rooms import nothing else of it. */
export { huntOptions, shrinkOptions } from './command/hunt-options.ts'
export { NotRunError, runCommand } from './command/run-command.ts'
export type { HuntReport } from './drive.ts'
export { HuntError, type HuntFinding, type HuntOptions, hunt } from './in-process.ts'
export { describeFailure, findClientFailure, HUNT_JOURNAL, messageOf, type Played } from './played-run.ts'
export type { FaultClassName } from './search/fault-classes.ts'
export type { CellOutcome, HuntTable, TableCell, TableRow } from './search/hunt-table.ts'
export { Stage } from './stage.ts'
