/** The result of a hunt for a command, as plain data: each report shows it, and `--since` reads it again from the JSON report. */
import type { DrawnCall } from '../../core/report/run-picture.ts'
import type { DescribedFinding } from '../describe-cause.ts'
import type { HuntReport } from '../drive.ts'
import type { CatchBlocks } from './catch-blocks.ts'

/** Failures with one cause. */
export interface FoundFailure extends DescribedFinding {
  /** For `--replay`: one for each of `findings`. None from `shrink`, whose base scenario has random faults. */
  readonly tokens: readonly string[]
  /** The indices of its findings among all of the search. The cells of the table have the same indices. */
  readonly findings: readonly number[]
  /** The first calls of the run with the first set of faults. */
  readonly drawnCalls?: readonly DrawnCall[]
  /** The scenario file that reproduces the first of them. */
  readonly file?: string
}

/** The settings on which the results of a hunt depend, as texts. */
export type HuntBasis = Readonly<Record<string, string>>

export interface HuntResult extends HuntReport {
  readonly command: readonly string[]
  /** The options with which `api-mock run` comes to the same verdict: `--conduct strict`; left out if none do. */
  readonly runOptions?: readonly string[] | undefined
  readonly scenario: string
  readonly failures: readonly FoundFailure[]
  readonly seconds: number
  /** The reason why sets are left; left out when everything was tried. */
  readonly stoppedBy?: 'signal' | 'time' | 'runs'
  /** The least number of sets of faults that are left; 0 when everything was tried. */
  readonly left: number
  readonly warnings: readonly string[]
  /** For `--since`. */
  readonly basis: HuntBasis
  /** The message of a coverage below `--min-coverage`. */
  readonly shortfall?: string
  /** Left out unless NODE_V8_COVERAGE is set. */
  readonly catchBlocks?: CatchBlocks | undefined
}
