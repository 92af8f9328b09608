/** `api-mock run`: runs one command against a mock that lives as long as the command. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { describeGap, failuresOf } from '../../core/report/client-report.ts'
import { writeReport } from '../../core/report/write-report.ts'
import { buildMockReport, engineOf } from '../../engine/index.ts'
import { NotRunError } from '../../hunt/index.ts'
import { commandEnvironment } from '../../server/index.ts'
import { checkWritable, writeReportFile } from '../../terminal/output-file.ts'
import { createColors, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { RunSettings } from '../args/command-options.ts'
import { warningLines } from '../output/log-entries.ts'
import { StatusCounts } from '../output/status-counts.ts'
import { logService, type Service, startService } from '../service.ts'

// The report covers all calls of a test suite, or the last of them if there are more than these.
const JOURNAL = { entries: 100_000, bytes: 64_000_000 }

/** Runs the command against a mock and returns the command's exit code. */
export async function run(command: readonly string[], settings: RunSettings): Promise<number> {
  const { report, 'report-file': reportFile, scenario } = settings
  if (report === 'html' && reportFile === undefined) {
    throw new UsageError('--report: html needs a file. Add --report-file report.html')
  }
  if (reportFile !== undefined) checkWritable(reportFile)
  const service = await startService(settings, JOURNAL)
  const calls = new StatusCounts()
  service.mock.onExchange((entry) => calls.add(entry))
  for (const line of warningLines(service.warnings, scenario)) printError(`api-mock: ${line}`)
  const paint = createColors(process.stderr)
  const watch = await logService(service, settings, { say: printError, paint, prefix: 'api-mock: ' })
  try {
    const exitCode = await runCommand(command, commandEnvironment(service))
    await service.server.close(0)
    return await reportRun(service, settings, { calls, exitCode })
  } catch (error) {
    await service.server.close(0)
    if (!(error instanceof NotRunError)) throw error
    printError(`api-mock: ${error.message}`)
    return error.exitCode
  } finally {
    watch?.close()
  }
}

/** Writes the report, and returns the exit code of the run. */
async function reportRun(
  { mock }: Service,
  { report: format, 'report-file': reportFile, conduct }: RunSettings,
  { calls, exitCode }: { readonly calls: StatusCounts; readonly exitCode: number },
): Promise<number> {
  const engine = engineOf(mock)
  const { name, seed } = mock.scenario
  const hint = calls.isEmpty ? '. Does the command read OPENAI_BASE_URL?' : ''
  // The seed lets a failure be repeated.
  printError(`api-mock: ${calls}, scenario ${name}, seed ${seed}${hint}`)
  const report = buildMockReport(engine)
  const isStrict = conduct === 'strict'
  const failures = failuresOf(report, isStrict)
  const gap = describeGap(engine.journal.missingCalls.dropped, report.calls, isStrict)
  const isGapFailure = isStrict && gap !== undefined
  let text: string
  if (format === 'html') {
    const { formatHtml } = await import('../output/html-report.ts')
    const ofCommand = exitCode === 0 ? [] : [`the command ended with exit code ${exitCode}`]
    const run = {
      title: `Run with the scenario ${name}, seed ${seed}`,
      summary: String(calls),
      failures: [...ofCommand, ...failures, ...(isGapFailure ? [gap] : [])],
      report,
    }
    text = await formatHtml(run, engine)
  } else text = writeReport[format](report, isStrict)
  const isWritten = reportFile === undefined || writeReportFile(reportFile, text)
  if (reportFile === undefined && text !== '')
    printError(format === 'pretty' ? text.replace(/^/gm, 'api-mock: ') : text)
  if (gap !== undefined) printError(`api-mock: ${gap}`)
  if (exitCode !== 0) return exitCode
  const details = reportFile === undefined || !isWritten ? '' : `. See ${reportFile}`
  if (failures.length > 0) printError(`api-mock: failed: ${failures.join(', ')}${details}`)
  return !isWritten || failures.length > 0 || isGapFailure ? 1 : 0
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
