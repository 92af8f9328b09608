/** The door of this room: the hunt in process, all of which users may import. */
export type { HuntReport } from './drive.ts'
export type { HuntedFunction, HuntRun, RunFault } from './function-player.ts'
export { type HuntCause, HuntError, type HuntFinding, type HuntOptions, hunt } from './in-process.ts'
export {
  boundedCalls,
  boundedTime,
  type CheckedRun,
  type HuntCheck,
  once,
  type SideEffect,
  wholeOrError,
} from './properties.ts'
export type { ChangedAnswers } from './search/changed-answers.ts'
export type { FaultClassName } from './search/fault-classes.ts'
export type { FaultCoverage } from './search/fault-coverage.ts'
export type { CellOutcome, HuntTable, TableCell, TableRow } from './search/hunt-table.ts'
