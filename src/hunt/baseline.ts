/** What an app does without faults: the basis of a hunt. */
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { IGNORED_PATH } from '../core/scenario/compile/ignore.ts'
import { findBodyDifferences } from '../core/scenario/conditions/body-differences.ts'
import { messageOf } from './hunt-error.ts'
import type { FaultSet } from './search/fault-set.ts'
import type { IdentityOptions } from './search/identity.ts'
import type { KnownCall } from './search/observe.ts'
import type { Run, SeenCall } from './search/run.ts'

/** A run and what the app threw. */
export interface PlayedRun extends Run {
  readonly error?: unknown
  /** The number of a call that was in flight when the app ended. */
  readonly openCall?: number
}

/** What is hunted, for messages. */
export interface Hunted {
  /** `the function` */
  readonly name: string
  /** What to do when it calls something else than the mock. */
  readonly callsHint: string
  /** How an option is written. Default: as for a command, `--ignore 'messages[0].content'`. */
  readonly option?: (name: keyof IdentityOptions, values: readonly string[]) => string
}

const commandOption: NonNullable<Hunted['option']> = (name, values) =>
  values.map((value) => `--${name} '${value}'`).join(' ')

const NO_FAULTS: FaultSet = []

/**
 * Runs the app twice without faults.
 * @returns undefined when the hunt was stopped
 * @throws MockError when it fails, makes no call, or makes other calls the second time
 */
export async function findBaseline(
  play: (faults: FaultSet) => Promise<PlayedRun | undefined>,
  known: ReadonlyMap<string, KnownCall>,
  { name, callsHint, option = commandOption }: Hunted,
): Promise<Run | undefined> {
  const checkPassed = ({ isPassed, error, openCall, calls }: PlayedRun, when: string): void => {
    if (openCall !== undefined) {
      const message = `Failed to hunt: ${name} ended while call ${openCall} was in flight. Await it.`
      throw new MockError('call-in-flight', message)
    }
    if (isPassed) return
    const remedy = calls.length === 0 ? `No call reached the mock. ${callsHint}` : 'Make it pass first.'
    const message = `Failed to hunt: ${name} fails without faults${when}. ${remedy}\n  ${messageOf(error)}`
    throw new MockError('fails-without-faults', message, { cause: error })
  }
  const first = await play(NO_FAULTS)
  if (first === undefined) return undefined
  checkPassed(first, '')
  if (first.calls.length === 0)
    throw new MockError('no-calls', `Failed to hunt: ${name} made no call to the mock. ${callsHint}`)
  const second = await play(NO_FAULTS)
  if (second === undefined) return undefined
  checkPassed(second, ' when it runs a second time')
  const difference = findDifference(first.calls, second.calls, known, option)
  if (difference === undefined) return first
  throw new MockError(
    'not-repeatable',
    `Failed to hunt: ${name} must make the same calls each time, and ${difference}.`,
  )
}

/** Where two runs differ first. Calls that are made at the same time may arrive in any order. */
function findDifference(
  first: readonly SeenCall[],
  second: readonly SeenCall[],
  known: ReadonlyMap<string, KnownCall>,
  option: NonNullable<Hunted['option']>,
): string | undefined {
  const place = second.findIndex(({ id, attempt }) => !first.some((one) => one.id === id && one.attempt === attempt))
  if (place < 0) {
    const counts = `the second run made ${second.length} calls and the first ${first.length}`
    return first.length === second.length ? undefined : counts
  }
  const before = known.get(first[place]?.id ?? '')
  const after = known.get(second[place]!.id)!
  if (before === undefined) return `the second run made one call more: ${after.label}`
  const changes = findBodyDifferences(
    comparedOf(before),
    comparedOf(after),
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
  )
  const [change] = changes
  if (change === undefined) return `call ${place + 1} changed`
  const where = `${change.field}: ${change.needed}, then ${change.found}`
  const paths = changes.map(({ field }) => field.replace(/^request\./, '')).filter((path) => IGNORED_PATH.test(path))
  const ignore = paths.length > 0 ? [`ignore what may change (${option('ignore', paths.slice(0, MAX_PATHS))})`] : []
  const remedies =
    before.isCounted && after.when.request === undefined
      ? []
      : [...ignore, `tell calls apart by their order (${option('identity', ['coarse'])})`]
  const remedy = remedies.length > 0 ? `. To hunt all the same, ${remedies.join(', or ')}` : ''
  return `call ${place + 1} changed at ${where}${remedy}`
}

const MAX_PATHS = 3

/** What tells the call apart from others. */
const comparedOf = ({ when }: KnownCall): unknown => when.request ?? when
