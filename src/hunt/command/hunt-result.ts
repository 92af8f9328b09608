/** Builds the result of a hunt for a command. */
import { describeGroup } from '../describe-findings.ts'
import type { DriveResult, PlayedFinding } from '../drive.ts'
import { type FindingGroup, groupFindings } from '../search/finding-groups.ts'
import type { FoundFailure, HuntResult } from './hunt-report.ts'
import type { HuntSession } from './hunt-session.ts'
import { runOptionsOf, settingTexts, writeToken } from './replay-token.ts'
import { saveReproduction } from './reproduction-file.ts'

/** Builds the result, and saves a scenario file for each set of faults under which the command failed. */
export function buildResult(result: DriveResult, session: HuntSession, seconds: number): HuntResult {
  const { command, settings, interruption, known, warnings } = session
  const replaySettings = settingTexts(settings)
  const describe = (group: FindingGroup<PlayedFinding>): FoundFailure => ({
    ...describeGroup(group, known),
    tokens: group.findings.map(({ faults }) => writeToken(faults, known, replaySettings)),
    findings: group.findings.map((finding) => result.findings.indexOf(finding)),
  })
  const failures = groupFindings(result.findings).map((group): FoundFailure => {
    // One file for each set, so that a replay of all files covers all that was found.
    const [file, ...otherFiles] = group.findings.flatMap((finding) => {
      const [alone] = groupFindings([finding])
      return saveReproduction(session, session.source, finding.faults, describe(alone!)) ?? []
    })
    return {
      ...describe(group),
      ...(file !== undefined && { file }),
      ...(otherFiles.length > 0 && { otherFiles }),
    }
  })
  const stoppedBy = interruption.exitCode === undefined ? 'time' : 'signal'
  return {
    command,
    runOptions: runOptionsOf(settings),
    scenario: settings.scenario,
    failures,
    seconds,
    ...result.report,
    ...(result.isCutShort && { stoppedBy: interruption.signal.aborted ? stoppedBy : 'runs' }),
    left: result.left,
    warnings,
  }
}
