/**
 * `api-mock rehearse`: shows what breaks when a command moves to another model.
 *
 *     gpt-5.2 in place of gpt-4o: 1 of 1 call would be refused, and the app fails
 *       400 Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.
 */

import { isMockError } from '../../core/protocol/errors/mock-error.ts'
import { buildMockReport, type Engine, engineOf, Mock } from '../../engine/index.ts'
import { loadScenario } from '../../engine/node.ts'
import { findClientFailure, HUNT_JOURNAL, NotRunError, runCommand } from '../../play/index.ts'
import { breakagesOf, driveRehearsal, type RehearsalPlayer, titleOf, writeRehearsal } from '../../rehearse/index.ts'
import { commandEnvironment, listen } from '../../server/index.ts'
import { Interruption } from '../../terminal/interruption.ts'
import { outputReports, pairReports } from '../../terminal/report-targets.ts'
import { printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { RehearseSettings } from '../args/command-options.ts'

/** The longest time of a timer, for a run without a limit. */
const NO_LIMIT_MS = 2 ** 31 - 1

/** Returns the exit code: 1 when something would break. */
export async function rehearse(command: readonly string[], settings: RehearseSettings): Promise<number> {
  const reportTargets = pairReports(settings.report, settings['report-file'])
  const { name, source } = await loadScenario(settings.scenario)
  const interruption = new Interruption(() => printError('api-mock: stopping.'))
  // The page shows the calls of the last run. Each run replaces the engine, and there is at least one.
  let lastEngine: Engine | undefined
  const player = createPlayer(command, settings.speed, interruption.signal, (engine) => {
    lastEngine = engine
  })
  const seed = String(settings.seed ?? source.seed ?? 1)
  const startedAt = new Date()
  try {
    const report = await driveRehearsal(player, source, settings, { name, seed })
    const exitCode = report.targets.some((target) => target.isBroken) ? 1 : 0
    const isWritten = await outputReports(reportTargets, async (form, paint) => {
      if (form !== 'html') return writeRehearsal[form](report, paint)
      const { describeRun, formatHtml } = await import('../output/html-report.ts')
      const page = {
        title: `Rehearsal of ${settings.to.join(', ')}`,
        summary: report.targets.map(titleOf).join('; '),
        failures: breakagesOf(report),
        run: describeRun(command, startedAt, exitCode),
        report: buildMockReport(lastEngine!.view),
      }
      return formatHtml(page, lastEngine!)
    })
    return isWritten ? exitCode : 1
  } catch (error) {
    if (interruption.exitCode !== undefined) return interruption.exitCode
    if (isMockError(error, 'invalid-option')) throw new UsageError(`--${error.message}`)
    if (!(error instanceof NotRunError)) throw error
    printError(`api-mock: ${error.message}`)
    return error.exitCode
  } finally {
    interruption.close()
  }
}

/** A player that runs the command against a new mock each time. @param onStart is given the engine of each mock. */
const createPlayer = (
  command: readonly string[],
  speed: number,
  signal: AbortSignal,
  onStart: (engine: Engine) => void,
): RehearsalPlayer => ({
  name: 'the command',
  failureHint: 'Make it pass first: api-mock run -- <command> shows all that it prints.',
  callsHint: 'Does it read OPENAI_BASE_URL and OPENAI_API_KEY?',
  async play(scenario, prepare) {
    signal.throwIfAborted()
    const mock = new Mock(scenario, { speed, journal: HUNT_JOURNAL })
    const engine = engineOf(mock)
    onStart(engine)
    prepare(engine)
    const server = await listen(mock, { port: 0 })
    const run = { command, env: commandEnvironment({ mock, server }), limitMs: NO_LIMIT_MS, signal }
    const { code, signal: endedBy, output } = await runCommand(run).finally(() => server.close(0))
    signal.throwIfAborted()
    let failure: string | undefined
    if (endedBy !== null) failure = `It was ended by ${endedBy}.`
    else if (code !== 0) failure = `It ended with exit code ${code}.`
    else failure = findClientFailure(engine, false)
    const isPassed = failure === undefined
    return { isPassed, ...(!isPassed && { error: new Error(failure) }), output: output.excerpt, entries: mock.journal }
  },
})
