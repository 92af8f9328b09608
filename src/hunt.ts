/** The package entry point for hunts: the smallest set of faults under which an app fails. */

export type {
  CellOutcome,
  ChangedAnswers,
  CheckedRun,
  FaultClassName,
  FaultCoverage,
  HuntCause,
  HuntCheck,
  HuntedFunction,
  HuntFinding,
  HuntOptions,
  HuntReport,
  HuntRun,
  HuntTable,
  RunFault,
  SideEffect,
  TableCell,
  TableRow,
} from './hunt/index.ts'
export { boundedCalls, boundedTime, HuntError, hunt, once, wholeOrError } from './hunt/index.ts'
