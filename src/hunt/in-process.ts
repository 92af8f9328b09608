/** The hunt in process: runs a function under sets of faults, in virtual time. */
import type { JournalEntry } from '../core/journal/entry.ts'
import { countOf } from '../core/lib/text/wording.ts'
import {
  checkOptions,
  invalidOption,
  type OptionCheck,
  type OptionChecks,
  oneOf,
  wholeNumber,
} from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { compileScenario, replaceFaults, type Scenario } from '../core/scenario/compile/compile.ts'
import { findIgnoreProblem } from '../core/scenario/compile/ignore.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { engineOf, MOCK_OPTIONS } from '../engine/index.ts'
import type { ScenarioInput } from '../generated/scenario-input.ts'
import { createMock, type Mock, type ScenarioChoice } from '../index.ts'
import { causeOf, groupCauses } from './causes.ts'
import { describeCause } from './describe-findings.ts'
import { type AppPlayer, drive, type Hunted, type HuntReport, type PlayedFinding } from './drive.ts'
import { readToken, writeToken } from './fault-token.ts'
import { crashTextOf, type HuntedFunction, type HuntRun, runFault, shownOf } from './hunted-function.ts'
import {
  describeFailure,
  findClientFailure,
  HUNT_JOURNAL,
  messageOf,
  type Played,
  refuseSharedLimits,
} from './played-run.ts'
import {
  type CheckedRun,
  findBrokenProperty,
  type HuntCheck,
  isEffectName,
  isReport,
  type SideEffect,
} from './properties.ts'
import { replayFaults } from './replay-faults.ts'
import { FAULT_CLASS_NAMES, type FaultClassName } from './search/fault-classes.ts'
import { coverageOf } from './search/fault-coverage.ts'
import type { FaultSet } from './search/fault-set.ts'
import {
  IDENTITIES,
  type IdentityName,
  type IdentityOptions,
  ignoring,
  type KnownCall,
  type KnownCalls,
  labelOf,
  observeCalls,
  withFaults,
} from './search/known-calls.ts'
import { Stage } from './stage.ts'

export interface HuntOptions {
  /** Most faults that may come together, from 1 to 5. Default: 2. */
  readonly depth?: number | undefined
  /** Properties that each run must have, besides ending without an error: `[wholeOrError(), once('charge')]`. */
  readonly check?: readonly HuntCheck[] | undefined
  /** Runs the function only under the faults of this token of a finding, to see if it still fails. */
  readonly replay?: string | undefined
  /** The classes of faults to try. Default: all. */
  readonly faults?: readonly FaultClassName[] | undefined
  /** The most runs under faults. Default: 10,000. */
  readonly runs?: number | undefined
  /**
   * The parts that tell calls apart: their whole bodies (`exact`), or endpoint, model and place in the run (`coarse`).
   * Default: `exact`.
   */
  readonly identity?: IdentityName | undefined
  /** Paths and patterns of the body that may change from run to run: `['messages[0].content', '/\\d+:\\d+/']`. */
  readonly ignore?: readonly string[] | undefined
  /** `cuts`: tries each place between the events of each streamed answer to cut it, with each way to end, and no other fault. */
  readonly only?: 'cuts' | undefined
  /** With `only: 'cuts'`: also cuts at each byte. Default: false. */
  readonly bytes?: boolean | undefined
  /** Also pairs a fault that a retry recovered from with faults of other calls. Default: false. */
  readonly exhaustive?: boolean | undefined
  /** Skips faults that never end: on every attempt of a call, or on a call and all later ones. Default: false. */
  readonly skipOutages?: boolean | undefined
  /** The address that the function calls. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined
  /** Overrides the scenario's seed. */
  readonly seed?: number | string | undefined
  /** Stops the hunt, which then rejects with the signal's reason: that of a test, which aborts when the test times out. */
  readonly signal?: AbortSignal | undefined
}

/** A set of faults under which the app failed. */
export interface HuntFinding extends PlayedFinding {
  /** The scenario with these faults: `createMock(finding.scenario)`. */
  readonly scenario: ScenarioInput
  /** The faults as a text, for the option `replay`. */
  readonly token: string
}

/** Findings with one cause. */
export interface HuntCause {
  /** Its block of the message: the failure, the faults, and what was printed. */
  readonly message: string
  readonly findings: readonly HuntFinding[]
  /** True if only faults that never end show it. */
  readonly isOutage: boolean
}

const MAX_SHOWN = 5
const MAX_OUTPUT_LINES = 10

/** The app failed under faults. The message names the smallest sets, and `findings` has all of them. */
export class HuntError extends MockError {
  override readonly name = 'HuntError'
  readonly findings: readonly HuntFinding[]
  /** The findings by their causes, in the order of the message. */
  readonly causes: readonly HuntCause[]
  readonly report: HuntReport

  constructor(findings: readonly HuntFinding[], known: KnownCalls, report: HuntReport) {
    const causes = groupCauses(findings).map((cause): HuntCause => {
      const { size, faults, error, output } = describeCause(cause, known, 'skipOutages: true')
      const members = cause.groups.flatMap((group) => group.findings as readonly HuntFinding[])
      const printed = output.slice(-MAX_OUTPUT_LINES).map((line) => `| ${line}`)
      const lines = [...faults, ...printed, `Replay: { replay: '${members[0]!.token}' }`]
      // `FAILS with 1 fault: Unexpected end of JSON input`, the faults, and what was printed.
      const message = [`FAILS with ${size}: ${error}`, ...lines.map((line) => `  ${line}`)].join('\n')
      return { message, findings: members, isOutage: cause.isOutage }
    })
    const left = causes.length - MAX_SHOWN
    const more = left > 0 ? [`${countOf(left, 'more cause')} in error.causes.`] : []
    const shown = causes.slice(0, MAX_SHOWN).map(({ message }) => message)
    super('fails-under-faults', [...shown, ...more].join('\n'), { cause: findings[0]?.error })
    this.findings = findings
    this.causes = causes
    this.report = report
  }
}

const FLAG: OptionCheck = { expected: 'true or false', isValid: (value) => typeof value === 'boolean' }

const OPTIONS: OptionChecks<HuntOptions> = {
  depth: wholeNumber(1, 5),
  check: {
    expected: 'a list of properties such as [wholeOrError()]',
    isValid: (value) => Array.isArray(value) && value.every((one) => typeof one?.find === 'function'),
  },
  faults: { expected: 'a list of at least one class', isValid: (value) => Array.isArray(value) && value.length > 0 },
  runs: wholeNumber(1),
  identity: oneOf(...IDENTITIES),
  only: oneOf('cuts'),
  bytes: FLAG,
  ignore: { expected: 'a list', isValid: Array.isArray },
  replay: { expected: 'a token of a finding', isValid: (value) => typeof value === 'string' },
  exhaustive: FLAG,
  skipOutages: FLAG,
  baseURL: MOCK_OPTIONS.baseURL,
  seed: MOCK_OPTIONS.seed,
  signal: { expected: 'an AbortSignal', isValid: (value) => value instanceof AbortSignal },
}

const FUNCTION: Hunted = {
  name: 'the function',
  callsHint: 'Give its client the address mock.baseURL.',
  option: (name, values) => {
    const texts = values.map((value) => `'${value}'`).join(', ')
    return `${name}: ${name === 'ignore' ? `[${texts}]` : texts}`
  },
}

/**
 * Finds the smallest sets of faults under which a function fails. It runs the function again and again, in virtual time:
 * waits, back-off and time-outs take none. One hunt at a time can run in a process.
 * @param choice the scenario that the function runs against
 * @param app the actions of a user of the app; it fails by throwing, and makes the same calls each time
 * @returns the totals, when the function survives everything, or the faults of the option `replay`
 * @throws HuntError when it fails under faults; MockError when it fails without faults, makes no call, does not make the
 *   same calls each time, or survives as many runs as `runs` allows with sets of faults left
 * @example await hunt('default', (mock) => answer(new OpenAI({ apiKey: mock.scenario.exampleKey })))
 */
export async function hunt(
  choice: ScenarioChoice,
  app: HuntedFunction,
  options: HuntOptions = {},
): Promise<HuntReport> {
  checkHuntOptions(app, options)
  const replayed =
    options.replay === undefined ? undefined : readToken(options.replay, 'hunt: The option replay').faults
  const player = new FunctionPlayer(choice, app, options)
  try {
    if (replayed !== undefined) return await replayInProcess(player, replayed)
    const result = await drive(player, {
      hunted: FUNCTION,
      faults: options.faults ?? FAULT_CLASS_NAMES,
      depth: options.depth ?? 2,
      maxRuns: options.runs ?? 10_000,
      isExhaustive: options.exhaustive,
      skipOutages: options.skipOutages,
      cuts: options.only === 'cuts' ? { bytes: options.bytes === true, strategy: 'all' } : undefined,
    })
    options.signal?.throwIfAborted()
    const { findings, report, isCutShort } = result!
    if (findings.length > 0) {
      throw huntError(findings, player, report)
    }
    if (isCutShort) {
      throw new MockError(
        'hunt-cut-short',
        `The function survived ${report.runs} runs, and sets of faults are left. Raise the option runs, or lower depth.`,
      )
    }
    return report
  } finally {
    player.close()
  }
}

function huntError(
  findings: readonly PlayedFinding[],
  { source, known }: FunctionPlayer,
  report: HuntReport,
): HuntError {
  const reproducible = findings.map((finding): HuntFinding => {
    const scenario = withFaults(source, finding.faults, known) as ScenarioInput
    return { ...finding, scenario, token: writeToken(finding.faults, known, {}) }
  })
  return new HuntError(reproducible, known, report)
}

/** @throws HuntError when the function still fails; MockError when it fails without faults, or does not make the calls */
async function replayInProcess(player: FunctionPlayer, faults: FaultSet): Promise<HuntReport> {
  const { known, identity, signal } = player
  const usual = await player.play([])
  if (!usual.isPassed) {
    const message = describeFailure('Failed to replay: the function fails without faults. Make it pass first.', usual)
    throw new MockError('fails-without-faults', message, { cause: usual.error })
  }
  observeCalls(usual.entries, [], known, identity)
  const result = await replayFaults(player, faults)
  signal?.throwIfAborted()
  if ('missing' in result) {
    const calls = result.missing.join(' or ')
    throw new MockError(
      'not-reached',
      `Failed to replay: the function made no call ${calls}. Its requests have changed. Hunt again.`,
    )
  }
  const calls = [...known.keys()].map((id) => labelOf(id, known))
  const pruned = { knownRun: 0, failingSubset: 0, recoveredByRetry: 0, refused: 0, kept: 0 }
  const table = { classes: [], rows: [] }
  const report = { calls, runs: 1, pruned, table, coverage: coverageOf(table) }
  const { isPassed, error, output = [], cause = '' } = result.run
  if (isPassed) return report
  const again = await player.play(faults)
  const failures = again.isPassed ? 1 : 2
  throw huntError([{ faults, failures, tries: 2, error, output, cause, unscripted: [] }], player, report)
}

/** Runs a function under sets of faults, in this process. */
class FunctionPlayer implements AppPlayer {
  readonly known = new Map<string, KnownCall>()
  readonly identity: IdentityOptions
  readonly signal: AbortSignal | undefined
  /** The scenario without the faults of the hunt. */
  readonly source: ScenarioSource
  readonly #compiled: Scenario
  readonly #mock: Mock
  readonly #app: HuntedFunction
  readonly #checks: readonly HuntCheck[]
  readonly #stage: Stage
  /** The first run without faults. */
  #usual: CheckedRun | undefined

  constructor(choice: ScenarioChoice, app: HuntedFunction, options: HuntOptions) {
    const mock = createMock(choice, { baseURL: options.baseURL, seed: options.seed, journal: HUNT_JOURNAL })
    const { name, seed } = mock.scenario
    refuseSharedLimits(mock.scenario.source)
    this.source = ignoring(mock.scenario.source, options.ignore)
    this.identity = { identity: options.identity, ignore: this.source.ignore }
    this.signal = options.signal
    this.#compiled = compileScenario(this.source, { name, seed, compilePattern })
    this.#mock = mock
    this.#app = app
    this.#checks = options.check ?? []
    this.#stage = new Stage(mock, options.signal)
  }

  close(): void {
    this.#stage.close()
  }

  async play(faults: FaultSet): Promise<Played> {
    const mock = this.#mock
    const engine = engineOf(mock)
    engine.use(replaceFaults(this.#compiled, withFaults(this.source, faults, this.known), compilePattern))
    mock.reset()
    const isBaseline = faults.length === 0
    let answeredAtEnd: ReadonlySet<number> | undefined
    let shown: string | undefined
    let startedAt = 0
    let durationMs = 0
    const effects: SideEffect[] = []
    const { known } = this
    const run: HuntRun = {
      // Described when it is asked for: most functions do not.
      get faults() {
        return faults.map((fault) => runFault(fault, known))
      },
      did: (effect, of) => {
        if (!isEffectName(effect)) throw invalidOption('did', 'the side effect', 'a name without spaces', effect)
        effects.push({ name: of === undefined ? effect : `${effect} ${of}`, calls: engine.journal.exchanges.length })
      },
    }
    const appThenLook = async (): Promise<unknown> => {
      startedAt = Date.now()
      let returned: unknown
      try {
        returned = await this.#app(mock, run)
        if (this.#checks.length > 0) shown = shownOf(returned)
      } catch (error) {
        const isAccepted = !isBaseline && this.#checks.some(({ acceptsErrors }) => acceptsErrors)
        if (!isAccepted || !isReport(crashTextOf(error))) throw error
      } finally {
        durationMs = Date.now() - startedAt
      }
      if (!isBaseline) return returned
      const answered = mock.journal.filter(
        ({ outcome, timeline = [] }) =>
          outcome !== 'open' || timeline.some(({ type, atMs }) => type === 'head' && atMs !== undefined),
      )
      answeredAtEnd = new Set(answered.map(({ number }) => number))
      return returned
    }
    const end = await this.#stage.run(appThenLook, { isQuiet: !isBaseline })
    const unmet = 'error' in end ? undefined : findClientFailure(engine, false)
    const ended = unmet === undefined ? end : { error: new Error(unmet) }
    const entries = engine.journal.exchanges
    const checked = { shown, effects, entries, durationMs }
    // Copied, because the next run clears the texts of the journal.
    this.#usual ??= { ...checked, entries: mock.journal }
    const broken = 'error' in ended ? undefined : findBrokenProperty(this.#checks, checked, this.#usual)
    const failure = broken ?? ended
    // Nobody waited for a call that was not answered when the function ended, unless its client has cancelled it.
    const isOpen = ({ number, outcome }: JournalEntry): boolean =>
      answeredAtEnd?.has(number) === false && outcome !== 'client-left'
    const openCall = isBaseline ? mock.journal.findIndex(isOpen) : -1
    return {
      isPassed: !('error' in failure),
      ...('error' in failure && { cause: causeOf(messageOf(failure.error), stackOf(failure.error)) }),
      ...failure,
      ...(!isBaseline && { output: this.#stage.printed }),
      shown: this.#stage.shown,
      // Read before the next run: a copy of all timelines would take 3 % of a hunt.
      entries,
      ...(openCall >= 0 && { openCall: openCall + 1 }),
    }
  }
}

/** The stacks of an error and of its causes. */
const stackOf = (error: unknown): string => (error instanceof Error ? `${error.stack}\n${stackOf(error.cause)}` : '')

function checkHuntOptions(app: unknown, options: HuntOptions): void {
  checkOptions<HuntOptions>('hunt', options, OPTIONS)
  options.signal?.throwIfAborted()
  if (typeof app !== 'function') throw invalidOption('hunt', 'app', 'a function', app)
  const words = FAULT_CLASS_NAMES
  const wrong = options.faults?.find((name) => !words.includes(name))
  if (wrong !== undefined) throw invalidOption('hunt', 'each of faults', `one of ${words.join(', ')}`, wrong, { words })
  const problem = findIgnoreProblem(options.ignore ?? [])
  if (problem !== undefined) throw invalidOption('hunt', 'each of ignore', problem.expected, problem.found)
  if (options.bytes === true && options.only !== 'cuts')
    throw new MockError('invalid-option', "hunt: The option bytes needs only: 'cuts'.")
}
