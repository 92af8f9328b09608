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
  const earlier = tokensFile === undefined ? undefined : readTokensFile(tokensFile, settings['report-file'])
  const service = await startService(settings)
  const calls = new StatusCounts()
  const sums = new TokenSums()
  service.mock.onExchange((entry) => calls.add(entry))
  service.mock.onExchange((entry) => sums.add(entry))
  for (const line of warningLines(service.warnings, settings.scenario)) printError(`api-mock: ${line}`)
  for (const line of describeNeededCalls(service.mock.scenario.source.expect)) printError(`api-mock: Warning: ${line}`)
  const paint = createColors(process.stderr)
  const watch = await logService(service, settings, { say: printError, paint, prefix: 'api-mock: ' })
  try {
    const startedAt = new Date()
    const exitCode = await runCommand(command, commandEnvironment(service))
    const ended = {
      exitCode,
      command: maskKeysIn(command.map(shellWord).join(' ')),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      version: manifest.version,
      calls,
      writeTokens: async () => tokensFile === undefined || writeTokensFile(tokensFile, sums.tokens, earlier),
    }
    await service.server.close(0)
    return await reportRun(service, targets, settings, ended)
  } catch (error) {
    await service.server.close(0)
    if (!(error instanceof NotRunError)) throw error
    printError(`api-mock: ${error.message}`)
    return error.exitCode
  } finally {
    watch?.close()
  }
}

/** The end of the command. `writeTokens` returns false if they could not be written. */
type EndedRun = PageReport['run'] & { readonly calls: StatusCounts; writeTokens(): Promise<boolean> }

/** The failures that the reports of a run name, and its exit code. */
function judgeRun(mock: Service['mock'], { conduct, cassettes }: RunSettings, exitCode: number) {
  const isStrict = conduct === 'strict'
  const engine = engineOf(mock)
  const report = buildMockReport(engine)
  const { dropped, withoutPayload } = engine.journal.missingCalls
  const ofRecordings = cassettes === 'strict' ? recordingFailures(report, dropped + withoutPayload) : undefined
  const failures = [...failuresOf(report, isStrict), ...(ofRecordings ?? [])]
  const gap = describeGap(dropped, report.calls, isStrict)
  const isFailed = failures.length > 0 || (isStrict && gap !== undefined)
  return { isStrict, report, ofRecordings, failures, gap, runCode: exitCode === 0 && isFailed ? 1 : exitCode }
}

/** Writes the reports, and returns the exit code of the run. */
async function reportRun(
  { mock }: Service,
  targets: readonly ReportTarget<RunSettings['report'][number]>[],
  settings: RunSettings,
  { calls, writeTokens, ...ended }: EndedRun,
): Promise<number> {
  const { exitCode } = ended
  const { name, seed } = mock.scenario
  const hint = calls.isEmpty ? '. Does the command read OPENAI_BASE_URL?' : ''
  // The seed lets a failure be repeated.
  printError(`api-mock: ${calls}, scenario ${name}, seed ${seed}${hint}`)
  const { isStrict, report, ofRecordings, failures, gap, runCode } = judgeRun(mock, settings, exitCode)
  const textOf = async (form: RunSettings['report'][number]): Promise<string> => {
    if (form !== 'html') return writeReport[form](report, isStrict, ofRecordings)
    const { formatHtml } = await import('../output/html-report.ts')
    const ofCommand = exitCode === 0 ? [] : [`the command ended with exit code ${exitCode}`]
    return formatHtml(
      {
        title: `Run with the scenario ${name}, seed ${seed}`,
        summary: String(calls),
        failures: [...ofCommand, ...failures, ...(isStrict && gap !== undefined ? [gap] : [])],
        run: { ...ended, exitCode: runCode },
        report,
      },
      engineOf(mock),
    )
  }
  const printed = targets.filter(({ file }) => file === undefined).map(({ form }) => form)
  const text = writeReport.pretty(report, isStrict)
  // The text for people is printed beside reports for programs, too; only `none` leaves it out.
  if (text !== '' && !printed.includes('none')) printError(text.replace(/^/gm, 'api-mock: '))
  for (const form of printed) {
    const other = form === 'pretty' ? '' : await textOf(form)
    if (other !== '') printError(other)
  }
  if (gap !== undefined) printError(`api-mock: ${gap}`)
  const isWritten = [await writeReports(targets, textOf), await writeTokens()].every(Boolean)
  if (exitCode !== 0) return exitCode
  const files = targets.flatMap(({ file }) => file ?? [])
  const details = files.length === 0 || !isWritten ? '' : `. See ${files.join(', ')}`
  if (failures.length > 0) printError(`api-mock: failed: ${failures.join(', ')}${details}`)
  return isWritten ? runCode : 1
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
