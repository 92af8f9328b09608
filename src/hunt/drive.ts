/** Drives a hunt: finds the baseline, runs the sets of faults that the search proposes, and can be stopped. */

import type { JournalEntry } from '../core/journal/entry.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { findBaseline, type Hunted, type PlayedRun } from './baseline.ts'
import { type CutOptions, type CutTarget, exploreCuts } from './search/cuts.ts'
import type { SearchSteps } from './search/experiments.ts'
import { variantsOf } from './search/fault-classes.ts'
import type { FaultSet } from './search/fault-set.ts'
import { type IdentityOptions, identityOf } from './search/identity.ts'
import { type KnownCall, observe } from './search/observe.ts'
import { knownCall } from './search/reproduce.ts'
import type { Run } from './search/run.ts'
import { NOTHING_TRIED, type Progress, type SearchOptions, type SearchResult, search } from './search/search.ts'

/** What an app did under a set of faults. */
export interface Played {
  readonly isPassed: boolean
  /** Why it failed. */
  readonly error?: unknown
  readonly entries: readonly JournalEntry[]
  /** The number of a call that was in flight when the app ended: nobody waited for its answer. */
  readonly openCall?: number
  /** Whether it was ended early, so that it says nothing. Default: if the signal of the hunt came before its end. */
  readonly isStopped?: boolean
}

export interface DriveOptions extends Omit<SearchOptions, 'baseline' | 'onProgress'> {
  readonly hunted: Hunted
  /** Runs the app under a set of faults. Up to `jobs` runs happen at once. */
  readonly play: (faults: FaultSet) => Promise<Played>
  /** Gets the calls that are seen. */
  readonly known: Map<string, KnownCall>
  /** What makes two calls the same call. Default: their whole bodies. */
  readonly identity?: IdentityOptions
  /** Explores where the streamed answers of the baseline can be cut, and tries nothing else. */
  readonly cuts?: Pick<CutOptions, 'bytes' | 'strategy'>
  /** Called before runs, with the sets that are tried now; an empty set is a run without faults. */
  readonly onProgress?: (progress: Progress, now: readonly FaultSet[]) => void
  /** Stops the hunt. Runs that have not ended do not count. */
  readonly signal?: AbortSignal
}

export interface DriveResult extends SearchResult {
  /** What the app threw, for each set under which it failed. */
  readonly errors: ReadonlyMap<FaultSet, unknown>
}

/**
 * Runs the app twice without faults, then under those that the search proposes.
 * @returns what is known when the search has ended or was stopped
 * @throws MockError when the app fails without faults, makes no call, or makes other calls the second time
 */
export async function drive(options: DriveOptions): Promise<DriveResult> {
  const { hunted, cuts, onProgress, ...more } = options
  const { play: _, known, identity: __, signal: ___, ...searchOptions } = more
  const errors = new Map<FaultSet, unknown>()
  const playAll = (sets: readonly FaultSet[]) => playSets(sets, options, errors)
  const baseline = await findBaseline(
    (faults) => {
      onProgress?.(NOTHING_TRIED.progress, [faults])
      return playAll([faults]).then(([run]) => run)
    },
    known,
    hunted,
  )
  if (baseline === undefined) return { ...NOTHING_TRIED.result, errors }

  let progress = NOTHING_TRIED.progress
  const remember = (reached: Progress): void => {
    progress = reached
  }
  const shared = { ...searchOptions, onProgress: remember }
  const steps =
    cuts === undefined
      ? search({ ...shared, baseline, variantsFor: ({ call, fault }) => variantsOf(fault, knownCall(call, known)) })
      : exploreCuts({ ...shared, ...cuts, targets: findStreams(baseline, known, hunted) })
  const result = await runSteps(steps, (sets) => {
    onProgress?.(progress, sets)
    return playAll(sets)
  })
  return { ...result, errors }
}

/** Runs what a search proposes, to its end. */
export async function runSteps<Result>(
  steps: SearchSteps<Result>,
  playAll: (sets: readonly FaultSet[]) => Promise<readonly (Run | undefined)[]>,
): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) step = steps.next(await playAll(step.value))
  return step.value
}

/**
 * Runs the app under several sets of faults at once.
 * @param errors gets what the app threw
 * @returns a run for each set; undefined for one that the end of the hunt stopped
 */
export async function playSets(
  sets: readonly FaultSet[],
  { play, known, identity = {}, signal }: Pick<DriveOptions, 'play' | 'known' | 'identity' | 'signal'>,
  errors: Map<FaultSet, unknown>,
): Promise<(PlayedRun | undefined)[]> {
  if (signal?.aborted) return []
  const playOne = async (faults: FaultSet): Promise<Played | undefined> => {
    const played = await play(faults)
    return (played.isStopped ?? signal?.aborted) ? undefined : played
  }
  const played = await Promise.all(sets.map(playOne))
  const identifyRun = identityOf(identity)
  // Read in the order of the sets, so that the calls have the same numbers however long each run took.
  return played.map((one, index) => {
    if (one === undefined) return undefined
    const { entries, ...run } = one
    if (!run.isPassed) errors.set(sets[index]!, run.error)
    return { ...run, calls: observe(entries, sets[index]!, known, identifyRun()) }
  })
}

/** The streamed answers of a run. @throws MockError when there are none */
function findStreams({ calls }: Run, known: ReadonlyMap<string, KnownCall>, { name }: Hunted): CutTarget[] {
  const targets = calls.map(({ id, attempt }) => ({ call: id, attempt, sizes: known.get(id)!.eventSizes }))
  const streams = targets.filter(({ sizes }) => sizes.length > 0)
  if (streams.length > 0) return streams
  throw new MockError('no-streams', `Failed to hunt: ${name} streams no answer, so there is nothing to cut.`)
}
