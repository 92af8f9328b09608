/** `api-mock run`: runs one command against a mock that lives as long as the command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { describeGap, failuresOf } from '../../core/report/client-report.ts'
import type { PageReport } from '../../core/report/page-report.ts'
import { writeReport } from '../../core/report/write-report.ts'
import { engineOf } from '../../engine/mock.ts'
import { buildMockReport } from '../../engine/mock-report.ts'
import { NotRunError } from '../../hunt/processes/not-run-error.ts'
import { commandEnvironment } from '../../server/command-environment.ts'
import { createColors } from '../../terminal/colors.ts'
import { checkWritable, writeReportFile } from '../../terminal/report-file.ts'
import { jsonLine } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { RunSettings } from '../args/options.ts'
import { callEvent, callLine } from '../output/call-line.ts'
import { reloadEvent, reloadText, warningLines } from '../output/reload-log.ts'
import { StatusCounts } from '../output/status-counts.ts'
import { type Service, startService, watchIfAsked } from '../service.ts'

// The report covers all calls of a test suite, or the last of them if there are more than these.
const JOURNAL = { entries: 100_000, bytes: 64_000_000 }

/** Runs the command against a mock and returns the command's exit code. */
export async function run(command: readonly string[], settings: RunSettings): Promise<number> {
  const { log, report: format, 'report-file': reportFile, conduct } = settings
  if (format === 'html' && reportFile === undefined) {
    throw new UsageError('--report: html needs a file. Add --report-file report.html')
  }
  if (reportFile !== undefined) checkWritable(reportFile)
  const service = await startService(settings, JOURNAL)
  const paint = createColors(process.stderr)
  const calls = new StatusCounts()
  service.mock.onExchange((entry) => {
    calls.add(entry)
    if (log === 'pretty') say(callLine(entry, paint))
    if (log === 'json') say(jsonLine(callEvent(entry)))
  })
  for (const line of warningLines(service.warnings, settings.scenario)) say(`api-mock: ${line}`)
  const watch = await watchIfAsked(service.mock, settings, (reload) =>
    say(log === 'json' ? jsonLine(reloadEvent(reload)) : `api-mock: ${reloadText(reload)}`),
  )
  try {
    const exitCode = await runCommand(command, commandEnvironment(service))
    await service.server.close(0)
    say(formatSummary(calls, service))
    const report = buildMockReport(engineOf(service.mock))
    const isStrict = conduct === 'strict'
    const failures = failuresOf(report, isStrict)
    const gap = describeGap(engineOf(service.mock).journal.missingCalls.dropped, report.calls, isStrict)
    const text =
      format === 'html'
        ? await writePage(
            { summary: String(calls), report, failures: allFailures(exitCode, failures, gap, isStrict) },
            service,
          )
        : writeReport[format](report, isStrict)
    const isWritten = reportFile === undefined || writeReportFile(reportFile, text)
    if (reportFile === undefined && text !== '') say(format === 'pretty' ? text.replace(/^/gm, 'api-mock: ') : text)
    if (gap !== undefined) say(`api-mock: ${gap}`)
    if (exitCode !== 0) return exitCode
    const details = reportFile === undefined || !isWritten ? '' : `. See ${reportFile}`
    if (failures.length > 0) say(`api-mock: failed: ${failures.join(', ')}${details}`)
    return !isWritten || failures.length > 0 || (isStrict && gap !== undefined) ? 1 : 0
  } catch (error) {
    await service.server.close(0)
    if (!(error instanceof NotRunError)) throw error
    say(`api-mock: ${error.message}`)
    return error.exitCode
  } finally {
    watch?.close()
  }
}

/** Why a run failed, with its command and the calls that its report lacks. */
function allFailures(
  exitCode: number,
  failures: readonly string[],
  gap: string | undefined,
  isStrict: boolean,
): string[] {
  const ofCommand = exitCode === 0 ? [] : [`the command ended with exit code ${exitCode}`]
  return [...ofCommand, ...failures, ...(isStrict && gap !== undefined ? [gap] : [])]
}

async function writePage(run: Pick<PageReport, 'summary' | 'report' | 'failures'>, { mock }: Service): Promise<string> {
  const { formatHtml } = await import('../output/html-report.ts')
  const { name, seed } = mock.scenario
  return formatHtml({ ...run, title: `Run with the scenario ${name}, seed ${seed}` }, engineOf(mock))
}

/** Standard output belongs to the command. */
const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Resolves with the exit code of the command. */
function runCommand([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env })
    const stopForwarding = forwardSignals(child)
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

/** The command decides how it ends. Returns a function that stops the forwarding. */
function forwardSignals(child: ChildProcess): () => void {
  // A terminal sends Ctrl-C to the command too; a second one makes many programs skip their clean-up.
  const forwardInterrupt = (): void => void (process.stdin.isTTY || child.kill('SIGINT'))
  const forwardTermination = (): void => void child.kill('SIGTERM')
  process.on('SIGINT', forwardInterrupt)
  process.on('SIGTERM', forwardTermination)
  return () => {
    process.off('SIGINT', forwardInterrupt)
    process.off('SIGTERM', forwardTermination)
  }
}

/** `api-mock: 3 calls (2 x 200, 1 x 429), scenario flaky, seed 7`: the seed lets a failure be repeated. */
function formatSummary(calls: StatusCounts, { mock: { scenario } }: Service): string {
  const hint = calls.isEmpty ? '. Does the command read OPENAI_BASE_URL?' : ''
  return `api-mock: ${calls}, scenario ${scenario.name}, seed ${scenario.seed}${hint}`
}
