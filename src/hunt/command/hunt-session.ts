/**
 * A hunt with a command: the command, the base scenario, the limits of its runs, and what is printed meanwhile. Each run is
 * against a new mock in this process. The command gets the address and the key of the mock in its environment, and the file
 * `$API_MOCK_DID`, to which it appends a line for each side effect: `charge`, or `charge order-7`.
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
  type Played,
  refuseSharedLimits,
  runCommand,
} from '../../play/index.ts'
import { commandEnvironment, listen } from '../../server/index.ts'
import { Interruption } from '../../terminal/interruption.ts'
import { printError } from '../../terminal/text.ts'
import type { AppPlayer } from '../drive.ts'
import type { CheckedRun, SideEffect } from '../properties.ts'
import { withFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import { type IdentityOptions, ignoring, type KnownCall } from '../search/known-calls.ts'
import type { SessionSettings } from './hunt-options.ts'
import { judgeRun, showsPartialAnswer } from './judge-run.ts'
import { openLeaps } from './leaps.ts'
import { ProgressLine } from './progress-line.ts'
import { runOptionsOf } from './saved-settings.ts'

/** Longest time of a run without faults. */
const MAX_BASELINE_MS = 300_000
/** Time that a run may take longer than those without faults: clients wait between retries. */
const EXTRA_MS = 10_000
/** The most calls in the picture of a run. */
const MAX_DRAWN = 200
/** Number of time-outs, one for each attempt, that a client may wait for in a run. */
const MAX_TIME_OUTS = 4

/** A run of the command under a scenario. */
export interface PlayedCommand extends Played {
  readonly output: readonly string[]
  /** The number of times that each rule and fault of the scenario was used. */
  readonly usage: Mock['usage']
}

interface PlayOptions {
  readonly isBaseline?: boolean
  /** The settings that decide if the run fails. Default: those of the hunt. */
  readonly settings?: SessionSettings
  /** The time that its slow answers take, in real milliseconds. */
  readonly slowMs?: number
}

export class HuntSession implements AppPlayer {
  readonly command: readonly string[]
  readonly settings: SessionSettings
  /** The options with which `api-mock run` comes to the same verdicts; undefined if none do. */
  readonly runOptions: readonly string[] | undefined
  /** The base scenario. */
  readonly source: ScenarioSource
  readonly identity: IdentityOptions
  readonly known = new Map<string, KnownCall>()
  readonly interruption: Interruption
  /** The calls of the runs that failed, for their pictures. */
  readonly failedRuns = new Map<FaultSet, readonly DrawnCall[]>()
  readonly #progress = new ProgressLine()
  /** Duration of the longest run without faults. */
  #longestMs = 0
  /** Raised when a client turns out to wait longer for an answer. */
  #extraMs = EXTRA_MS
  #runsWithLeftOvers = 0
  /** The runs that passed and showed only the beginning of an answer. */
  #runsWithPartialAnswers = 0
  /** The last run without faults. */
  #usual: CheckedRun | undefined

  private constructor(command: readonly string[], settings: SessionSettings, source: ScenarioSource) {
    this.command = command
    this.settings = settings
    this.runOptions = runOptionsOf(settings)
    this.source = source
    this.identity = { identity: settings.identity, ignore: source.ignore }
    const onSignal = (): void => {
      printError('\nStopping. Press Ctrl-C again to stop without a report.')
    }
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
      const { signal, exitCode } = session.interruption
      if (error !== signal.reason) throw error
      const timeUp = '--time ended the hunt before the command had run without faults. Raise --time.'
      const why = exitCode === undefined ? timeUp : 'Stopped before the command had run without faults.'
      printError(`api-mock: ${why} Nothing was tried.`)
      return exitCode ?? 2
    } finally {
      session.clearProgress()
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
  async play(faults: FaultSet): Promise<PlayedCommand> {
    const run = await this.playSource(withFaults(this.source, faults, this.known), { isBaseline: faults.length === 0 })
    const { speed } = this.settings
    if (!run.isPassed)
      this.failedRuns.set(
        faults,
        run.entries.slice(0, MAX_DRAWN).map((entry) => drawnCall(entry, speed)),
      )
    return run
  }

  /** Runs the command under a scenario. A run that timed out is repeated if its client needs more time. */
  async playSource(source: ScenarioSource, options: PlayOptions = {}): Promise<PlayedCommand> {
    const { isBaseline = false, settings = this.settings } = options
    const { scenario: name, seed } = this.settings
    refuseSharedLimits(source)
    const clock = new LeapingClock(settings.speed)
    const mock = new Mock(compileScenario(source, { name, seed, compilePattern }), { clock, journal: HUNT_JOURNAL })
    const limitMs = this.#limitOf(options)
    const { end, effects, stopped } = await this.#runAgainst(mock, clock, limitMs, settings)
    const entries = mock.journal
    const checked: CheckedRun = { shown: end.output, effects, entries, durationMs: end.durationMs }
    if (isBaseline) {
      this.#usual = checked
      this.#longestMs = Math.max(this.#longestMs, end.durationMs)
    }
    if (end.hasLeftOvers) this.#runsWithLeftOvers++
    const longer = end.isTimedOut ? this.#allowMoreTime(entries, limitMs, options) : undefined
    if (longer !== undefined) return this.playSource(source, longer)
    const usual = this.#usual ?? checked
    const verdict = judgeRun({ mock, end, stopped, limitMs, checked, isBaseline }, usual, settings)
    if (verdict.isPassed && !isBaseline && settings['whole-or-error'] === false && showsPartialAnswer(checked, usual))
      this.#runsWithPartialAnswers++
    return {
      ...verdict,
      output: end.lines,
      shown: end.shown,
      entries,
      isStopped: end.isStopped && stopped === undefined,
      usage: mock.usage,
    }
  }

  #limitOf({ isBaseline = false, settings = this.settings, slowMs = 0 }: PlayOptions): number {
    // Runs at the same time slow each other down.
    const usualMs = isBaseline ? MAX_BASELINE_MS : slowMs + this.#extraMs + (2 + this.settings.jobs) * this.#longestMs
    return settings['run-timeout'] ?? usualMs
  }

  /** The options to repeat a run that timed out; undefined if more time does not help. May raise the limit of later runs. */
  #allowMoreTime(entries: Played['entries'], limitMs: number, options: PlayOptions): PlayOptions | undefined {
    const { isBaseline = false, settings = this.settings, slowMs = 0 } = options
    const { speed, 'run-timeout': runTimeout } = settings
    if (isBaseline || runTimeout !== undefined) return undefined
    // A client that gave up on an answer, a second before the limit or earlier, needs that time for all its attempts.
    const hung = entries.filter(({ fault }) => fault === 'hang')
    const gaveUp = hung.filter(({ at, durationMs }) => at + durationMs < (limitMs - 1000) * speed)
    const timeOutMs = Math.max(0, ...gaveUp.map(({ durationMs }) => durationMs)) / speed
    const neededMs = MAX_TIME_OUTS * timeOutMs
    if (neededMs > this.#extraMs) {
      this.#extraMs = neededMs
      return options
    }
    // A client that still reads slow answers gets the time that they take.
    const steps = entries.flatMap(({ timeline = [] }) => timeline)
    const plannedMs = steps.reduce((sum, step) => sum + (step.type === 'wait' ? step.ms : 0), 0) / speed
    return slowMs === 0 && plannedMs > limitMs / 2 ? { ...options, slowMs: plannedMs } : undefined
  }

  /** @returns the end of the command, the side effects that it reported, and the reason why it had to be stopped */
  async #runAgainst(mock: Mock, clock: LeapingClock, limitMs: number, settings: SessionSettings) {
    const { 'run-timeout': maxMs, 'real-time': isReal } = settings
    const engine = engineOf(mock)
    const stopping = new AbortController()
    const stop = (reason: string): void => stopping.abort(reason)
    failAfterTooManyCalls(engine, ({ message }) => stop(message))
    const server = await listen(mock, { port: 0 })
    const folder = mkdtempSync(join(tmpdir(), 'api-mock-did-'))
    const file = join(folder, 'did.txt')
    writeFileSync(file, '')
    const given = { ...commandEnvironment({ mock, server }), API_MOCK_DID: file }
    const leaps = isReal ? undefined : await openLeaps(engine, clock, given, { mockPort: server.port, maxMs, stop })
    const signal = AbortSignal.any([this.signal, stopping.signal])
    try {
      const end = await runCommand({ command: this.command, env: leaps?.env ?? given, limitMs, signal })
      const lines = readFileSync(file, 'utf8').split('\n')
      const effects: SideEffect[] = lines.map((line) => ({ name: line.trim() })).filter(({ name }) => name !== '')
      return { end, effects, stopped: stopping.signal.reason as string | undefined }
    } finally {
      leaps?.close()
      rmSync(folder, { recursive: true, force: true })
      await server.close(0)
    }
  }

  get warnings(): string[] {
    const leftOvers = countOf(this.#runsWithLeftOvers, 'run')
    const partialAnswers = countOf(this.#runsWithPartialAnswers, 'run')
    const left = `Warning: the command left processes running in ${leftOvers}. They were ended.`
    const shown = `Warning: in ${partialAnswers}, the command showed only the beginning of an answer, and passed. --whole-or-error makes this a failure.`
    return [...(this.#runsWithLeftOvers > 0 ? [left] : []), ...(this.#runsWithPartialAnswers > 0 ? [shown] : [])]
  }

  /** Shows the progress. */
  show(text: string): void {
    this.#progress.show(text)
  }

  /** Removes the progress from the terminal. */
  clearProgress(): void {
    this.#progress.clear()
  }

  /** Writes a line to stdout, in place of the progress, and returns the exit code. */
  say(text: string, exitCode = 0): number {
    this.clearProgress()
    process.stdout.write(`${text}\n`)
    return exitCode
  }
}
