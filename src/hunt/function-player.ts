/**
 * Runs a function under sets of faults in this process. With `[{ call: '1q307jmytm5', attempt: 1, fault: 'hang' }]`, a run is
 * `{ isPassed: false, error, cause: '/app/agent.js:12', output: ['Retrying'], entries: [...] }`.
 */

import type { JournalEntry } from '../core/journal/entry.ts'
import { invalidOption } from '../core/protocol/errors/check-options.ts'
import { compileScenario, replaceFaults, type Scenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { type Engine, engineOf } from '../engine/index.ts'
import { createMock, type Mock, type ScenarioChoice } from '../index.ts'
import { HUNT_JOURNAL, messageOf, type Played, refuseSharedLimits, Stage } from '../play/index.ts'
import { causeOf, isReport } from './causes.ts'
import { describeFault } from './describe-cause.ts'
import type { AppPlayer } from './drive.ts'
import { type CheckedRun, findBrokenProperty, type HuntCheck, isEffectName, type SideEffect } from './properties.ts'
import { classOf, faultFields, faultText } from './search/fault-classes.ts'
import { ignoring, withFaults } from './search/fault-rules.ts'
import { type FaultSet, isLasting } from './search/fault-set.ts'
import {
  type IdentityName,
  type IdentityOptions,
  type KnownCall,
  type KnownCalls,
  knownCall,
  labelOf,
} from './search/known-calls.ts'

/** A fault that a run has. */
export interface RunFault {
  /** The call that it hits first: `POST chat "Hello"`. */
  readonly call: string
  /** `server-error`, as in the option `faults`. */
  readonly class: string
  /** The fault with its options: `cut; before=finish`. */
  readonly fault: string
  /** True if it never ends: on every attempt of its call, or on that and all later calls. */
  readonly isOutage: boolean
  /** The fault in words: `call 1 (POST chat "Hello", every attempt): hang`. */
  readonly text: string
}

/** The run of an app that happens now. */
export interface HuntRun {
  /** The faults of this run; none in a run without faults. */
  readonly faults: readonly RunFault[]
  /**
   * Reports a side effect, for `once`.
   * @param effect a name without spaces: `charge`
   * @param of tells effects apart of which each may happen once: `order-7`
   */
  did(effect: string, of?: string): void
}

/** The actions of a user of an app. They fail by throwing. */
export type HuntedFunction = (mock: Mock, run: HuntRun) => Promise<unknown>

/** The options of a hunt that decide what a run is. */
export interface PlayerOptions {
  /** Properties that each run must have, besides ending without an error: `[wholeOrError(), once('charge')]`. */
  readonly check?: readonly HuntCheck[] | undefined
  /**
   * The parts that tell calls apart: their whole bodies (`exact`), or endpoint, model and place in the run (`coarse`).
   * Default: `exact`.
   */
  readonly identity?: IdentityName | undefined
  /** Paths and patterns of the body that may change from run to run: `['messages[0].content', '/\\d+:\\d+/']`. */
  readonly ignore?: readonly string[] | undefined
  /** The address that the function calls. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined
  /** Overrides the scenario's seed. */
  readonly seed?: number | string | undefined
  /** Stops the hunt, which then rejects with the signal's reason: that of a test, which aborts when the test times out. */
  readonly signal?: AbortSignal | undefined
}

/** Runs a function under sets of faults, in this process. It holds the process until it is closed. */
export class FunctionPlayer implements AppPlayer {
  readonly known = new Map<string, KnownCall>()
  readonly identity: IdentityOptions
  readonly signal: AbortSignal | undefined
  /** The scenario without the faults of the hunt. */
  readonly source: ScenarioSource
  readonly #compiled: Scenario
  readonly #app: HuntedFunction
  readonly #checks: readonly HuntCheck[]
  readonly #mock: Mock
  readonly #engine: Engine
  readonly #stage: Stage
  /** The first run, which is one without faults. `play` sets it once. */
  #usual: CheckedRun | undefined

  constructor(choice: ScenarioChoice, app: HuntedFunction, options: PlayerOptions) {
    const { baseURL, identity, ignore, signal, check = [] } = options
    this.#app = app
    this.#checks = check
    this.#mock = createMock(choice, { baseURL, seed: options.seed, journal: HUNT_JOURNAL })
    this.#engine = engineOf(this.#mock)
    const { name, seed, source } = this.#mock.scenario
    this.source = ignoring(source, ignore)
    refuseSharedLimits(this.source)
    this.#compiled = compileScenario(this.source, { name, seed, compilePattern })
    this.identity = { identity, ignore: this.source.ignore }
    this.signal = signal
    this.#stage = new Stage(this.#mock, signal)
  }

  async play(faults: FaultSet): Promise<Played> {
    const isBaseline = faults.length === 0
    const source = withFaults(this.source, faults, this.known)
    this.#engine.use(replaceFaults(this.#compiled, source, compilePattern))
    this.#mock.reset()

    const report: FunctionReport = { effects: [], durationMs: 0 }
    const end = await this.#stage.run(() => this.#callApp(faults, report), { isQuiet: !isBaseline })

    const { answered, ...observed } = report
    // Read before the next run: a copy of all timelines would take 3 % of a hunt.
    const entries = [...this.#engine.journal]
    const run: CheckedRun = { ...observed, entries }
    // Copied, because the next run clears the texts of the journal.
    this.#usual ??= { ...run, entries: this.#mock.journal }
    // An error of the function comes before a property that the run breaks.
    const failure =
      'error' in end
        ? { error: end.error, cause: causeOf(messageOf(end.error), stackOf(end.error)) }
        : findBrokenProperty(this.#checks, run, this.#usual)
    // A call that was not answered when the function returned, and that its client has not cancelled: nobody waited for it.
    const isOpen = ({ number, outcome }: JournalEntry) => answered?.has(number) === false && outcome !== 'client-left'
    const openIndex = answered === undefined ? -1 : this.#mock.journal.findIndex(isOpen)
    return {
      isPassed: failure === undefined,
      ...failure,
      openCall: openIndex < 0 ? undefined : openIndex + 1,
      output: isBaseline ? undefined : this.#stage.printed,
      shown: this.#stage.shown,
      entries,
    }
  }

  /** Calls the function, and reports on it. An error that a property accepts does not count as one of the function. */
  async #callApp(faults: FaultSet, report: FunctionReport): Promise<unknown> {
    const isBaseline = faults.length === 0
    const startedAt = Date.now()
    try {
      const returned = await this.#app(this.#mock, describeRun(faults, this.known, this.#engine, report.effects))
      if (this.#checks.length > 0) report.shown = textOf(returned)
      if (isBaseline) {
        const answered = this.#mock.journal.filter(
          ({ outcome, timeline = [] }) =>
            outcome !== 'open' || timeline.some(({ type, atMs }) => type === 'head' && atMs !== undefined),
        )
        report.answered = new Set(answered.map(({ number }) => number))
      }
      return returned
    } catch (error) {
      const acceptsErrors = !isBaseline && this.#checks.some((check) => check.acceptsErrors)
      // Jest throws a failed assertion as a plain Error.
      const isAssertion = error instanceof Error && 'matcherResult' in error
      if (acceptsErrors && !isAssertion && isReport(String(error))) return undefined
      throw error
    } finally {
      report.durationMs = Date.now() - startedAt
    }
  }

  close(): void {
    this.#stage.close()
  }
}

/** Facts on a run of the function, filled in while it runs. */
interface FunctionReport {
  readonly effects: SideEffect[]
  /** Virtual time. */
  durationMs: number
  /** The value that it returned, as text; undefined if it threw, or if no property is checked. */
  shown?: string
  /** The numbers of the calls that had an answer when it returned; undefined if it threw, and under faults. */
  answered?: ReadonlySet<number>
}

/** The run as the function is told of it. @param effects gets the side effects that it reports */
const describeRun = (faults: FaultSet, known: KnownCalls, { journal }: Engine, effects: SideEffect[]): HuntRun => ({
  // Described when it is asked for: most functions do not.
  get faults() {
    return faults.map(
      (planned): RunFault => ({
        call: labelOf(planned.call, known),
        class: classOf(planned.fault),
        fault: faultText(faultFields(planned.fault, knownCall(planned.call, known))),
        isOutage: isLasting(planned),
        text: describeFault(planned, known),
      }),
    )
  },
  did(effect, of) {
    if (!isEffectName(effect)) throw invalidOption('did', 'the side effect', 'a name without spaces', effect)
    effects.push({ name: of === undefined ? effect : `${effect} ${of}`, calls: journal.counts.kept })
  },
})

/** The value that an app returned, as text. */
function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '')
  } catch {
    return ''
  }
}

/** The stacks of an error and of its causes. */
const stackOf = (error: unknown): string => (error instanceof Error ? `${error.stack}\n${stackOf(error.cause)}` : '')
