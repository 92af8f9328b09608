/**
 * The session of a hunt with a command: it runs the command again and again, and prints what happens. `hunt`, its replays and
 * `shrink` use it:
 *
 *     await HuntSession.use(['node', 'agent.js'], settings, async (session) => {
 *       const { isPassed } = await session.play([{ call: '1q307jmytm5', attempt: 1, fault: 'hang' }])
 *       return session.say(isPassed ? 'It passes.' : 'It fails.', isPassed ? 0 : 1)
 *     })
 *
 * Each run is against a new mock in this process. The command gets the address and the key of the mock in its environment,
 * and the file `$API_MOCK_DID`, to which it appends a line for each side effect: `charge`, or `charge order-7`.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countOf } from '../../core/lib/text/wording.ts'
import { type DrawnCall, drawnCall } from '../../core/report/run-picture.ts'
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { engineOf, Mock } from '../../engine/index.ts'
import { loadScenario } from '../../engine/node.ts'
import {
  failAfterTooManyCalls,
  HUNT_JOURNAL,
  LeapingClock,
  openLeaps,
  type Played,
  refuseSharedLimits,
  runCommand,
} from '../../play/index.ts'
import { commandEnvironment, listen } from '../../server/index.ts'
import { Interruption } from '../../terminal/interruption.ts'
import { printError } from '../../terminal/text.ts'
import type { AppPlayer } from '../drive.ts'
import { type CheckedRun, type SideEffect, wholeOrError } from '../properties.ts'
import { ignoring, withFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { IdentityOptions, KnownCall } from '../search/known-calls.ts'
import type { SessionSettings } from './hunt-options.ts'
import { judgeRun } from './judge-run.ts'
import { ProgressLine } from './progress-line.ts'
import { RunLimits, type TimedRun } from './run-limits.ts'
import { runOptionsOf } from './saved-settings.ts'

/** The most calls in the picture of a run. */
const MAX_DRAWN = 200

export class HuntSession implements AppPlayer {
  readonly command: readonly string[]
  readonly settings: SessionSettings
  /** The options with which `api-mock run` comes to the same verdicts; undefined if none do. */
  readonly runOptions: readonly string[] | undefined
  /** The base scenario. */
  readonly source: ScenarioSource
  readonly identity: IdentityOptions
  /** The calls of all runs by their ids. The search adds those of each run. */
  readonly known = new Map<string, KnownCall>()
  readonly interruption: Interruption
  /** The calls of the runs that failed, for their pictures, by the array that `play` got: a finding has that array too. */
  readonly failedRuns = new Map<FaultSet, readonly DrawnCall[]>()
  readonly progress = new ProgressLine()
  readonly #limits: RunLimits
  /** The runs that left processes. */
  #runsWithLeftOvers = 0
  /** The runs that passed and showed only the beginning of an answer. */
  #runsWithPartialAnswers = 0
  /** The last run without faults, with which others are compared. `playSource` sets it. */
  #usual: CheckedRun | undefined

  private constructor(command: readonly string[], settings: SessionSettings, source: ScenarioSource) {
    this.command = command
    this.settings = settings
    this.runOptions = runOptionsOf(settings)
    this.source = source
    this.#limits = new RunLimits(settings)
    this.identity = { identity: settings.identity, ignore: source.ignore }
    const onSignal = (): void => printError('\nStopping. Press Ctrl-C again to stop without a report.')
    this.interruption = new Interruption(onSignal, settings.time)
  }

  /**
   * Opens a session, and closes it when its work has ended.
   * @returns the exit code of the work, or of the signal that stopped it
   * @throws when the scenario cannot be used
   */
  static async use(
    command: readonly string[],
    settings: SessionSettings,
    work: (session: HuntSession) => Promise<number>,
  ): Promise<number> {
    const { source } = await loadScenario(settings.scenario)
    const session = new HuntSession(command, settings, ignoring(source, settings.ignore))
    try {
      const code = await work(session)
      return session.interruption.exitCode ?? code
    } catch (error) {
      // Work that is stopped before it has a result rejects with the reason of the signal.
      const { signal, exitCode } = session.interruption
      if (error !== signal.reason) throw error
      const timeUp = '--time ended the hunt before the command had run without faults. Raise --time.'
      const why = exitCode === undefined ? timeUp : 'Stopped before the command had run without faults.'
      printError(`api-mock: ${why} Nothing was tried.`)
      return exitCode ?? 2
    } finally {
      session.progress.clear()
      session.interruption.close()
    }
  }

  get signal(): AbortSignal {
    return this.interruption.signal
  }

  /**
   * Runs the command under the base scenario with these faults before its own. Runs without faults come first.
   * @throws NotRunError when the command cannot be started
   */
  async play(faults: FaultSet): Promise<Played> {
    const run = await this.playSource(withFaults(this.source, faults, this.known), { isBaseline: faults.length === 0 })
    if (run.isPassed) return run
    const drawnCalls = run.entries.slice(0, MAX_DRAWN).map((entry) => drawnCall(entry, this.settings.speed))
    this.failedRuns.set(faults, drawnCalls)
    return run
  }

  /**
   * Runs the command under a scenario. A run that timed out is repeated if its client needs more time.
   * @param timed by default a run under faults
   */
  async playSource(source: ScenarioSource, timed: TimedRun = {}): Promise<Played> {
    const { isBaseline = false } = timed
    const { settings } = this
    const { scenario: name, seed } = settings
    refuseSharedLimits(source)
    const clock = new LeapingClock(settings.speed)
    const mock = new Mock(compileScenario(source, { name, seed, compilePattern }), { clock, journal: HUNT_JOURNAL })
    const limitMs = this.#limits.limitOf(timed)
    const { end, effects, stopped } = await this.#runAgainst(mock, clock, limitMs)
    const entries = mock.journal
    const checked: CheckedRun = { shown: end.output.text, effects, entries, durationMs: end.durationMs }
    if (isBaseline) {
      this.#usual = checked
      this.#limits.noteBaseline(end.durationMs)
    }
    if (end.hasLeftOvers) this.#runsWithLeftOvers++
    const repeated = end.isTimedOut ? this.#limits.allowMoreTime(timed, limitMs, entries) : undefined
    if (repeated !== undefined) return this.playSource(source, repeated)

    const usual = this.#usual ?? checked
    const verdict = judgeRun({ mock, end, stopped, limitMs, checked, isBaseline }, usual, settings)
    // With --whole-or-error, the run has failed. Shrinking, which has no such option, does not warn.
    const mayWarn = settings['whole-or-error'] === false && !isBaseline && verdict.isPassed
    const showsPart = (run: CheckedRun): boolean => wholeOrError().find(run, usual) !== undefined
    // Where the usual run shows no answers either, a part means nothing.
    if (mayWarn && !showsPart(usual) && showsPart(checked)) this.#runsWithPartialAnswers++
    return {
      ...verdict,
      output: end.output.excerpt,
      shown: end.output.shown,
      entries,
      isStopped: end.isStopped && stopped === undefined,
    }
  }

  /**
   * Runs the command once, against a server with a mock.
   * @returns its end, the side effects that it reported, and the reason for which the hunt had to stop it
   */
  async #runAgainst(mock: Mock, clock: LeapingClock, limitMs: number) {
    const { 'run-timeout': maxMs, 'real-time': isReal } = this.settings
    const engine = engineOf(mock)
    const stopping = new AbortController()
    const stop = (reason: string): void => stopping.abort(reason)
    failAfterTooManyCalls(engine, ({ message }) => stop(message))
    const server = await listen(mock, { port: 0 })
    const folder = mkdtempSync(join(tmpdir(), 'api-mock-did-'))
    const didFile = join(folder, 'did.txt')
    writeFileSync(didFile, '')
    const env = { ...commandEnvironment({ mock, server }), API_MOCK_DID: didFile }
    const leaps = isReal ? undefined : await openLeaps(engine, clock, env, { mockPort: server.port, maxMs, stop })
    const signal = AbortSignal.any([this.signal, stopping.signal])
    try {
      const end = await runCommand({ command: this.command, env: leaps?.env ?? env, limitMs, signal })
      const lines = readFileSync(didFile, 'utf8').split('\n')
      const effects: SideEffect[] = lines.map((line) => ({ name: line.trim() })).filter(({ name }) => name !== '')
      return { end, effects, stopped: stopping.signal.reason as string | undefined }
    } finally {
      leaps?.close()
      rmSync(folder, { recursive: true, force: true })
      await server.close(0)
    }
  }

  /** Warnings about the runs so far. */
  get warnings(): string[] {
    const [leftOver, partial] = [this.#runsWithLeftOvers, this.#runsWithPartialAnswers]
    const ofLeftOvers = `Warning: the command left processes running in ${countOf(leftOver, 'run')}. They were ended.`
    const ofPartial = `Warning: in ${countOf(partial, 'run')}, the command showed only the beginning of an answer, and passed. --whole-or-error makes this a failure.`
    return [...(leftOver > 0 ? [ofLeftOvers] : []), ...(partial > 0 ? [ofPartial] : [])]
  }

  /** Writes a line to stdout, in place of the progress, and returns the exit code. */
  say(text: string, exitCode = 0): number {
    this.progress.clear()
    process.stdout.write(`${text}\n`)
    return exitCode
  }
}
