/**
 * The result of a hunt for a command, as plain data: each report shows it, and `--since` reads it again from the JSON report.
 *
 *     { command: ['node', 'agent.js'], scenario: 'scenario.yaml', failures: [{ cause: ..., tokens: ['1q307jmytm5:1:hang'] }] }
 */
import type { DrawnCall } from '../../core/report/run-picture.ts'
import type { DescribedFinding } from '../describe-cause.ts'
import type { HuntReport } from '../drive.ts'
import type { CatchBlocks } from './catch-blocks.ts'

/** Failures with one cause. */
export interface FoundFailure extends DescribedFinding {
  /** Replay tokens, such as `1q307jmytm5:1:hang`, one for each of `findings`; none where a scenario has random faults (`shrink`). */
  readonly tokens: readonly string[]
  /** The indices of its findings among all of the search. The cells of the table have the same indices. */
  readonly findings: readonly number[]
  /** The first calls of the run with the first set of faults. */
  readonly drawnCalls?: readonly DrawnCall[]
  /** The scenario file that reproduces the first finding. */
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
  /** The settings that `--since` compares: a hunt with other settings is no earlier one of this hunt. */
  readonly basis: HuntBasis
  /** The message of a coverage below `--min-coverage`. */
  readonly shortfall?: string
  /** Left out unless NODE_V8_COVERAGE is set. */
  readonly catchBlocks?: CatchBlocks | undefined
}
