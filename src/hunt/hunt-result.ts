/** The result of a hunt for a command, as plain data for reports. */

import type { DriveResult } from './drive.ts'
import { messageOf } from './hunt-error.ts'
import { CommandFailure } from './processes/command-failure.ts'
import { type ReplaySettings, writeToken } from './replay-token.ts'
import { describeGroup } from './search/describe.ts'
import type { FaultSet } from './search/fault-set.ts'
import { type FindingGroup, groupFindings } from './search/groups.ts'
import type { KnownCall } from './search/observe.ts'
import type { Pruned } from './search/search.ts'
import type { HuntTable } from './search/table.ts'

/** Failures that hit the same attempts of the same calls. */
export interface FoundFailure {
  /** `1 fault`, or `2 faults, 3 of 5 times`. */
  readonly size: string
  /** `call 2 (POST chat "Summarise...", every attempt): cut; before=finish` */
  readonly faults: readonly string[]
  /** How the command ended in the first of them. */
  readonly error: string
  /** The last lines of its output then, or those from its first error on. */
  readonly output: readonly string[]
  /** For `--replay`: one for each set of faults. */
  readonly tokens: readonly string[]
  /** Its places among all findings, as the cells of the table have them. */
  readonly findings: readonly number[]
  /** The scenario file that reproduces the first of them. */
  readonly file?: string
  /** The scenario files of the others. */
  readonly otherFiles?: readonly string[]
}

export interface HuntResult {
  readonly command: readonly string[]
  /** The options with which `api-mock run` comes to the same verdict: `--conduct strict`. */
  readonly runOptions: readonly string[]
  readonly scenario: string
  readonly failures: readonly FoundFailure[]
  /** The calls that were seen, with those that only faults led to. */
  readonly calls: readonly string[]
  /** Runs under faults. */
  readonly runs: number
  readonly seconds: number
  /** Sets of faults that were not run, by the reason. */
  readonly pruned: Pruned
  /** What stopped the hunt with sets left; left out when everything was tried. */
  readonly stoppedBy?: 'signal' | 'time' | 'runs'
  /** The least number of sets of faults that are left; 0 when everything was tried. */
  readonly left: number
  readonly table: HuntTable
  readonly warnings: readonly string[]
}

/** What becomes the result. */
export interface HuntOutcome
  extends Pick<HuntResult, 'command' | 'runOptions' | 'scenario' | 'seconds' | 'warnings' | 'stoppedBy'> {
  readonly result: DriveResult
  readonly known: ReadonlyMap<string, KnownCall>
  readonly table: HuntTable
  readonly replaySettings: ReplaySettings
  /** Writes the scenario file of a set of faults, and returns its name. */
  readonly writeFile: (faults: FaultSet, failure: FoundFailure) => string | undefined
}

export function buildResult(outcome: HuntOutcome): HuntResult {
  const { command, runOptions, scenario, seconds, warnings, stoppedBy, result, known, table } = outcome
  return {
    command,
    runOptions,
    scenario,
    failures: groupFindings(result.findings).map((group) => describeFailure(group, outcome)),
    calls: [...known.values()].map(({ label }) => label),
    runs: result.tried.length,
    seconds,
    pruned: result.pruned,
    ...(result.isCutShort && { stoppedBy: stoppedBy ?? 'runs' }),
    left: result.left,
    table,
    warnings,
  }
}

function describeFailure(group: FindingGroup, outcome: HuntOutcome): FoundFailure {
  // One file for each set, so that a replay of all files covers all that was found.
  const [file, ...otherFiles] = group.findings.flatMap((finding) => {
    const [alone] = groupFindings([finding])
    return outcome.writeFile(finding.faults, describeSets(alone!, outcome)) ?? []
  })
  return {
    ...describeSets(group, outcome),
    ...(file !== undefined && { file }),
    ...(otherFiles.length > 0 && { otherFiles }),
  }
}

function describeSets(group: FindingGroup, { result, known, replaySettings }: HuntOutcome): FoundFailure {
  const { size, lines } = describeGroup(group, known)
  const error = result.errors.get(group.findings[0]!.faults)
  return {
    size,
    faults: lines,
    error: messageOf(error),
    output: error instanceof CommandFailure ? error.lines : [],
    tokens: group.findings.map(({ faults }) => writeToken(faults, known, replaySettings)),
    findings: group.findings.map((finding) => result.findings.indexOf(finding)),
  }
}
