/**
 * The session of a hunt with a command: the command, the base scenario, the limits of its runs, and the progress on
 * stderr. Runs the command under a scenario, against a new mock in this process.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { countOf } from '../../core/lib/text/wording.ts'
import { type DrawnCall, drawnCall } from '../../core/report/run-picture.ts'
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { engineOf, Mock } from '../../engine/index.ts'
import { loadScenario } from '../../engine/node.ts'
import {
  type CommandEnd,
  errorLine,
  failAfterTooManyCalls,
  findClientFailure,
  HUNT_JOURNAL,
  LeapingClock,
  type Played,
  refuseSharedLimits,
  runCommand,
} from '../../play/index.ts'
import { commandEnvironment, listen } from '../../server/index.ts'
import { checkIgnored } from '../../terminal/check-ignored.ts'
import { Interruption } from '../../terminal/interruption.ts'
import { printError } from '../../terminal/text.ts'
import { causeOf } from '../causes.ts'
import type { AppPlayer } from '../drive.ts'
import {
  boundedCalls,
  type CheckedRun,
  findBrokenProperty,
  type HuntCheck,
  isReport,
  once,
  type SideEffect,
  wholeOrError,
} from '../properties.ts'
import { withFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import { type IdentityOptions, ignoring, type KnownCall } from '../search/known-calls.ts'
import type { SessionSettings } from './hunt-options.ts'
import { openLeaps } from './leaps.ts'

/** Longest time of a run without faults. */
const MAX_BASELINE_MS = 300_000
/** Time that a run may take longer than those without faults: clients wait between retries. */
const EXTRA_MS = 10_000
/** The most calls in the picture of a run. */
const MAX_DRAWN = 200
/** Number of time-outs, one for each attempt, that a client may wait for in a run. */
const MAX_TIME_OUTS = 4
/** Interval of the progress lines where there is no terminal. */
const LINE_EVERY_MS = 10_000

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

/** A run of the command that was not checked yet. */
interface UncheckedRun {
  readonly end: CommandEnd
  /** The side effects that the command reported. */
  readonly effects: readonly SideEffect[]
  /** The reason why the run had to be stopped. */
  readonly stopped: string | undefined
}

export class HuntSession implements AppPlayer {
  readonly command: readonly string[]
  readonly settings: SessionSettings
  /** The base scenario. */
  readonly source: ScenarioSource
  readonly identity: IdentityOptions
  readonly known = new Map<string, KnownCall>()
  readonly interruption: Interruption
  /** The calls of the runs that failed, for their pictures. */
  readonly failedRuns = new Map<FaultSet, readonly DrawnCall[]>()
  #longestMs = 0
  #extraMs = EXTRA_MS
  #runsWithLeftOvers = 0
  /** The runs that passed and showed only the beginning of an answer. */
  #runsWithPartialAnswers = 0
  /** The last run without faults. */
  #usual: CheckedRun | undefined
  #lineAt = performance.now()
  #hasLine = false

  private constructor(command: readonly string[], settings: SessionSettings, source: ScenarioSource) {
    this.command = command
    this.settings = settings
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
    checkIgnored(settings.ignore)
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
    const drawn = run.isPassed ? [] : run.entries.slice(0, MAX_DRAWN).map((entry) => drawnCall(entry, speed))
    if (!run.isPassed) this.failedRuns.set(faults, drawn)
    return run
  }

  async playSource(source: ScenarioSource, options: PlayOptions = {}): Promise<PlayedCommand> {
    const { isBaseline = false, settings = this.settings } = options
    const { scenario: name, seed } = this.settings
    refuseSharedLimits(source)
    const clock = new LeapingClock(settings.speed)
    const mock = new Mock(compileScenario(source, { name, seed, compilePattern }), { clock, journal: HUNT_JOURNAL })
    const limitMs = this.#limitOf(options)
    const run = await this.#runAgainst(mock, clock, limitMs, settings)
    const { end, effects, stopped } = run
    const entries = mock.journal
    const checked: CheckedRun = { shown: end.output, effects, entries, durationMs: end.durationMs }
    if (isBaseline) {
      this.#usual = checked
      this.#longestMs = Math.max(this.#longestMs, end.durationMs)
    }
    if (end.hasLeftOvers) this.#runsWithLeftOvers++
    const longer = end.isTimedOut ? this.#allowMoreTime(entries, limitMs, options) : undefined
    if (longer !== undefined) return this.playSource(source, longer)
    return {
      ...this.#judge(mock, run, checked, limitMs, options),
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
    // A client that gave up on an answer needs that time for all its attempts.
    const hung = entries.filter(({ fault }) => fault === 'hang')
    const gaveUp = hung.filter(({ at, durationMs }) => at + durationMs < (limitMs - 1000) * speed)
    const neededMs = (MAX_TIME_OUTS * Math.max(0, ...gaveUp.map(({ durationMs }) => durationMs))) / speed
    if (neededMs > this.#extraMs) {
      this.#extraMs = neededMs
      return options
    }
    // A client that still reads slow answers gets the time that they take.
    const steps = entries.flatMap(({ timeline = [] }) => timeline)
    const plannedMs = steps.reduce((sum, step) => sum + (step.type === 'wait' ? step.ms : 0), 0) / speed
    return slowMs === 0 && plannedMs > limitMs / 2 ? { ...options, slowMs: plannedMs } : undefined
  }

  /** Decides if a run passed, and why not. Counts the runs that passed and showed only the beginning of an answer. */
  #judge(mock: Mock, { end, stopped }: UncheckedRun, checked: CheckedRun, limitMs: number, options: PlayOptions) {
    const { isBaseline = false, settings = this.settings } = options
    const checks = checksOf(settings)
    const hasErred = !isBaseline && !end.isTimedOut && end.code !== 0 && end.code !== null
    const isReported = hasErred && checks.some(({ acceptsErrors }) => acceptsErrors) && isReport(end.output)
    const hasHung = checked.entries.some(({ fault }) => fault === 'hang')
    const failure =
      stopped ??
      (isReported ? undefined : describeEnd(end, limitMs, hasHung)) ??
      findClientFailure(engineOf(mock), settings['fail-on'] === 'conduct')
    if (failure !== undefined) {
      // An exit code alone says little.
      const causeText = end.code === 0 ? failure : [failure, ...errorLine(end.lines)].join(' ')
      return { isPassed: false, error: new Error(failure), cause: causeOf(causeText, end.lines.join('\n')) }
    }
    const usual = this.#usual ?? checked
    const broken = findBrokenProperty(checks, isReported ? { ...checked, shown: undefined } : checked, usual)
    if (broken !== undefined) return { isPassed: false, ...broken }
    if (!isBaseline && settings['whole-or-error'] === false && showsPartialAnswer(checked, usual))
      this.#runsWithPartialAnswers++
    return { isPassed: true }
  }

  async #runAgainst(
    mock: Mock,
    clock: LeapingClock,
    limitMs: number,
    settings: SessionSettings,
  ): Promise<UncheckedRun> {
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
      // A line for each: `charge`, or `charge order-7`.
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

  /** Shows the progress: as one line that is rewritten on a terminal, and as a line every few seconds elsewhere. */
  show(text: string): void {
    const { stderr } = process
    if (stderr.isTTY) {
      const line = stripVTControlCharacters(text).slice(0, (stderr.columns || 80) - 1)
      stderr.write(`\r${line}\u001b[K`)
      this.#hasLine = true
    } else if (performance.now() - this.#lineAt >= LINE_EVERY_MS) {
      this.#lineAt = performance.now()
      stderr.write(`${text}\n`)
    }
  }

  /** Writes a line to stdout, in place of the progress, and returns the exit code. */
  say(text: string, exitCode = 0): number {
    this.clearProgress()
    process.stdout.write(`${text}\n`)
    return exitCode
  }

  /** Removes the progress from the terminal. */
  clearProgress(): void {
    if (this.#hasLine) process.stderr.write('\r\u001b[K')
    this.#hasLine = false
  }
}

/** The properties that the options ask for, each named as its option. */
export function checksOf(settings: SessionSettings): HuntCheck[] {
  const { 'whole-or-error': isWhole = false, once: effects = [], 'max-calls': calls } = settings
  return [
    ...(isWhole ? [{ ...wholeOrError(), name: '--whole-or-error' }] : []),
    ...effects.map((effect) => ({ ...once(effect), name: `--once ${effect}` })),
    ...(calls === undefined ? [] : [{ ...boundedCalls(calls), name: `--max-calls ${calls}` }]),
  ]
}

/** True if a run shows the beginning of an answer in the place of the whole one, which the usual run shows. */
function showsPartialAnswer(run: CheckedRun, usual: CheckedRun): boolean {
  const { find } = wholeOrError()
  return find(usual, usual) === undefined && find(run, usual) !== undefined
}

/** The reason why a command failed, from its end; undefined if it passed. */
function describeEnd({ code, signal, isTimedOut }: CommandEnd, limitMs: number, hasHung: boolean): string | undefined {
  const advice = hasHung
    ? ' It waited for an answer that never came: give its client a shorter time-out, or raise --run-timeout.'
    : ''
  if (isTimedOut) return `It did not end within ${Math.round(limitMs / 1000)} s.${advice}`
  if (signal !== null) return `It was ended by ${signal}.`
  return code === 0 ? undefined : `It ended with exit code ${code}.`
}
