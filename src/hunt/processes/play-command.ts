/** Runs a command under a scenario: against a new mock in this process, on a free port. */
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import type { Engine } from '../../engine/engine.ts'
import { engineOf, Mock } from '../../engine/mock.ts'
import { commandEnvironment, listen } from '../../server/listen.ts'
import { findConductFailure } from '../conduct-failure.ts'
import type { Played } from '../drive.ts'
import { HUNT_JOURNAL, MAX_CALLS, refuseSharedLimits, TOO_MANY_CALLS } from '../run-limits.ts'
import { CommandFailure } from './command-failure.ts'
import type { LiveRuns } from './live-runs.ts'
import type { FoundProcess } from './process-table.ts'
import { type CommandEnd, runCommand } from './run-command.ts'

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

/** @throws NotRunError when the command cannot be started */
export async function playCommand(
  { command, name, seed, speed, isStrict, runs, signal }: PlayedCommand,
  source: ScenarioSource,
  limitMs: number,
): Promise<PlayedCommandRun> {
  refuseSharedLimits(source)
  const scenario = compileScenario(source, { name, seed, compilePattern })
  const mock = new Mock(scenario, { speed, journal: HUNT_JOURNAL })
  const tooManyCalls = stopAfterTooManyCalls(engineOf(mock))
  const server = await listen(mock, { port: 0 })
  let end: CommandEnd
  try {
    end = await runCommand(runs, {
      command,
      env: commandEnvironment({ mock, server }),
      limitMs,
      signal: AbortSignal.any([signal, tooManyCalls]),
    })
  } finally {
    await server.close(0)
  }
  const { durationMs, lines, leftOvers } = end
  const failure = tooManyCalls.aborted
    ? TOO_MANY_CALLS
    : (describeEnd(end, limitMs) ?? findConductFailure(engineOf(mock), isStrict))
  return {
    isPassed: failure === undefined,
    ...(failure !== undefined && { error: new CommandFailure(failure, lines) }),
    entries: mock.journal,
    isStopped: end.isStopped && !tooManyCalls.aborted,
    durationMs,
    leftOvers,
    usage: mock.usage,
  }
}

function stopAfterTooManyCalls(engine: Engine): AbortSignal {
  const stopping = new AbortController()
  let calls = 0
  engine.onBegin(() => {
    if (++calls > MAX_CALLS) stopping.abort()
  })
  return stopping.signal
}

/** Why a command failed, from how it ended; undefined if it passed. */
function describeEnd({ code, signal, isTimedOut }: CommandEnd, limitMs: number): string | undefined {
  if (isTimedOut) return `It did not end within ${Math.round(limitMs / 1000)} s.`
  if (signal !== null) return `It was ended by ${signal}.`
  return code === 0 ? undefined : `It ended with exit code ${code}.`
}
