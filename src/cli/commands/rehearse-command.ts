/** `api-mock rehearse`: what breaks when a command moves to another model. */

import manifest from '../../../package.json' with { type: 'json' }
import { maskKeysIn } from '../../core/lib/text/mask-keys.ts'
import { isMockError } from '../../core/protocol/errors/mock-error.ts'
import { buildMockReport, type Engine, engineOf, Mock } from '../../engine/index.ts'
import { loadScenario } from '../../engine/node.ts'
import { findClientFailure, HUNT_JOURNAL, NotRunError, runCommand } from '../../play/index.ts'
import { breakagesOf, driveRehearsal, type RehearsalPlayer, titleOf, writeRehearsal } from '../../rehearse/index.ts'
import { commandEnvironment, listen } from '../../server/index.ts'
import { Interruption } from '../../terminal/interruption.ts'
import { pairReports, writeReports } from '../../terminal/report-targets.ts'
import { createColors, print, printError, shellWord } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { RehearseSettings } from '../args/command-options.ts'

/** The longest time of a timer, for a run without a limit. */
const NO_LIMIT_MS = 2 ** 31 - 1

/** Returns the exit code: 1 when something would break. */
export async function rehearse(command: readonly string[], settings: RehearseSettings): Promise<number> {
  const targets = pairReports(settings.report, settings['report-file'])
  const { name, source } = await loadScenario(settings.scenario)
  const interruption = new Interruption(() => printError('api-mock: stopping.'))
  let lastEngine: Engine | undefined
  const player = createPlayer(command, settings.speed, interruption.signal, (engine) => {
    lastEngine = engine
  })
  const seed = String(settings.seed ?? source.seed ?? 1)
  const startedAt = new Date()
  try {
    const report = await driveRehearsal(player, source, settings, { name, seed })
    const isBroken = report.targets.some((target) => target.isBroken)
    const textOf = async (form: RehearseSettings['report'][number]): Promise<string> => {
      if (form !== 'html') return writeRehearsal[form](report, (_, text) => text)
      const { formatHtml } = await import('../output/html-report.ts')
      const engine = lastEngine!
      const run = {
        exitCode: isBroken ? 1 : 0,
        command: maskKeysIn(command.map(shellWord).join(' ')),
        startedAt: startedAt.toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
        version: manifest.version,
      }
      const title = `Rehearsal of ${settings.to.join(', ')}`
      const summary = report.targets.map(titleOf).join('; ')
      return formatHtml({ title, summary, failures: breakagesOf(report), run, report: buildMockReport(engine) }, engine)
    }
    for (const { form, file } of targets) {
      const text =
        file !== undefined
          ? ''
          : form === 'pretty'
            ? writeRehearsal.pretty(report, createColors(process.stdout))
            : await textOf(form)
      if (text !== '') print(text)
    }
    return (await writeReports(targets, textOf)) && !isBroken ? 0 : 1
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

/** Runs a command against a mock of its own, each time. */
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
    const { code, signal: endedBy, lines } = await runCommand(run).finally(() => server.close(0))
    signal.throwIfAborted()
    const end = endedBy === null ? `It ended with exit code ${code}.` : `It was ended by ${endedBy}.`
    const failure = code === 0 ? findClientFailure(engine, false) : end
    const isPassed = failure === undefined
    return { isPassed, ...(!isPassed && { error: new Error(failure) }), output: lines, entries: mock.journal }
  },
})
