/** The package entry point for hunts: the smallest set of faults under which an app fails. */

export type {
  CellOutcome,
  ChangedAnswers,
  FaultClassName,
  FaultCoverage,
  HuntReport,
  HuntTable,
  TableCell,
  TableRow,
} from './hunt/index.ts'
export { HuntError, type HuntFinding, type HuntOptions, hunt } from './hunt/index.ts'
