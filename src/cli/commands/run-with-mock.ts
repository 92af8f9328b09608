/**
 * `api-mock run`: runs one command against a mock that lives as long as the command, and reports on its calls.
 *
 *     api-mock: 4 calls (1 x 200, 1 x 400, 2 x 429), scenario rate-limited, seed 1
 *     api-mock: mistake early-retry of POST /v1/chat/completions 'Hi' (key sk****st): #3 came 92 ms after the 429 of #2, ...
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { recordingFailures } from '../../core/report/changed-recordings.ts'
import { describeGap, failuresOf } from '../../core/report/client-report.ts'
import { describeNeededCalls } from '../../core/report/expectations.ts'
import { TokenSums } from '../../core/report/token-sums.ts'
import { writeReport } from '../../core/report/write-report.ts'
import { buildMockReport, engineOf } from '../../engine/index.ts'
import { NotRunError } from '../../play/index.ts'
import { commandEnvironment } from '../../server/index.ts'
import { outputReports, pairReports } from '../../terminal/report-targets.ts'
import { createColors, printError } from '../../terminal/text.ts'
import type { RunSettings } from '../args/command-options.ts'
import { warningLines } from '../output/log-entries.ts'
import { StatusCounts } from '../output/status-counts.ts'
import { readTokensFile, writeTokensFile } from '../output/tokens-file.ts'
import { logAndWatch, type Service, startService } from '../service.ts'

/**
 * Runs the command against a mock, and reports on its calls.
 * @returns the exit code of the run: the command's own (126 or 127 if it cannot start), or 1 if a report fails a command that
 * passed or cannot be written
 */
export async function run(command: readonly string[], settings: RunSettings): Promise<number> {
  const targets = pairReports(settings.report, settings['report-file'])
  const tokensFile = settings['tokens-file']
  const tokensBefore = tokensFile === undefined ? undefined : readTokensFile(tokensFile, settings['report-file'])
  const service = await startService(settings)
  const { mock } = service
  // Counted as the calls end: the journal may drop some of them before the run ends.
  const statusCounts = new StatusCounts()
  const tokenSums = new TokenSums()
  mock.onExchange((entry) => statusCounts.add(entry))
  mock.onExchange((entry) => tokenSums.add(entry))
  for (const line of warningLines(service.warnings, settings.scenario)) printError(`api-mock: ${line}`)
  for (const line of describeNeededCalls(mock.scenario.source.expect)) printError(`api-mock: Warning: ${line}`)
  const paint = createColors(process.stderr)
  const watch = await logAndWatch(service, settings, { say: printError, paint, prefix: 'api-mock: ' })
  const startedAt = new Date()
  try {
    const exitCode = await runToExit(command, commandEnvironment(service)).finally(() => service.server.close(0))
    const { name, seed } = mock.scenario
    const hint = statusCounts.isEmpty ? '. Does the command read OPENAI_BASE_URL?' : ''
    // The seed lets a failure be repeated.
    printError(`api-mock: ${statusCounts}, scenario ${name}, seed ${seed}${hint}`)

    const verdict = judgeRun(mock, settings)
    const { report, isStrict, failures, gap } = verdict
    // The text for people is printed beside reports for programs too: only `none` leaves it out.
    const printed = targets.filter(({ file }) => file === undefined).map(({ form }) => form)
    const forPeople = printed.includes('none') ? '' : writeReport.pretty(report, isStrict)
    if (forPeople !== '') printError(forPeople.replace(/^/gm, 'api-mock: '))
    if (gap !== undefined) printError(`api-mock: ${gap}`)
    const others = targets.filter(({ form, file }) => form !== 'pretty' || file !== undefined)
    const textOf = (form: RunSettings['report'][number]): string | Promise<string> => {
      if (form !== 'html') return writeReport[form](report, isStrict, verdict.recordingFailures)
      return formatPage(mock, verdict, { command, startedAt, exitCode, summary: String(statusCounts) })
    }
    const areReportsWritten = await outputReports(others, textOf, process.stderr)
    const areTokensWritten =
      tokensFile === undefined || (await writeTokensFile(tokensFile, tokenSums.tokens, tokensBefore))
    const isWritten = areReportsWritten && areTokensWritten

    // A command that failed has said why.
    if (exitCode === 0 && failures.length > 0) {
      const files = targets.flatMap(({ file }) => file ?? [])
      const details = files.length === 0 || !isWritten ? '' : `. See ${files.join(', ')}`
      printError(`api-mock: failed: ${failures.join(', ')}${details}`)
    }
    return exitCode || Number(!verdict.isPassed || !isWritten)
  } catch (error) {
    if (!(error instanceof NotRunError)) throw error
    printError(`api-mock: ${error.message}`)
    return error.exitCode
  } finally {
    watch?.close()
  }
}

/** Resolves with the exit code of the command, which decides how it ends: signals are passed on to it. */
async function runToExit([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to the command too; a second one makes many programs skip their clean-up.
  const forwardInterrupt = (): void => void (process.stdin.isTTY || child.kill('SIGINT'))
  const forwardTermination = (): void => void child.kill('SIGTERM')
  process.on('SIGINT', forwardInterrupt)
  process.on('SIGTERM', forwardTermination)
  try {
    const [code, signal] = (await once(child, 'exit')) as [number, null] | [null, NodeJS.Signals]
    return code ?? 128 + constants.signals[signal]
  } catch (error) {
    throw new NotRunError(program, error as NodeJS.ErrnoException)
  } finally {
    process.off('SIGINT', forwardInterrupt)
    process.off('SIGTERM', forwardTermination)
  }
}

/** The verdict on the calls of a run. */
function judgeRun(mock: Service['mock'], { conduct, cassettes }: RunSettings) {
  const isStrict = conduct === 'strict'
  const engine = engineOf(mock)
  const report = buildMockReport(engine.view)
  const { dropped, withoutPayload } = engine.journal
  const ofRecordings = cassettes === 'strict' ? recordingFailures(report, dropped + withoutPayload) : undefined
  const failures = [...failuresOf(report, isStrict), ...(ofRecordings ?? [])]
  const gap = describeGap(dropped, report.calls, isStrict)
  return {
    report,
    /** True if a mistake of the client fails the run. */
    isStrict,
    /** All reasons why the run fails, each as a clause, but for the gap. */
    failures,
    /** Those of them that are recordings; undefined if recordings cannot fail it. */
    recordingFailures: ofRecordings,
    /** The note on calls that the report does not cover; they fail a strict run. */
    gap,
    isPassed: failures.length === 0 && !(isStrict && gap !== undefined),
  }
}

/** The report as a page. @param run what ran, and the exit code of the command */
async function formatPage(
  mock: Service['mock'],
  { isStrict, report, failures, gap, isPassed }: ReturnType<typeof judgeRun>,
  run: { command: readonly string[]; startedAt: Date; exitCode: number; summary: string },
): Promise<string> {
  const { describeRun, formatHtml } = await import('../output/html-report.ts')
  const { command, startedAt, exitCode, summary } = run
  const { name, seed } = mock.scenario
  const title = `Run with the scenario ${name}, seed ${seed}`
  const allFailures = [...failures]
  if (exitCode !== 0) allFailures.unshift(`the command ended with exit code ${exitCode}`)
  if (isStrict && gap !== undefined) allFailures.push(gap)
  const description = describeRun(command, startedAt, exitCode || Number(!isPassed))
  return formatHtml({ title, summary, failures: allFailures, run: description, report }, engineOf(mock))
}
