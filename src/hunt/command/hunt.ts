/** `api-mock hunt`: finds the smallest sets of faults under which a command fails. */
import { isMockError } from '../../core/protocol/errors/mock-error.ts'
import { createColors } from '../../terminal/colors.ts'
import { checkWritable, writeReportFile } from '../../terminal/output-file.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { type DriveResult, drive } from '../drive.ts'
import { buildResult } from '../hunt-result.ts'
import { CommandFailure } from '../processes/command-failure.ts'
import { checkHuntFolder } from '../reproduction-file.ts'
import { CUT_ENDS, endOf } from '../search/cuts.ts'
import { describeFault } from '../search/describe.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { KnownCall } from '../search/observe.ts'
import type { Progress } from '../search/search.ts'
import { buildTable } from '../search/table.ts'
import type { HuntSettings } from './hunt-options.ts'
import { HuntProgress } from './hunt-progress.ts'
import { writeHuntReport } from './hunt-report.ts'
import { describeBaselineFailure, HuntSession } from './hunt-session.ts'
import { replaySettingsOf, saveReproduction, warningsOf } from './save-reproduction.ts'
import { runOptionsOf } from './verdict-settings.ts'

const COMMAND = { name: 'the command', callsHint: 'Does it read OPENAI_BASE_URL and OPENAI_API_KEY?' }

/** Returns the exit code: 1 when the command fails under faults. */
export async function hunt(command: readonly string[], settings: HuntSettings): Promise<number> {
  if (settings.replay !== undefined || settings['replay-all'])
    return (await import('./hunt-replay.ts')).replay(command, settings)
  const { 'report-file': reportFile, report: format } = settings
  if (settings.bytes && settings.only !== 'cuts') throw new UsageError('--bytes: expected --only cuts with it.')
  if (reportFile !== undefined) checkWritable(reportFile)
  checkHuntFolder()
  const session = await HuntSession.open(command, settings)
  const progress = new HuntProgress()
  const startedAt = performance.now()
  try {
    const result = await search(session, settings, progress)
    progress.clear()
    const { exitCode } = session.interruption
    if (session.known.size === 0) return reportNothing(exitCode)
    const report = buildResult({
      command,
      scenario: session.scenario,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      warnings: warningsOf(session),
      ...(session.interruption.signal.aborted && { stoppedBy: exitCode === undefined ? 'time' : 'signal' }),
      result,
      known: session.known,
      table:
        settings.only === 'cuts'
          ? buildTable(result, session.known, CUT_ENDS, endOf)
          : buildTable(result, session.known, settings.faults),
      runOptions: runOptionsOf(settings),
      replaySettings: replaySettingsOf(settings),
      writeFile: (faults, failure) => saveReproduction(session, session.source, faults, failure),
    })
    const text = writeHuntReport[format](report, createColors(process.stdout))
    const isWritten = reportFile === undefined || writeReportFile(reportFile, text)
    if (reportFile === undefined && text !== '') process.stdout.write(`${text}\n`)
    if (report.failures.length > 0 || !isWritten) return exitCode ?? 1
    const hasTriedNothing = report.stoppedBy !== undefined && report.runs === 0
    return exitCode ?? (hasTriedNothing ? 2 : 0)
  } finally {
    progress.clear()
    session.close()
  }
}

async function search(session: HuntSession, settings: HuntSettings, progress: HuntProgress): Promise<DriveResult> {
  const { faults: classes, depth, runs: maxRuns, jobs, exhaustive, only, bytes } = settings
  try {
    return await drive({
      hunted: COMMAND,
      play: (faults) => session.play(faults),
      known: session.known,
      identity: session.identity,
      faultsFor: () => classes,
      depth,
      maxRuns,
      jobs,
      isExhaustive: exhaustive,
      // Each run takes long here, so only --exhaustive tries every place.
      ...(only === 'cuts' && { cuts: { bytes, strategy: exhaustive ? 'all' : 'bisect' } }),
      signal: session.interruption.signal,
      onProgress: (reached, now) => progress.show(formatProgress(reached, now, session.known)),
    })
  } catch (error) {
    if (!isMockError(error, 'fails-without-faults') || !(error.cause instanceof CommandFailure)) throw error
    throw describeBaselineFailure(error.message, error.cause)
  }
}

/** `34 tried, 1 failing, 12 pruned, 40 left. Now: call 2 (POST chat "Hello", every attempt): hang` */
function formatProgress(
  { tried, found, pruned, left }: Progress,
  now: readonly FaultSet[],
  known: ReadonlyMap<string, KnownCall>,
): string {
  const [first = []] = now
  if (first.length === 0) return 'Running the command without faults, twice.'
  const what = first.map((fault) => describeFault(fault, known)).join(' and ')
  const more = now.length > 1 ? `, and ${now.length - 1} more` : ''
  return `${tried} tried, ${found} failing, ${pruned} pruned, ${left} left. Now: ${what}${more}`
}

function reportNothing(exitCode: number | undefined): number {
  const why =
    exitCode === undefined
      ? '--time ended the hunt before the command had run without faults. Raise --time.'
      : 'Stopped before the command had run without faults.'
  process.stderr.write(`api-mock: ${why} Nothing was tried.\n`)
  return exitCode ?? 2
}
