/**
 * Runs a function under sets of faults in this process. With `[{ call: '1q307jmytm5', attempt: 1, fault: 'hang' }]`, a run is
 * `{ isPassed: false, error, cause: '/app/agent.js:12', output: ['Retrying'], entries: [...] }`.
 */

import type { JournalEntry } from '../core/journal/entry.ts'
import { invalidOption } from '../core/protocol/errors/check-options.ts'
import { compileScenario, replaceFaults } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { type Engine, engineOf } from '../engine/index.ts'
import { createMock, type Mock, type ScenarioChoice } from '../index.ts'
import { HUNT_JOURNAL, messageOf, type Played, refuseSharedLimits, Stage } from '../play/index.ts'
import { causeOf } from './causes.ts'
import { describeFault } from './describe-cause.ts'
import type { AppPlayer } from './drive.ts'
import {
  type CheckedRun,
  findBrokenProperty,
  type HuntCheck,
  isEffectName,
  isReport,
  type SideEffect,
} from './properties.ts'
import { classOf, faultFields, faultText } from './search/fault-classes.ts'
import { withFaults } from './search/fault-rules.ts'
import { type FaultSet, isLasting } from './search/fault-set.ts'
import {
  type IdentityName,
  ignoring,
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

/** Runs a function under sets of faults, in this process. */
export interface FunctionPlayer extends AppPlayer {
  /** The scenario without the faults of the hunt. */
  readonly source: ScenarioSource
  close(): void
}

export function createPlayer(choice: ScenarioChoice, app: HuntedFunction, options: PlayerOptions): FunctionPlayer {
  const { baseURL, identity, ignore, signal, check: checks = [] } = options
  const mock = createMock(choice, { baseURL, seed: options.seed, journal: HUNT_JOURNAL })
  const engine = engineOf(mock)
  const { name, seed } = mock.scenario
  const source = ignoring(mock.scenario.source, ignore)
  refuseSharedLimits(source)
  const compiled = compileScenario(source, { name, seed, compilePattern })
  const known = new Map<string, KnownCall>()
  const stage = new Stage(mock, signal)
  /** The first run, which is one without faults. */
  let usual: CheckedRun | undefined

  async function play(faults: FaultSet): Promise<Played> {
    engine.use(replaceFaults(compiled, withFaults(source, faults, known), compilePattern))
    mock.reset()
    const { end, answered, ...observed } = await runApp(faults)
    // Read before the next run: a copy of all timelines would take 3 % of a hunt.
    const entries = engine.journal.exchanges
    const checked: CheckedRun = { ...observed, entries }
    // Copied, because the next run clears the texts of the journal.
    usual ??= { ...checked, entries: mock.journal }
    const failure = ('error' in end ? undefined : findBrokenProperty(checks, checked, usual)) ?? end
    // Nobody waited for a call that was not answered when the function ended, unless its client has cancelled it.
    const isOpen = ({ number, outcome }: JournalEntry): boolean =>
      answered?.has(number) === false && outcome !== 'client-left'
    return {
      isPassed: !('error' in failure),
      ...('error' in failure && { cause: causeOf(messageOf(failure.error), stackOf(failure.error)) }),
      ...failure,
      ...(faults.length === 0 ? { openCall: mock.journal.findIndex(isOpen) + 1 } : { output: stage.printed }),
      shown: stage.shown,
      entries,
    }
  }

  /** Runs the function in virtual time. An error that a property accepts does not end the run with an error. */
  async function runApp(faults: FaultSet) {
    const isBaseline = faults.length === 0
    const acceptsErrors = !isBaseline && checks.some((check) => check.acceptsErrors)
    const effects: SideEffect[] = []
    const run = describeRun(faults, known, engine, effects)
    let shown: string | undefined
    /** The calls of a run without faults that had an answer when the function ended. */
    let answered: ReadonlySet<number> | undefined
    let durationMs = 0
    const useApp = async (): Promise<unknown> => {
      const startedAt = Date.now()
      try {
        const returned = await app(mock, run)
        if (checks.length > 0) shown = textOf(returned)
        if (isBaseline) answered = new Set(mock.journal.filter(isAnswered).map(({ number }) => number))
        return returned
      } catch (error) {
        if (acceptsErrors && isReport(crashTextOf(error))) return undefined
        throw error
      } finally {
        durationMs = Date.now() - startedAt
      }
    }
    const end = await stage.run(useApp, { isQuiet: !isBaseline })
    return { end, answered, shown, effects, durationMs }
  }
  return { known, source, identity: { identity, ignore: source.ignore }, signal, play, close: () => stage.close() }
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
    effects.push({ name: of === undefined ? effect : `${effect} ${of}`, calls: journal.exchanges.length })
  },
})

const isAnswered = ({ outcome, timeline = [] }: JournalEntry): boolean =>
  outcome !== 'open' || timeline.some(({ type, atMs }) => type === 'head' && atMs !== undefined)

/** The value that an app returned, as text. */
function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '')
  } catch {
    return ''
  }
}

/** An error as a text that names a failed assertion, which Jest throws as a plain Error. */
function crashTextOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${'matcherResult' in error ? 'AssertionError' : error.name}: ${error.message}`
}

/** The stacks of an error and of its causes. */
const stackOf = (error: unknown): string => (error instanceof Error ? `${error.stack}\n${stackOf(error.cause)}` : '')
