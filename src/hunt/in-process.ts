/** The hunt in process: runs a function under sets of faults, in virtual time. */

import type { JournalEntry } from '../core/journal/entry.ts'
import { checkOptions, invalidOption, type OptionChecks, wholeNumber } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { compileScenario, replaceFaults, type Scenario } from '../core/scenario/compile/compile.ts'
import { findIgnoreProblem } from '../core/scenario/compile/ignore.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { engineOf } from '../engine/mock.ts'
import { MOCK_OPTIONS } from '../engine/mock-options.ts'
import type { ScenarioInput } from '../generated/scenario-input.ts'
import { createMock, type Mock, type ScenarioChoice } from '../index.ts'
import type { Hunted } from './baseline.ts'
import { findConductFailure } from './conduct-failure.ts'
import { type DriveResult, drive, type Played } from './drive.ts'
import { HuntError, type HuntReport } from './hunt-error.ts'
import { HUNT_JOURNAL, refuseSharedLimits } from './run-limits.ts'
import { CUT_ENDS, endOf } from './search/cuts.ts'
import { FAULT_CLASS_NAMES, type FaultClassName } from './search/fault-classes.ts'
import type { FaultSet } from './search/fault-set.ts'
import { IDENTITIES, type IdentityName, ignoring } from './search/identity.ts'
import type { KnownCall } from './search/observe.ts'
import { withFaults } from './search/reproduce.ts'
import { buildTable } from './search/table.ts'
import { Stage } from './stage.ts'

export interface HuntOptions {
  /** How many faults may come together, from 1 to 5. Default: 2. */
  readonly depth?: number | undefined
  /** The classes of faults to try. Default: all. */
  readonly faults?: readonly FaultClassName[] | undefined
  /** The most runs under faults. Default: 10,000. */
  readonly runs?: number | undefined
  /**
   * What tells calls apart: their whole bodies (`exact`), or their endpoint, model and place in the run (`coarse`).
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
  /** The address that the function calls. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined
  /** Overrides the scenario's seed. */
  readonly seed?: number | string | undefined
  /** Stops the hunt, which then rejects with the signal's reason: that of a test, which aborts when the test times out. */
  readonly signal?: AbortSignal | undefined
}

const OPTIONS: OptionChecks<HuntOptions> = {
  depth: wholeNumber(1, 5),
  faults: {
    expected: 'a list of at least one class',
    isValid: (value) => Array.isArray(value) && value.length > 0,
  },
  runs: wholeNumber(1),
  identity: {
    expected: `one of ${IDENTITIES.join(', ')}`,
    isValid: (value) => IDENTITIES.includes(value as IdentityName),
  },
  only: { expected: "'cuts'", isValid: (value) => value === 'cuts' },
  bytes: { expected: 'true or false', isValid: (value) => typeof value === 'boolean' },
  ignore: { expected: 'a list', isValid: Array.isArray },
  exhaustive: { expected: 'true or false', isValid: (value) => typeof value === 'boolean' },
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
 * @param app what a user does with the app; it fails by throwing, and makes the same calls each time
 * @returns what was tried, when the function survives everything
 * @throws HuntError when it fails under faults; MockError when it fails without faults, makes no call, does not make the
 *   same calls each time, or survives as many runs as `runs` allows with sets of faults left
 * @example await hunt('default', (mock) => answer(new OpenAI({ apiKey: mock.scenario.exampleKey })))
 */
export async function hunt(
  choice: ScenarioChoice,
  app: (mock: Mock) => Promise<unknown>,
  options: HuntOptions = {},
): Promise<HuntReport> {
  checkHuntOptions(app, options)
  const { depth = 2, faults: classes = FAULT_CLASS_NAMES, runs: maxRuns = 10_000, signal } = options
  const setting = buildSetting(choice, options)
  const { mock, source, known } = setting
  const stage = new Stage(mock, signal)
  try {
    const { errors, ...result } = await drive({
      hunted: FUNCTION,
      play: (faults) => playFunction(app, faults, setting, stage),
      known,
      identity: { identity: options.identity, ignore: source.ignore },
      faultsFor: () => classes,
      depth,
      maxRuns,
      isExhaustive: options.exhaustive === true,
      ...(options.only === 'cuts' && { cuts: { bytes: options.bytes === true, strategy: 'all' } }),
      ...(signal !== undefined && { signal }),
    })
    signal?.throwIfAborted()
    const report: HuntReport = {
      calls: [...known.values()].map(({ label }) => label),
      runs: result.tried.length,
      pruned: result.pruned,
      table: options.only === 'cuts' ? buildTable(result, known, CUT_ENDS, endOf) : buildTable(result, known, classes),
    }
    throwFindings({ ...result, errors }, setting, report)
    return report
  } finally {
    stage.close()
  }
}

function checkHuntOptions(app: unknown, options: HuntOptions): void {
  checkOptions<HuntOptions>('hunt', options, OPTIONS)
  options.signal?.throwIfAborted()
  if (typeof app !== 'function') throw invalidOption('hunt', 'app', 'a function', app)
  for (const name of options.faults ?? []) {
    const words = FAULT_CLASS_NAMES
    if (!words.includes(name))
      throw invalidOption('hunt', 'each of faults', `one of ${words.join(', ')}`, name, { words })
  }
  const problem = findIgnoreProblem(options.ignore ?? [])
  if (problem !== undefined) throw invalidOption('hunt', 'each of ignore', problem.expected, problem.found)
  if (options.bytes === true && options.only !== 'cuts')
    throw new MockError('invalid-option', "hunt: The option bytes needs only: 'cuts'.")
}

/** What all runs share. */
interface Setting {
  readonly mock: Mock
  /** The scenario without the faults of the hunt. */
  readonly source: ScenarioSource
  readonly compiled: Scenario
  readonly known: Map<string, KnownCall>
  /** What the function printed when it failed, for each set of faults. */
  readonly outputs: Map<FaultSet, readonly string[]>
}

function buildSetting(choice: ScenarioChoice, { baseURL, seed: givenSeed, ignore }: HuntOptions): Setting {
  const mock = createMock(choice, { baseURL, seed: givenSeed, journal: HUNT_JOURNAL })
  const { name, seed } = mock.scenario
  refuseSharedLimits(mock.scenario.source)
  const source = ignoring(mock.scenario.source, ignore)
  return {
    mock,
    source,
    compiled: compileScenario(source, { name, seed, compilePattern }),
    known: new Map(),
    outputs: new Map(),
  }
}

async function playFunction(
  app: (mock: Mock) => Promise<unknown>,
  faults: FaultSet,
  { mock, source, compiled, known, outputs }: Setting,
  stage: Stage,
): Promise<Played> {
  const engine = engineOf(mock)
  engine.use(replaceFaults(compiled, withFaults(source, faults, known), compilePattern))
  mock.reset()
  const isBaseline = faults.length === 0
  let answeredAtEnd: ReadonlySet<number> | undefined
  const appThenLook = async (): Promise<void> => {
    await app(mock)
    if (isBaseline) answeredAtEnd = new Set(mock.journal.filter(isAnswered).map(({ number }) => number))
  }
  const outcome = await stage.run(appThenLook, { isQuiet: !isBaseline })
  const unmet = 'error' in outcome ? undefined : findConductFailure(engine, false)
  const failure = unmet === undefined ? outcome : { error: new Error(unmet) }
  if ('error' in failure) outputs.set(faults, stage.printed)
  const openCall = answeredAtEnd === undefined ? -1 : mock.journal.findIndex((entry) => wasOpen(entry, answeredAtEnd!))
  return {
    ...failure,
    isPassed: !('error' in failure),
    // Read before the next run: a copy of all timelines would take 3 % of a hunt.
    entries: engine.journal.exchanges,
    ...(openCall >= 0 && { openCall: openCall + 1 }),
  }
}

const isAnswered = ({ outcome, timeline = [] }: JournalEntry): boolean =>
  outcome !== 'open' || timeline.some(({ type, atMs }) => type === 'head' && atMs !== undefined)

/** Whether nobody waited for a call: it was not answered when the function ended, and its client has not cancelled it. */
const wasOpen = ({ number, outcome }: JournalEntry, answeredAtEnd: ReadonlySet<number>): boolean =>
  !answeredAtEnd.has(number) && outcome !== 'client-left'

/** @throws HuntError when the function fails under faults; MockError when sets of faults are left */
function throwFindings(
  { findings, tried, isCutShort, errors }: DriveResult,
  { source, known, outputs }: Setting,
  report: HuntReport,
): void {
  if (findings.length > 0) {
    const described = findings.map((finding) => {
      const { faults } = finding
      return {
        ...finding,
        error: errors.get(faults),
        output: outputs.get(faults) ?? [],
        scenario: withFaults(source, faults, known) as ScenarioInput,
      }
    })
    throw new HuntError(described, known, report)
  }
  if (isCutShort) {
    throw new MockError(
      'hunt-cut-short',
      `The function survived ${tried.length} runs, and sets of faults are left. Raise the option runs, or lower depth.`,
    )
  }
}
