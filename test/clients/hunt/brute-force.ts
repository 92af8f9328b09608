/** Every set of faults on an app that makes one call: what a hunt is compared with. */

import { compileScenario } from '../../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../../src/core/scenario/compile/pattern.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { FAULT_CLASS_NAMES } from '../../../src/hunt/search/fault-classes.ts'
import { withFaults } from '../../../src/hunt/search/fault-rules.ts'
import { type FaultSet, type PlannedFault, withFault } from '../../../src/hunt/search/fault-set.ts'
import { type KnownCall, observeCalls } from '../../../src/hunt/search/known-calls.ts'
import type { SeenCall } from '../../../src/hunt/search/known-runs.ts'
import { createMock } from '../../../src/index.ts'
import { Stage } from '../../../src/play/stage.ts'
import type { HuntedApp, Variant } from './hunted-app.ts'

const EXTENTS = [1, 2, 3, 'every'] as const

/** How many sets of at most two faults there are on so many calls, with clients that try three times. */
export function countSets(calls: number): number {
  const places = calls * EXTENTS.length
  const classes = FAULT_CLASS_NAMES.length
  return places * classes + ((places * (places - 1)) / 2) * classes ** 2
}

export interface Tried {
  readonly faults: FaultSet
  readonly hasFailed: boolean
  /** What happened to each attempt: two sets with the same one give the same run. */
  readonly transcript: string
}

/**
 * Runs the app under every set of at most two faults.
 * @param listSets lists the sets, for the calls that the app makes without faults
 */
export async function tryAllSets(
  { scenario, use }: Pick<HuntedApp, 'scenario' | 'use'>,
  variant: Variant,
  listSets = (calls: readonly SeenCall[]) => allSets(calls.map(({ id }) => id)),
): Promise<readonly Tried[]> {
  const mock = createMock(scenario)
  const { source, name, seed, exampleKey: key } = mock.scenario
  const known = new Map<string, KnownCall>()
  const stage = new Stage(mock)
  let calls: readonly SeenCall[] = []
  const play = async (faults: FaultSet): Promise<Tried> => {
    engineOf(mock).use(compileScenario(withFaults(source, faults, known), { name, seed, compilePattern }))
    mock.reset()
    const outcome = await stage.run(() => use({ baseURL: mock.baseURL, key }, variant), { isQuiet: true })
    calls = observeCalls(mock.journal, faults, known, {})
    return { faults, hasFailed: 'error' in outcome, transcript: JSON.stringify(calls) }
  }
  try {
    await play([])
    const tried: Tried[] = []
    for (const faults of listSets(calls)) tried.push(await play(faults))
    return tried
  } finally {
    stage.close()
  }
}

function allSets(calls: readonly string[]): readonly FaultSet[] {
  const singles: readonly PlannedFault[] = calls.flatMap((call) =>
    EXTENTS.flatMap((attempt) => FAULT_CLASS_NAMES.map((fault) => ({ call, attempt, fault }))),
  )
  return [...singles.map((one) => [one]), ...pairsOf(singles)]
}

export const pairsOf = (singles: readonly PlannedFault[]): readonly FaultSet[] =>
  singles.flatMap((one, index) =>
    singles.slice(index + 1).flatMap((other) => {
      const pair = withFault([one], other)
      return pair === undefined ? [] : [pair]
    }),
  )
