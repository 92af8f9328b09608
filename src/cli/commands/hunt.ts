/** `api-mock hunt`: finds the smallest sets of faults under which a command fails. */
import { isMockError } from '../../core/errors/mock-error.ts'
import { describeFault } from '../../core/hunt/describe.ts'
import type { FaultSet } from '../../core/hunt/fault-set.ts'
import type { KnownCall } from '../../core/hunt/observe.ts'
import { withFaults } from '../../core/hunt/reproduce.ts'
import type { Progress } from '../../core/hunt/search.ts'
import { type DriveResult, drive } from '../../hunt/drive.ts'
import { buildResult, type FoundFailure } from '../../hunt/hunt-result.ts'
import { CommandFailure } from '../../hunt/processes/command-failure.ts'
import type { ReplaySettings } from '../../hunt/replay-token.ts'
import { writeReproduction } from '../../hunt/reproduction-file.ts'
import type { HuntSettings } from '../args/options.ts'
import { createColors } from '../output/colors.ts'
import { HuntProgress } from '../output/hunt-progress.ts'
import { titleOf, writeHuntReport } from '../output/hunt-report.ts'
import { checkWritable, writeReportFile } from '../output/report-file.ts'
import { countOf, shellWord } from '../output/text.ts'
import { describeBaselineFailure, HuntSession } from './hunt-session.ts'

const COMMAND = { name: 'the command', callsHint: 'Does it read OPENAI_BASE_URL and OPENAI_API_KEY?' }

/** Returns the exit code: 1 when the command fails under faults. */
export async function hunt(command: readonly string[], settings: HuntSettings): Promise<number> {
  if (settings.replay !== undefined || settings['replay-all'])
    return (await import('./hunt-replay.ts')).replay(command, settings)
  const { 'report-file': reportFile, report: format } = settings
  if (reportFile !== undefined) checkWritable(reportFile)
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
      classes: settings.faults,
      replaySettings: replaySettingsOf(settings),
      writeFile: (group, failure) => writeFile(session, command, settings, group.findings[0]!.faults, failure),
    })
    const text = writeHuntReport[format](report, createColors(process.stdout))
    const isWritten = reportFile === undefined || writeReportFile(reportFile, text)
    if (reportFile === undefined && text !== '') process.stdout.write(`${text}\n`)
    return exitCode ?? (report.failures.length > 0 || !isWritten ? 1 : 0)
  } finally {
    progress.clear()
    session.close()
  }
}

async function search(session: HuntSession, settings: HuntSettings, progress: HuntProgress): Promise<DriveResult> {
  const { faults: classes, depth, runs: maxRuns, jobs, exhaustive } = settings
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
      signal: session.interruption.signal,
      onProgress: (reached, now) => progress.show(formatProgress(reached, now, session.known)),
    })
  } catch (error) {
    if (!isMockError(error, 'fails-without-faults') || !(error.cause instanceof CommandFailure)) throw error
    throw describeBaselineFailure(error.message, error.cause)
  }
}

/** `34 tried, 1 found, 12 pruned, 40 left. Now: call 2 (POST chat "Hello", every attempt): hang` */
function formatProgress(
  { tried, found, pruned, left }: Progress,
  now: readonly FaultSet[],
  known: ReadonlyMap<string, KnownCall>,
): string {
  const [first = []] = now
  if (first.length === 0) return 'Running the command without faults, twice.'
  const what = first.map((fault) => describeFault(fault, known)).join(' and ')
  const more = now.length > 1 ? `, and ${now.length - 1} more` : ''
  return `${tried} tried, ${found} found, ${pruned} pruned, ${left} left. Now: ${what}${more}`
}

/** What a replay has to know, where it differs from the defaults. */
const replaySettingsOf = ({ scenario, seed, identity, ignore }: HuntSettings): ReplaySettings => ({
  ...(scenario !== 'default' && { scenario }),
  ...(seed !== undefined && { seed }),
  ...(identity !== 'exact' && { identity }),
  ignore,
})

function reportNothing(exitCode: number | undefined): number {
  process.stderr.write('api-mock: Stopped before the command had run without faults. Nothing was tried.\n')
  return exitCode ?? 2
}

function warningsOf({ leftOvers: { runs, example } }: HuntSession): string[] {
  if (example === undefined) return []
  const command = example.command === '' ? `process ${example.pid}` : `'${example.command}'`
  return [
    `Warning: the command left processes running in ${countOf(runs, 'run')}, such as ${command}. They were ended.`,
  ]
}

function writeFile(
  { source, known, scenario }: HuntSession,
  command: readonly string[],
  { seed, 'fail-on': failOn }: HuntSettings,
  faults: FaultSet,
  failure: FoundFailure,
): string | undefined {
  const words = command.map(shellWord).join(' ')
  try {
    return writeReproduction({
      faults: faults.map(({ fault }) => fault.replace(/;.*$/, '')),
      identity: `${failure.tokens[0]} ${words}`,
      about: [
        `Found by api-mock hunt. Under this scenario, ${words} fails.`,
        titleOf(failure),
        ...failure.faults.map((line) => `  ${line}`),
        `Base scenario: ${scenario}`,
        `Reproduce: api-mock run${failOn === 'conduct' ? ' --conduct strict' : ''} --scenario <file> -- ${words}`,
        `Replay: api-mock hunt --replay ${failure.tokens[0]} -- ${words}`,
      ],
      source: { ...withFaults(source, faults, known), ...(seed !== undefined && { seed }) },
    })
  } catch (error) {
    process.stderr.write(`api-mock: Failed to write the scenario file: ${(error as Error).message}.\n`)
    return undefined
  }
}
