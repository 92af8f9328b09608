/** What all runs of a hunt share: the command, the base scenario, the time limits, and how the hunt is stopped. */

import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { loadScenario } from '../../engine/scenario-files/load-scenario.ts'
import { checkIgnored } from '../../terminal/check-ignored.ts'
import { Interruption } from '../../terminal/interruption.ts'
import type { CommandFailure } from '../processes/command-failure.ts'
import { LiveRuns } from '../processes/live-runs.ts'
import { type PlayedCommandRun, playCommand } from '../processes/play-command.ts'
import type { FoundProcess } from '../processes/process-table.ts'
import type { FaultSet } from '../search/fault-set.ts'
import { type IdentityOptions, ignoring } from '../search/identity.ts'
import type { KnownCall } from '../search/observe.ts'
import { withFaults } from '../search/reproduce.ts'
import type { HuntSettings } from './hunt-options.ts'
import type { VerdictSettings } from './verdict-settings.ts'

/** The longest run without faults. */
const MAX_BASELINE_MS = 300_000
/** What a run may take longer than those without faults: clients wait between retries. */
const MORE_MS = 10_000

export type SessionSettings = Pick<
  HuntSettings,
  'scenario' | 'seed' | 'speed' | 'time' | 'run-timeout' | 'jobs' | 'identity' | 'ignore' | 'fail-on'
>

export class HuntSession {
  readonly known = new Map<string, KnownCall>()
  readonly scenario: string
  /** The base scenario. */
  readonly source: ScenarioSource
  /** What makes two calls the same call. */
  readonly identity: IdentityOptions
  readonly interruption: Interruption
  /** What a run left running, and how many runs did. */
  readonly leftOvers: { runs: number; example?: FoundProcess } = { runs: 0 }
  readonly command: readonly string[]
  readonly settings: SessionSettings
  readonly #runs = new LiveRuns()
  #longestMs = 0

  private constructor(command: readonly string[], settings: SessionSettings, source: ScenarioSource) {
    this.command = command
    this.settings = settings
    this.scenario = settings.scenario
    this.source = source
    this.identity = { identity: settings.identity, ignore: source.ignore }
    const onSignal = (): void => {
      process.stderr.write('\nStopping. Press Ctrl-C again to stop without a report.\n')
    }
    this.interruption = new Interruption(onSignal, settings.time)
  }

  /** @throws when the scenario cannot be used */
  static async open(command: readonly string[], settings: SessionSettings): Promise<HuntSession> {
    const { source } = await loadScenario(settings.scenario)
    checkIgnored(settings.ignore)
    return new HuntSession(command, settings, ignoring(source, settings.ignore))
  }

  /**
   * Runs the command under the scenario with these faults before its own. Runs without faults come first.
   * @throws NotRunError when the command cannot be started
   */
  async play(faults: FaultSet): Promise<PlayedCommandRun> {
    const isBaseline = faults.length === 0
    return this.playSource(withFaults(this.source, faults, this.known), { isBaseline })
  }

  /** @param settings what decides whether the run fails. Default: the settings of the hunt */
  async playSource(
    source: ScenarioSource,
    { isBaseline = false, settings = this.settings }: { isBaseline?: boolean; settings?: VerdictSettings } = {},
  ): Promise<PlayedCommandRun> {
    const { seed } = this.settings
    const { speed, 'fail-on': failOn } = settings
    const run = await playCommand(
      {
        command: this.command,
        name: this.scenario,
        seed,
        speed,
        isStrict: failOn === 'conduct',
        runs: this.#runs,
        signal: this.interruption.signal,
      },
      source,
      this.#limitMs(isBaseline, settings),
    )
    if (isBaseline) this.#longestMs = Math.max(this.#longestMs, run.durationMs)
    if (run.leftOvers.length > 0) {
      this.leftOvers.runs++
      this.leftOvers.example ??= run.leftOvers[0]!
    }
    return run
  }

  #limitMs(isBaseline: boolean, { 'run-timeout': timeout }: VerdictSettings): number {
    const { jobs } = this.settings
    if (timeout !== undefined) return timeout
    // Runs at the same time slow each other down.
    return isBaseline ? MAX_BASELINE_MS : MORE_MS + (2 + jobs) * this.#longestMs
  }

  close(): void {
    this.interruption.close()
    this.#runs.close()
  }
}

/** The error of a command that fails without faults, with lines of its output. */
export function describeBaselineFailure(message: string, { lines }: CommandFailure): Error {
  const output = lines.length === 0 ? ['It printed nothing.'] : lines.map((line) => `  | ${line}`)
  return new Error([message, ...output].join('\n'))
}
