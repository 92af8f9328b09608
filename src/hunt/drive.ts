/**
 * Drives a hunt: finds the baseline, runs the sets of faults that the search proposes, and can be stopped.
 *
 * A *player* runs the app, in this process or as a command. The *baseline* is its run without faults. The search proposes
 * `[{ call: '1q307jmytm5', attempt: 1, fault: 'hang' }]`, the player runs the app under it, and the run tells the search
 * which calls the app made then and if it passed.
 */

import { MockError } from '../core/protocol/errors/mock-error.ts'
import { IGNORED_PATH } from '../core/scenario/compile/ignore.ts'
import { messageOf, type Played, requirePassed } from '../play/index.ts'
import { CUT_ENDS, CutSearch, type CutSearchOptions, type CutTarget, endOf } from './search/cut-search.ts'
import type { Experiments, FailingSet, Pruned, SearchProgress, SearchResult } from './search/experiments.ts'
import { faultsOfClass } from './search/fault-classes.ts'
import { coverageOf, type FaultCoverage } from './search/fault-coverage.ts'
import { FaultSearch, type FaultSearchOptions } from './search/fault-search.ts'
import type { FaultSet } from './search/fault-set.ts'
import { buildTable, type HuntTable, type KeptCells } from './search/hunt-table.ts'
import {
  bodyDifferences,
  type IdentityOptions,
  type KnownCall,
  type KnownCalls,
  knownCall,
  labelOf,
  observeCalls,
} from './search/known-calls.ts'
import type { AppRun, SeenCall } from './search/known-runs.ts'

/** A played run, with its calls in place of the entries of the journal. */
type PlayedRun = AppRun & Omit<Played, 'entries' | 'isStopped'>

/** Runs an app again and again. */
export interface AppPlayer {
  /** Runs the app under a set of faults. Several runs may happen at once. */
  play(faults: FaultSet): Promise<Played>
  /** Gets the calls that are seen. */
  readonly known: Map<string, KnownCall>
  /** Options that decide which calls are the same call. Default: those with the same body. */
  readonly identity?: IdentityOptions
  /** Stops the hunt. Runs that have not ended do not count. */
  readonly signal?: AbortSignal | undefined
}

/** The app that is hunted, for messages. */
export interface Hunted {
  /** `the function` */
  readonly name: string
  /** Remedy when it calls something else than the mock. */
  readonly callsHint: string
  /** Writes an option as the user does: `--ignore 'messages[0].content'`. */
  readonly option: (name: keyof IdentityOptions, values: readonly string[]) => string
}

/** A set of faults under which the app failed, with what it did then. */
export interface PlayedFinding extends FailingSet {
  /** The error that the app threw. */
  readonly error: unknown
  /** Lines that the app printed then: in process the last 20, unless the test spies on the console. */
  readonly output: readonly string[]
  /** The name of what made it fail: findings with the same one are shown as one. */
  readonly cause: string
  /** The calls that only faults led to and that no rule of the scenario matched: the echo answered them. */
  readonly unscripted: readonly string[]
}

/** Called before runs, with the sets that are tried now; an empty set is a run without faults. */
type OnProgress = (progress: SearchProgress, now: readonly FaultSet[]) => void

export interface DriveOptions extends Omit<FaultSearchOptions, 'baseline' | 'variantsFor' | 'kept'> {
  readonly hunted: Hunted
  /** Explores where the streamed answers of the baseline can be cut, and tries nothing else. */
  readonly cuts?: Pick<CutSearchOptions, 'bytes' | 'strategy'> | undefined
  readonly onProgress?: OnProgress
  /** The results that are kept from an earlier hunt. */
  readonly kept?: KeptCells | undefined
}

/** Totals of a hunt. */
export interface HuntReport {
  /** The calls that were seen, with those that only faults led to: `POST chat "Hello"`. */
  readonly calls: readonly string[]
  /** Runs under faults. */
  readonly runs: number
  /** Sets of faults that were not run, by the reason. */
  readonly pruned: Pruned
  /** The outcome of each call under each class of faults. */
  readonly table: HuntTable
  /** Totals of the table: how much was tried, and how many changed answers were noticed. */
  readonly coverage: FaultCoverage
}

/**
 * Runs the app twice without faults, then under those that the search proposes.
 * @returns the result when the search has ended or was stopped
 * @throws MockError when the app fails without faults, makes no call, or makes other calls the second time; the reason of
 *   the signal if that comes before
 */
export async function drive(player: AppPlayer, options: DriveOptions) {
  const { known } = player
  const { hunted, cuts, faults, depth, jobs, maxRuns, onProgress, kept } = options
  const baseline = await findBaseline(hunted, player, onProgress)
  // The first fault of a class stands for it in the search; the others are its variants.
  const variantsFor: FaultSearchOptions['variantsFor'] = ({ call, fault }) =>
    faultsOfClass(fault, knownCall(call, known)).slice(1)
  const streams = baseline.calls
    .map(({ id, attempt }): CutTarget => ({ call: id, attempt, sizes: knownCall(id, known).eventSizes }))
    .filter(({ sizes }) => sizes.length > 0)
  if (cuts !== undefined && streams.length === 0)
    throw new MockError('no-streams', `Failed to hunt: ${hunted.name} streams no answer, so there is nothing to cut.`)
  const search =
    cuts === undefined
      ? new FaultSearch({ ...options, baseline, variantsFor })
      : new CutSearch({ ...cuts, jobs, maxRuns, targets: streams })
  const result = await playSearch(search, player, onProgress)
  const table =
    cuts === undefined
      ? buildTable(result, known, baseline, faults, { depth, kept })
      : buildTable(result, known, baseline, CUT_ENDS, { nameOfClass: endOf })
  const report = reportOf(known, { runs: result.tried.length, pruned: result.pruned, table })
  return { ...result, report }
}

/** The totals of a hunt, with what follows from its calls and its table. */
export const reportOf = (known: KnownCalls, totals: Omit<HuntReport, 'calls' | 'coverage'>): HuntReport => ({
  calls: [...known.keys()].map((id) => labelOf(id, known)),
  ...totals,
  coverage: coverageOf(totals.table),
})

/** Runs what a search proposes, until it ends or is stopped. */
export async function playSearch(
  search: Experiments,
  player: AppPlayer,
  onProgress?: OnProgress,
): Promise<SearchResult & { readonly findings: readonly PlayedFinding[] }> {
  const failures = new Map<FaultSet, PlayedRun>()
  // Known so far are only the calls that the app makes without faults.
  const usualCalls = new Set(player.known.keys())
  const steps = search.run()
  let step = steps.next()
  while (step.done !== true) {
    const sets = step.value
    onProgress?.(search.progress, sets)
    const runs = await playSets(sets, player)
    for (const [index, run] of runs.entries()) if (run?.isPassed === false) failures.set(sets[index]!, run)
    step = steps.next(runs)
  }
  const findings = step.value.findings.map((finding): PlayedFinding => {
    const { error, output = [], cause = messageOf(error), calls = [] } = failures.get(finding.faults) ?? {}
    const unscripted = calls.filter(({ id, isUnscripted }) => isUnscripted === true && !usualCalls.has(id))
    return { ...finding, error, output, cause, unscripted: [...new Set(unscripted.map(({ id }) => id))] }
  })
  return { ...step.value, findings }
}

/** Runs the app under several sets of faults at once. A run is undefined if the end of the hunt stopped it. */
async function playSets(sets: readonly FaultSet[], player: AppPlayer): Promise<(PlayedRun | undefined)[]> {
  const { known, identity = {}, signal } = player
  if (signal?.aborted) return []
  const played = await Promise.all(
    sets.map(async (faults) => {
      const run = await player.play(faults)
      const isStopped = run.isStopped ?? signal?.aborted
      return isStopped ? undefined : run
    }),
  )
  // Read in the order of the sets, so that the calls have the same numbers however long each run took.
  return played.map((run, index) => {
    if (run === undefined) return undefined
    const { entries, ...rest } = run
    return { ...rest, calls: observeCalls(entries, sets[index]!, known, identity) }
  })
}

const NO_FAULTS: FaultSet = []

/**
 * Runs the app twice without faults.
 * @returns the first run, with the digests of its output that both runs share
 * @throws MockError when it fails, makes no call, or makes other calls the second time
 */
async function findBaseline(hunted: Hunted, player: AppPlayer, onProgress?: OnProgress): Promise<PlayedRun> {
  const { name, callsHint, option } = hunted
  const playWithoutFaults = async (when: string): Promise<PlayedRun> => {
    onProgress?.({ tried: 0, found: 0, left: 0 }, [NO_FAULTS])
    const [run] = await playSets([NO_FAULTS], player)
    // Only a hunt that was stopped has no run.
    player.signal?.throwIfAborted()
    const { openCall, calls } = run!
    if (openCall !== undefined) {
      const message = `Failed to hunt: ${name} ended while call ${openCall} was in flight. Await it.`
      throw new MockError('call-in-flight', message)
    }
    const remedy = calls.length === 0 ? `No call reached the mock. ${callsHint}` : 'Make it pass first.'
    requirePassed(run!, `Failed to hunt: ${name} fails without faults${when}. ${remedy}`)
    return run!
  }
  const first = await playWithoutFaults('')
  if (first.calls.length === 0)
    throw new MockError('no-calls', `Failed to hunt: ${name} made no call to the mock. ${callsHint}`)
  const second = await playWithoutFaults(' when it runs a second time')
  const difference = findDifference(first.calls, second.calls, player.known, option)
  // A digest that differs without faults says nothing under faults.
  if (difference === undefined)
    return { ...first, shown: first.shown?.filter((digest) => second.shown?.includes(digest)) }
  const message = `Failed to hunt: ${name} must make the same calls each time, and ${difference}.`
  throw new MockError('not-repeatable', message)
}

/** Most paths that a message proposes to ignore. */
const MAX_PATHS = 3

/**
 * The first difference of two runs in words: `call 2 changed at messages[0].content: "at 10:01", then "at 10:02". To hunt all
 * the same, ignore what may change (--ignore 'messages[0].content')`. Calls that are made at the same time may arrive in
 * any order.
 */
function findDifference(
  first: readonly SeenCall[],
  second: readonly SeenCall[],
  known: KnownCalls,
  option: Hunted['option'],
): string | undefined {
  const index = second.findIndex(({ id, attempt }) => !first.some((call) => call.id === id && call.attempt === attempt))
  if (index < 0) {
    if (first.length === second.length) return undefined
    return `the second run made ${second.length} calls and the first ${first.length}`
  }
  const before = known.get(first[index]?.id ?? '')
  const after = known.get(second[index]!.id)!
  if (before === undefined) return `the second run made one call more: ${after.label}`
  const changes = bodyDifferences(before, after)
  const [change] = changes
  if (change === undefined) return `call ${index + 1} changed`
  const { needed: wasSent, found: isSent } = change.describe()
  const where = `call ${index + 1} changed at ${change.field}: ${wasSent}, then ${isSent}`
  // With coarse identity, their bodies are ignored and their order is all there is.
  if (before.isCounted && after.when.request === undefined) return where
  const paths = changes.map(({ field }) => field.replace(/^request\./, '')).filter((path) => IGNORED_PATH.test(path))
  const remedies = [
    ...(paths.length > 0 ? [`ignore what may change (${option('ignore', paths.slice(0, MAX_PATHS))})`] : []),
    `tell calls apart by their order (${option('identity', ['coarse'])})`,
  ]
  return `${where}. To hunt all the same, ${remedies.join(', or ')}`
}
