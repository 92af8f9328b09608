/**
 * `api-mock hunt`: finds the smallest sets of faults under which a command fails. `api-mock hunt -- node agent.js` runs
 * `node agent.js` without faults, then under each set, saves a scenario file for each cause, and prints a report.
 */

import { outputReports, pairReports } from '../../terminal/report-targets.ts'
import { createColors, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { type Cause, groupCauses } from '../causes.ts'
import { describeCause } from '../describe-cause.ts'
import { drive, type Hunted, type PlayedFinding } from '../drive.ts'
import { writeToken } from '../fault-token.ts'
import { watchCatchBlocks } from './catch-blocks.ts'
import { basisOf, readEarlierHunt } from './earlier-hunt.ts'
import type { HuntSettings } from './hunt-options.ts'
import type { FoundFailure, HuntResult } from './hunt-result.ts'
import { HuntSession } from './hunt-session.ts'
import { formatProgress } from './progress-line.ts'
import { saveReproduction } from './reproduction-files.ts'
import { settingTexts } from './saved-settings.ts'
import { writeHuntReport } from './write-hunt-report.ts'

/** Returns the exit code: 1 when the command fails under faults, or a report says so or is missing; 2 when nothing was tried. */
export async function huntCommand(command: readonly string[], settings: HuntSettings): Promise<number> {
  if (settings.replay !== undefined || settings['replay-all'] || settings.bisect)
    return (await import('./replay-command.ts')).replayCommand(command, settings)
  const { faults, depth, runs, jobs, exhaustive, only, bytes, since } = settings
  if (bytes && only !== 'cuts') throw new UsageError('--bytes: expected --only cuts with it.')
  if (since !== undefined && only === 'cuts') throw new UsageError('--since: expected no --only cuts with it.')
  const basis = basisOf(command, settings)
  const earlier = since === undefined ? {} : readEarlierHunt(since, basis)
  // Also in the report. A hunt can take long, and this can be a misspelt name.
  if (earlier.warning !== undefined) printError(earlier.warning)
  const readCatchBlocks = watchCatchBlocks()
  const targets = pairReports(settings.report, settings['report-file'])
  return HuntSession.use(command, settings, async (session) => {
    const startedAt = performance.now()
    const maxSize = only === 'cuts' ? 1 : depth
    const driven = await drive(session, {
      hunted: COMMAND,
      faults,
      depth,
      maxRuns: runs,
      jobs,
      isExhaustive: exhaustive,
      skipOutages: settings['skip-outages'],
      kept: earlier.kept,
      // Each run takes long here, so only --exhaustive tries every place.
      cuts: only === 'cuts' ? { bytes, strategy: exhaustive ? 'all' : 'bisect' } : undefined,
      onProgress: (progress, now) =>
        session.progress.show(formatProgress(progress, now, session.known, { maxSize, startedAt })),
    })
    session.progress.clear()
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const warnings = earlier.warning === undefined ? [] : [earlier.warning]
    const hunt = saveAndSumUp(driven, session, settings, { seconds, basis, warnings, catchBlocks: readCatchBlocks?.() })
    // If no report for people is on stdout, it is printed to stderr; the form `none` asks for none at all.
    const isForPeople = targets.some(({ form, file }) => file === undefined && (form === 'pretty' || form === 'none'))
    if (!isForPeople) printError(writeHuntReport.pretty(hunt, createColors(process.stderr)))
    const isWritten = await outputReports(targets, (form, paint) => writeHuntReport[form](hunt, paint))
    if (hunt.failures.length > 0 || hunt.shortfall !== undefined || !isWritten) return 1
    const hasTriedNothing = hunt.stoppedBy !== undefined && hunt.runs === 0
    return hasTriedNothing ? 2 : 0
  })
}

/**
 * Saves a scenario file for each cause of a search, and sums it up for reports.
 * @param facts what the search does not know
 */
function saveAndSumUp(
  { findings, report, isCutShort, left }: Awaited<ReturnType<typeof drive>>,
  session: HuntSession,
  { scenario, 'min-coverage': least = 0 }: HuntSettings,
  facts: Pick<HuntResult, 'seconds' | 'basis' | 'warnings' | 'catchBlocks'>,
): HuntResult {
  const { percent } = report.coverage
  const { signal, exitCode } = session.interruption
  const interruptedBy = exitCode === undefined ? 'time' : 'signal'
  const unnoticed = report.table.rows.flatMap(({ call, label, cells }) => {
    const faults = cells.flatMap(({ answers }) => answers?.unnoticed ?? [])
    if (faults.length === 0) return []
    const what = `call ${call} (${label}) got a wrong answer, and nothing showed it: ${faults.join(', ')}`
    return `Warning: ${what}. The command passed, and asked and printed the same. Let a test check the answer.`
  })
  return {
    command: session.command,
    runOptions: session.runOptions,
    scenario,
    failures: groupCauses(findings).map((cause) => saveCause(cause, session, findings)),
    seconds: facts.seconds,
    ...report,
    ...(isCutShort && { stoppedBy: signal.aborted ? interruptedBy : 'runs' }),
    left,
    basis: facts.basis,
    warnings: [...session.warnings, ...facts.warnings, ...unnoticed],
    ...(percent < least && { shortfall: `The fault coverage of ${percent} % is below --min-coverage ${least}.` }),
    catchBlocks: facts.catchBlocks,
  }
}

const COMMAND: Hunted = {
  name: 'the command',
  callsHint: 'Does it read OPENAI_BASE_URL and OPENAI_API_KEY?',
  option: (name, values) => values.map((value) => `--${name} '${value}'`).join(' '),
}

/**
 * Describes a cause, and saves a scenario file for it.
 * @param all the findings of all causes: the failure names its own by their indices there, as the table does
 */
function saveCause(cause: Cause, session: HuntSession, all: readonly PlayedFinding[]): FoundFailure {
  const { settings, known } = session
  const findings = cause.groups.flatMap((group) => group.findings)
  const { faults } = findings[0]!
  const failure: FoundFailure = {
    ...describeCause(cause, known, '--skip-outages'),
    tokens: findings.map(({ faults }) => writeToken(faults, known, settingTexts(settings))),
    findings: findings.map((finding) => all.indexOf(finding)),
    // By identity: a finding has the array that the session has played.
    drawnCalls: session.failedRuns.get(faults) ?? [],
  }
  // The first group shows the cause. The others repeat it on other calls, and need no replay.
  const tokens = failure.tokens.slice(0, cause.groups[0].findings.length)
  return saveReproduction(session, session.source, faults, failure, tokens)
}
