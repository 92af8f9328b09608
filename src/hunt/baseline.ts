/** The runs of an app without faults: the basis of a hunt. */
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { IGNORED_PATH } from '../core/scenario/compile/ignore.ts'
import { findBodyDifferences } from '../core/scenario/conditions/request-condition.ts'
import { describeFailure, type PlayedRun } from './played-run.ts'
import type { IdentityOptions, KnownCalls } from './search/known-calls.ts'
import type { SeenCall } from './search/run-tree.ts'

/** The app that is hunted, for messages. */
export interface Hunted {
  /** `the function` */
  readonly name: string
  /** Remedy when it calls something else than the mock. */
  readonly callsHint: string
  /** Writes an option as the user does: `--ignore 'messages[0].content'`. */
  readonly option: (name: keyof IdentityOptions, values: readonly string[]) => string
}

/** Most paths that a message proposes to ignore. */
const MAX_PATHS = 3

/**
 * Runs the app twice without faults.
 * @returns undefined when the hunt was stopped
 * @throws MockError when it fails, makes no call, or makes other calls the second time
 */
export async function findBaseline(
  { name, callsHint, option }: Hunted,
  known: KnownCalls,
  play: () => Promise<PlayedRun | undefined>,
): Promise<PlayedRun | undefined> {
  const checkPassed = (run: PlayedRun, when: string): void => {
    if (run.openCall !== undefined) {
      const message = `Failed to hunt: ${name} ended while call ${run.openCall} was in flight. Await it.`
      throw new MockError('call-in-flight', message)
    }
    if (run.isPassed) return
    const remedy = run.calls.length === 0 ? `No call reached the mock. ${callsHint}` : 'Make it pass first.'
    const message = describeFailure(`Failed to hunt: ${name} fails without faults${when}. ${remedy}`, run)
    throw new MockError('fails-without-faults', message, { cause: run.error })
  }
  const first = await play()
  if (first === undefined) return undefined
  checkPassed(first, '')
  if (first.calls.length === 0)
    throw new MockError('no-calls', `Failed to hunt: ${name} made no call to the mock. ${callsHint}`)
  const second = await play()
  if (second === undefined) return undefined
  checkPassed(second, ' when it runs a second time')
  const difference = findDifference(first.calls, second.calls, known, option)
  if (difference === undefined) return first
  throw new MockError(
    'not-repeatable',
    `Failed to hunt: ${name} must make the same calls each time, and ${difference}.`,
  )
}

/** The first difference of two runs. Calls that are made at the same time may arrive in any order. */
function findDifference(
  first: readonly SeenCall[],
  second: readonly SeenCall[],
  known: KnownCalls,
  option: Hunted['option'],
): string | undefined {
  const place = second.findIndex(({ id, attempt }) => !first.some((one) => one.id === id && one.attempt === attempt))
  if (place < 0) {
    const counts = `the second run made ${second.length} calls and the first ${first.length}`
    return first.length === second.length ? undefined : counts
  }
  const before = known.get(first[place]?.id ?? '')
  const after = known.get(second[place]!.id)!
  if (before === undefined) return `the second run made one call more: ${after.label}`
  const [needed, found] = [before, after].map(({ when }): unknown => when.request ?? when)
  const changes = findBodyDifferences(needed, found, (one, other) => JSON.stringify(one) === JSON.stringify(other))
  const [change] = changes
  if (change === undefined) return `call ${place + 1} changed`
  const { needed: wasSent, found: isSent } = change.describe()
  const where = `call ${place + 1} changed at ${change.field}: ${wasSent}, then ${isSent}`
  if (before.isCounted && after.when.request === undefined) return where
  const paths = changes.map(({ field }) => field.replace(/^request\./, '')).filter((path) => IGNORED_PATH.test(path))
  const remedies = [
    ...(paths.length > 0 ? [`ignore what may change (${option('ignore', paths.slice(0, MAX_PATHS))})`] : []),
    `tell calls apart by their order (${option('identity', ['coarse'])})`,
  ]
  return `${where}. To hunt all the same, ${remedies.join(', or ')}`
}
