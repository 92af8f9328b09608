/** What an app does without faults: the basis of a hunt. */
import { MockError } from '../core/errors/mock-error.ts'
import type { FaultSet } from '../core/hunt/fault-set.ts'
import type { KnownCall } from '../core/hunt/observe.ts'
import type { Run, SeenCall } from '../core/hunt/run.ts'
import { findBodyDifferences } from '../core/scenario/conditions/body-differences.ts'
import { messageOf } from './hunt-error.ts'

/** A run and what the app threw. */
export interface PlayedRun extends Run {
  readonly error?: unknown
}

const NO_FAULTS: FaultSet = []

/**
 * Runs the app twice without faults.
 * @throws MockError when it fails, makes no call, or makes other calls the second time
 */
export async function findBaseline(
  play: (faults: FaultSet) => Promise<PlayedRun>,
  known: ReadonlyMap<string, KnownCall>,
): Promise<Run> {
  const first = await play(NO_FAULTS)
  if (!first.isPassed) {
    const message = `Failed to hunt: the function fails without faults: ${messageOf(first.error)}`
    throw new MockError('fails-without-faults', message, { cause: first.error })
  }
  if (first.calls.length === 0) {
    throw new MockError(
      'no-calls',
      'Failed to hunt: the function made no call to the mock. Give its client the address mock.baseURL.',
    )
  }
  const second = await play(NO_FAULTS)
  const difference = findDifference(first.calls, second.calls, known)
  if (difference === undefined) return first
  throw new MockError(
    'not-repeatable',
    `Failed to hunt: the function must make the same calls each time, and ${difference}.`,
  )
}

/** Where two runs differ first. Calls that are made at the same time may arrive in any order. */
function findDifference(
  first: readonly SeenCall[],
  second: readonly SeenCall[],
  known: ReadonlyMap<string, KnownCall>,
): string | undefined {
  const place = second.findIndex(({ id, attempt }) => !first.some((one) => one.id === id && one.attempt === attempt))
  if (place < 0) {
    const counts = `the second run made ${second.length} calls and the first ${first.length}`
    return first.length === second.length ? undefined : counts
  }
  const before = known.get(first[place]?.id ?? '')
  const after = known.get(second[place]!.id)!
  if (before === undefined) return `the second run made one call more: ${after.label}`
  const [change] = findBodyDifferences(
    before.body,
    after.body,
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
  )
  const where = change === undefined ? '' : ` at ${change.field}: ${change.needed}, then ${change.found}`
  return `call ${place + 1} changed${where}`
}
