/** `api-mock run`: a mock for the time of one command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { hasMistakes, reportOf, writeReport } from '../../core/conduct/report.ts'
import type { ReportSettings, Settings } from '../args/options.ts'
import { callEvent, callLine } from '../output/call-line.ts'
import { createColors } from '../output/colors.ts'
import { newsEvent, newsText, warningLines } from '../output/reload-log.ts'
import { type Service, startService, watched } from '../service.ts'

// A report is on all calls: of a test suite that makes more than these, on the last of them.
const JOURNAL = { entries: 100_000, bytes: 64_000_000 }

/** Runs the command against a mock and returns the command's exit code. */
export async function run(
  command: readonly string[],
  settings: Settings,
  { report: form, reportFile, isStrict }: ReportSettings,
): Promise<number> {
  const service = await startService(settings, JOURNAL)
  const paint = createColors(process.stderr)
  const calls = new Map<number, number>()
  service.mock.onExchange((entry) => {
    calls.set(entry.status, (calls.get(entry.status) ?? 0) + 1)
    if (settings.log === 'pretty') say(callLine(entry, paint))
    if (settings.log === 'json') say(JSON.stringify(callEvent(entry)))
  })
  for (const line of warningLines(service.warnings, settings.scenario)) say(`api-mock: ${line}`)
  const watch = await watched(service.mock, settings, (news) =>
    say(settings.log === 'json' ? JSON.stringify(newsEvent(news)) : `api-mock: ${newsText(news)}`),
  )
  try {
    const exitCode = await exitCodeOf(command, environmentFor(service))
    await service.server.close(0)
    say(summary(calls, service))
    const report = reportOf(service.mock.journal, service.mock.usage)
    const text = writeReport[form](report)
    if (reportFile !== undefined) writeFileSync(reportFile, `${text}\n`)
    else if (text !== '') say(form === 'pretty' ? text.replace(/^/gm, 'api-mock: ') : text)
    return isStrict && exitCode === 0 && hasMistakes(report) ? 1 : exitCode
  } catch (error) {
    await service.server.close(0)
    if (!(error instanceof NotRunError)) throw error
    say(`api-mock: ${error.message}`)
    return error.exitCode
  } finally {
    watch?.close()
  }
}

/** The command never ran; the exit code is the one shells use for it. */
class NotRunError extends Error {
  readonly exitCode: number

  constructor(program: string, { code, message }: NodeJS.ErrnoException) {
    const isMissing = code === 'ENOENT'
    const why = isMissing ? 'there is no such command. Check its name and PATH' : message
    super(`Failed to run '${program}': ${why}. It is run without a shell: use sh -c '...' where one is needed.`)
    this.exitCode = isMissing ? 127 : 126
  }
}

/** Standard output belongs to the command. */
const say = (line: string): void => void process.stderr.write(`${line}\n`)

function environmentFor({ mock, server, origin, token }: Service): NodeJS.ProcessEnv {
  return {
    ...process.env,
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: mock.scenario.exampleKey,
    API_MOCK_URL: origin,
    ...(token !== undefined && { API_MOCK_TOKEN: token }),
  }
}

function exitCodeOf([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
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

/** The command decides how it ends, and we end with it. Returns the way to stop that. */
function forwardSignals(child: ChildProcess): () => void {
  // A terminal sends Ctrl-C to the command too; a second one would make many programs skip their cleaning up.
  const forwardInterrupt = (): void => void (process.stdin.isTTY || child.kill('SIGINT'))
  const forwardTermination = (): void => void child.kill('SIGTERM')
  process.on('SIGINT', forwardInterrupt)
  process.on('SIGTERM', forwardTermination)
  return () => {
    process.off('SIGINT', forwardInterrupt)
    process.off('SIGTERM', forwardTermination)
  }
}

/** `api-mock: 3 calls (2 x 200, 1 x 429), scenario flaky, seed 7`: the seed, so that a failure can be had again. */
function summary(calls: ReadonlyMap<number, number>, { mock: { scenario } }: Service): string {
  const total = [...calls.values()].reduce((sum, count) => sum + count, 0)
  const statuses = [...calls]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} x ${status === 0 ? 'no answer' : status}`)
  const counted = total === 0 ? 'no calls' : `${total === 1 ? '1 call' : `${total} calls`} (${statuses.join(', ')})`
  const hint = total === 0 ? '. Does the command read OPENAI_BASE_URL?' : ''
  return `api-mock: ${counted}, scenario ${scenario.name}, seed ${scenario.seed}${hint}`
}
