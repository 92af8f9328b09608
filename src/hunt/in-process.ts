/**
 * The hunt in process: runs a function under sets of faults, in virtual time. `hunt` is what users import from
 * `llm-api-mock/hunt`. It returns a report, or throws a HuntError with a finding for each set of faults under which the function
 * fails.
 */
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
import { findIgnoreProblem } from '../core/scenario/compile/ignore.ts'
import { MOCK_OPTIONS } from '../engine/index.ts'
import type { ScenarioInput } from '../generated/scenario-input.ts'
import type { ScenarioChoice } from '../index.ts'
import { groupCauses } from './causes.ts'
import { blockOf, describeCause } from './describe-cause.ts'
import { drive, type Hunted, type HuntReport, type PlayedFinding, reportOf } from './drive.ts'
import { readToken, writeToken } from './fault-token.ts'
import { FunctionPlayer, type HuntedFunction, type PlayerOptions } from './function-player.ts'
import { replayFaults } from './replay-faults.ts'
import { NOTHING_PRUNED } from './search/experiments.ts'
import { FAULT_CLASS_NAMES, type FaultClassName } from './search/fault-classes.ts'
import { withFaults } from './search/fault-rules.ts'
import type { FaultSet } from './search/fault-set.ts'
import { IDENTITIES } from './search/known-calls.ts'

export interface HuntOptions extends PlayerOptions {
  /** Most faults that may come together, from 1 to 5. Default: 2. */
  readonly depth?: number | undefined
  /** Runs the function only under the faults of this token of a finding, to see if it still fails. */
  readonly replay?: string | undefined
  /** The classes of faults to try. Default: all. */
  readonly faults?: readonly FaultClassName[] | undefined
  /** The most runs under faults. Default: 10,000. */
  readonly runs?: number | undefined
  /** `cuts`: tries each place between the events of each streamed answer to cut it, with each way to end, and no other fault. */
  readonly only?: 'cuts' | undefined
  /** With `only: 'cuts'`: also cuts at each byte. Default: false. */
  readonly bytes?: boolean | undefined
  /** Also pairs a fault that a retry recovered from with faults of other calls. Default: false. */
  readonly exhaustive?: boolean | undefined
  /** Skips faults that never end: on every attempt of a call, or on a call and all later ones. Default: false. */
  readonly skipOutages?: boolean | undefined
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
  const { replay, faults = FAULT_CLASS_NAMES, depth = 2, runs = 10_000, only, bytes = false } = options
  const replayed = replay === undefined ? undefined : readToken(replay, 'hunt: The option replay').faults
  const player = new FunctionPlayer(choice, app, options)
  try {
    if (replayed !== undefined) return await replayInProcess(player, replayed)
    const result = await drive(player, {
      hunted: FUNCTION,
      faults,
      depth,
      maxRuns: runs,
      isExhaustive: options.exhaustive,
      skipOutages: options.skipOutages,
      cuts: only === 'cuts' ? { bytes, strategy: 'all' } : undefined,
    })
    options.signal?.throwIfAborted()
    const { findings, report, isCutShort } = result
    if (findings.length > 0) throw new HuntError(findings, player, report)
    if (!isCutShort) return report
    const message = `The function survived ${report.runs} runs, and sets of faults are left. Raise the option runs, or lower depth.`
    throw new MockError('hunt-cut-short', message)
  } finally {
    player.close()
  }
}

const FUNCTION: Hunted = {
  name: 'the function',
  callsHint: 'Give its client the address mock.baseURL.',
  option: (name, values) => {
    const texts = values.map((value) => `'${value}'`).join(', ')
    return `${name}: ${name === 'ignore' ? `[${texts}]` : texts}`
  },
}

/** @throws HuntError when the function still fails; MockError when it fails without faults, or does not make the calls */
async function replayInProcess(player: FunctionPlayer, faults: FaultSet): Promise<HuntReport> {
  const { known, signal } = player
  const { run, missing } = await replayFaults(player, FUNCTION.name, faults)
  signal?.throwIfAborted()
  if (run === undefined) throw new MockError('not-reached', `Failed to replay: the function ${missing}`)
  const report = reportOf(known, { runs: 1, pruned: NOTHING_PRUNED, table: { classes: [], rows: [] } })
  const { isPassed, error, output = [], cause = '' } = run
  if (isPassed) return report
  const again = await player.play(faults)
  const failures = again.isPassed ? 1 : 2
  throw new HuntError([{ faults, failures, tries: 2, error, output, cause, unscripted: [] }], player, report)
}

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

const MAX_SHOWN = 5
const MAX_OUTPUT_LINES = 10

/** The app failed under faults. The message names the smallest sets, and `findings` has all of them. */
export class HuntError extends MockError {
  override readonly name = 'HuntError'
  readonly findings: readonly HuntFinding[]
  /** The findings by their causes, in the order of the message. */
  readonly causes: readonly HuntCause[]
  readonly report: HuntReport

  constructor(found: readonly PlayedFinding[], { source, known }: FunctionPlayer, report: HuntReport) {
    const findings = found.map((finding): HuntFinding => {
      const scenario = withFaults(source, finding.faults, known) as ScenarioInput
      return { ...finding, scenario, token: writeToken(finding.faults, known, {}) }
    })
    const causes = groupCauses(findings).map((cause): HuntCause => {
      const described = describeCause(cause, known, 'skipOutages: true')
      const ofCause = cause.groups.flatMap((group) => group.findings)
      const replay = `Replay: { replay: '${ofCause[0]!.token}' }`
      const message = blockOf(described, described.output.slice(-MAX_OUTPUT_LINES), [replay])
      return { message, findings: ofCause, isOutage: cause.isOutage }
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
