/** `api-mock run`: runs one command against a mock that lives as long as the command. */

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import manifest from '../../../package.json' with { type: 'json' }
import { maskKeysIn } from '../../core/lib/text/mask-keys.ts'
import { recordingFailures } from '../../core/report/changed-recordings.ts'
import { describeGap, failuresOf } from '../../core/report/client-report.ts'
import { describeNeededCalls } from '../../core/report/expectations.ts'
import type { PageReport } from '../../core/report/page-report.ts'
import { TokenSums } from '../../core/report/token-sums.ts'
import { writeReport } from '../../core/report/write-report.ts'
import { buildMockReport, engineOf } from '../../engine/index.ts'
import { NotRunError } from '../../play/index.ts'
import { commandEnvironment } from '../../server/index.ts'
import { pairReports, type ReportTarget, writeReports } from '../../terminal/report-targets.ts'
import { createColors, printError, shellWord } from '../../terminal/text.ts'
import type { RunSettings } from '../args/command-options.ts'
import { warningLines } from '../output/log-entries.ts'
import { StatusCounts } from '../output/status-counts.ts'
import { readTokensFile, writeTokensFile } from '../output/tokens-file.ts'
import { logService, type Service, startService } from '../service.ts'

/**
 * Runs the command against a mock.
 * @returns the exit code of the run: the command's own (126 or 127 if it cannot start), or 1 if a report fails a command that
 * passed or cannot be written
 */
export async function run(command: readonly string[], settings: RunSettings): Promise<number> {
  const targets = pairReports(settings.report, settings['report-file'])
  const tokensFile = settings['tokens-file']
  const tokensBefore = tokensFile === undefined ? undefined : readTokensFile(tokensFile, settings['report-file'])
  const service = await startService(settings)
  const { mock, server, warnings } = service
  const calls = new StatusCounts()
  const sums = new TokenSums()
  mock.onExchange((entry) => calls.add(entry))
  mock.onExchange((entry) => sums.add(entry))
  for (const line of warningLines(warnings, settings.scenario)) printError(`api-mock: ${line}`)
  for (const line of describeNeededCalls(mock.scenario.source.expect)) printError(`api-mock: Warning: ${line}`)
  const paint = createColors(process.stderr)
  const watch = await logService(service, settings, { say: printError, paint, prefix: 'api-mock: ' })
  try {
    const startedAt = new Date()
    const exitCode = await runCommand(command, commandEnvironment(service))
    const ended: EndedRun = {
      exitCode,
      command: maskKeysIn(command.map(shellWord).join(' ')),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      version: manifest.version,
      calls,
      writeTokens: async () => tokensFile === undefined || writeTokensFile(tokensFile, sums.tokens, tokensBefore),
    }
    await server.close(0)
    return await reportRun(mock, ended, targets, settings)
  } catch (error) {
    await server.close(0)
    if (!(error instanceof NotRunError)) throw error
    printError(`api-mock: ${error.message}`)
    return error.exitCode
  } finally {
    watch?.close()
  }
}

/** A run whose command has ended with `exitCode`. */
interface EndedRun extends RunFacts {
  readonly calls: StatusCounts
  /** Writes `--tokens-file`. Returns false if it could not be written. */
  writeTokens(): Promise<boolean>
}
type RunFacts = PageReport['run']
type ReportForm = RunSettings['report'][number]

/** Prints and writes the reports, and returns the exit code of the run. */
async function reportRun(
  mock: Service['mock'],
  { calls, writeTokens, ...facts }: EndedRun,
  targets: readonly ReportTarget<ReportForm>[],
  settings: RunSettings,
): Promise<number> {
  const { exitCode } = facts
  const { name, seed } = mock.scenario
  const hint = calls.isEmpty ? '. Does the command read OPENAI_BASE_URL?' : ''
  // The seed lets a failure be repeated.
  printError(`api-mock: ${calls}, scenario ${name}, seed ${seed}${hint}`)

  const verdict = judgeRun(mock, settings, exitCode)
  const { report, isStrict, failures, gap } = verdict
  const textOf = (form: ReportForm): string | Promise<string> => {
    if (form === 'html') return formatPage(mock, String(calls), facts, verdict)
    return writeReport[form](report, isStrict, verdict.recordingFailures)
  }
  const printed = targets.filter(({ file }) => file === undefined).map(({ form }) => form)
  // The text for people is printed beside reports for programs, too; only `none` leaves it out.
  const text = printed.includes('none') ? '' : writeReport.pretty(report, isStrict)
  if (text !== '') printError(text.replace(/^/gm, 'api-mock: '))
  for (const form of printed) {
    const forPrograms = form === 'pretty' ? '' : await textOf(form)
    if (forPrograms !== '') printError(forPrograms)
  }
  if (gap !== undefined) printError(`api-mock: ${gap}`)

  const areReportsWritten = await writeReports(targets, textOf)
  const isWritten = (await writeTokens()) && areReportsWritten
  if (exitCode !== 0) return exitCode
  const files = targets.flatMap(({ file }) => file ?? [])
  const details = files.length === 0 || !isWritten ? '' : `. See ${files.join(', ')}`
  if (failures.length > 0) printError(`api-mock: failed: ${failures.join(', ')}${details}`)
  return isWritten ? verdict.exitCode : 1
}

/** The verdict on a run whose command has ended with `commandCode`. */
function judgeRun(mock: Service['mock'], { conduct, cassettes }: RunSettings, commandCode: number) {
  const isStrict = conduct === 'strict'
  const engine = engineOf(mock)
  const report = buildMockReport(engine)
  const { dropped, withoutPayload } = engine.journal.missingCalls
  // Undefined if recordings cannot fail the run.
  const ofRecordings = cassettes === 'strict' ? recordingFailures(report, dropped + withoutPayload) : undefined
  const failures = [...failuresOf(report, isStrict), ...(ofRecordings ?? [])]
  const gap = describeGap(dropped, report.calls, isStrict)
  const isFailed = failures.length > 0 || (isStrict && gap !== undefined)
  const exitCode = commandCode === 0 && isFailed ? 1 : commandCode
  return { isStrict, report, recordingFailures: ofRecordings, failures, gap, exitCode }
}

/** The report as a page. */
async function formatPage(
  mock: Service['mock'],
  summary: string,
  facts: RunFacts,
  { isStrict, report, failures, gap, exitCode }: ReturnType<typeof judgeRun>,
): Promise<string> {
  const { formatHtml } = await import('../output/html-report.ts')
  const { name, seed } = mock.scenario
  const ofCommand = facts.exitCode === 0 ? [] : [`the command ended with exit code ${facts.exitCode}`]
  const ofGap = isStrict && gap !== undefined ? [gap] : []
  const page = {
    title: `Run with the scenario ${name}, seed ${seed}`,
    summary,
    failures: [...ofCommand, ...failures, ...ofGap],
    run: { ...facts, exitCode },
    report,
  }
  return formatHtml(page, engineOf(mock))
}

/** Resolves with the exit code of the command, which decides how it ends: signals are passed on to it. */
function runCommand([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env })
    // A terminal sends Ctrl-C to the command too; a second one makes many programs skip their clean-up.
    const forwardInterrupt = (): void => void (process.stdin.isTTY || child.kill('SIGINT'))
    const forwardTermination = (): void => void child.kill('SIGTERM')
    process.on('SIGINT', forwardInterrupt)
    process.on('SIGTERM', forwardTermination)
    const stopForwarding = (): void => {
      process.off('SIGINT', forwardInterrupt)
      process.off('SIGTERM', forwardTermination)
    }
    child.once('error', (error) => {
      stopForwarding()
      reject(new NotRunError(program, error))
    })
    child.once('exit', (code, signal) => {
      stopForwarding()
      resolve(code ?? 128 + constants.signals[signal!])
    })
  })
}
