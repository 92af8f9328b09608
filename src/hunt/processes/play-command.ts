/** Runs a command under a scenario: against a new mock in this process, on a free port. */
import { formatFinding } from '../../core/conduct/finding-text.ts'
import { formatExpectation } from '../../core/conduct/formats/parts.ts'
import { type ConductReport, hasFailures } from '../../core/conduct/report.ts'
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { buildConductReport } from '../../engine/conduct-report.ts'
import { engineOf, Mock } from '../../engine/mock.ts'
import { commandEnvironment } from '../../server/command-environment.ts'
import { listen } from '../../server/listen.ts'
import type { Played } from '../drive.ts'
import { CommandFailure } from './command-failure.ts'
import type { LiveRuns } from './live-runs.ts'
import type { FoundProcess } from './process-table.ts'
import { runCommand } from './run-command.ts'

/** A command and what its runs have in common. */
export interface PlayedCommand {
  readonly command: readonly string[]
  /** The name of the scenario, for the journal. */
  readonly name: string
  readonly seed?: string | undefined
  readonly speed?: number | undefined
  /** Whether a run fails too when the client makes a mistake. */
  readonly isStrict: boolean
  readonly runs: LiveRuns
  readonly signal: AbortSignal
}

export interface PlayedCommandRun extends Played {
  readonly error?: CommandFailure
  readonly durationMs: number
  readonly leftOvers: readonly FoundProcess[]
  /** How often each rule and fault of the scenario was used. */
  readonly usage: Mock['usage']
}

const JOURNAL = { entries: 10_000 }
/** A command that makes more calls in one run retries without end. */
const MAX_CALLS = 1000

/** @throws NotRunError when the command cannot be started */
export async function playCommand(
  { command, name, seed, speed, isStrict, runs, signal }: PlayedCommand,
  source: ScenarioSource,
  limitMs: number,
): Promise<PlayedCommandRun> {
  const scenario = compileScenario(source, { name, seed, compilePattern })
  const mock = new Mock(scenario, { speed, journal: JOURNAL })
  const server = await listen(mock, { port: 0 })
  const tooManyCalls = new AbortController()
  let calls = 0
  engineOf(mock).onBegin(() => {
    if (++calls === MAX_CALLS) tooManyCalls.abort()
  })
  try {
    const end = await runCommand(runs, {
      command,
      env: commandEnvironment({ mock, server }),
      limitMs,
      signal: AbortSignal.any([signal, tooManyCalls.signal]),
    })
    const { code, signal: endSignal, isTimedOut, durationMs, lines, leftOvers } = end
    const fail = (message: string): CommandFailure => new CommandFailure(message, lines)
    const findFailure = (): CommandFailure | undefined => {
      if (calls >= MAX_CALLS) return fail(`It made ${MAX_CALLS} calls and had not ended.`)
      if (isTimedOut) return fail(`It did not end within ${Math.round(limitMs / 1000)} s.`)
      if (endSignal !== null) return fail(`It was ended by ${endSignal}.`)
      if (code !== 0) return fail(`It ended with exit code ${code}.`)
      const report = buildConductReport(engineOf(mock))
      return hasFailures(report, isStrict) ? fail(describeConduct(report)) : undefined
    }
    const error = findFailure()
    await server.close(0)
    return {
      isPassed: error === undefined,
      ...(error !== undefined && { error }),
      entries: mock.journal,
      durationMs,
      leftOvers,
      usage: mock.usage,
    }
  } finally {
    await server.close(0)
  }
}

/** The first thing for which a run fails although the command passed. */
function describeConduct({ expectations = [], findings }: ConductReport): string {
  const unmet = expectations.find(({ verdict }) => verdict !== 'PASS')
  if (unmet !== undefined) return `It did not meet an expectation: ${formatExpectation(unmet)}`
  const mistake = findings.find(({ level }) => level === 'mistake')
  return `Its client made a mistake: ${mistake === undefined ? '' : formatFinding(mistake)[0]}`
}
