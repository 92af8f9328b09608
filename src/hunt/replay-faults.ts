/**
 * Replays a set of faults: runs an app under them once more, to see if it still fails.
 *
 * A fault on a fallback, which only another fault leads to, takes three runs: without faults, with the first fault, so that
 * the fallback is known, and with both.
 */
import { type Played, requirePassed } from '../play/index.ts'
import type { AppPlayer } from './drive.ts'
import type { FaultSet } from './search/fault-set.ts'
import { observeCalls } from './search/known-calls.ts'

/** The end of a replay: the run with all faults, or the reason why there is none, as `made no call ...`. */
type Replayed = { readonly run: Played; readonly missing?: never } | { readonly missing: string; readonly run?: never }

/**
 * Runs an app without faults, then under these. They name calls by their requests, so those that appear only under other
 * faults have to be seen first.
 * @param name the app in messages: `the function`
 * @throws as `playUsual` does
 */
export async function replayFaults(
  player: AppPlayer,
  name: string,
  faults: FaultSet,
  show: (now: FaultSet) => void = () => {},
): Promise<Replayed> {
  const { known, identity = {}, signal } = player
  await playUsual(player, name)
  let triedFaults = 0
  for (;;) {
    const onKnownCalls = faults.filter(({ call }) => known.has(call))
    if (onKnownCalls.length === triedFaults) {
      const missing = faults.flatMap(({ call }) => (known.has(call) ? [] : [call]))
      return { missing: `made no call ${missing.join(' or ')}. Its requests have changed. Hunt again.` }
    }
    triedFaults = onKnownCalls.length
    show(onKnownCalls)
    const run = await playTwice(signal, () => player.play(onKnownCalls))
    if (signal?.aborted === true || triedFaults === faults.length) return { run }
    observeCalls(run.entries, onKnownCalls, known, identity)
  }
}

/**
 * Runs an app without faults, so that its calls are known.
 * @throws MockError when it fails; the reason of the signal if that comes before
 */
export async function playUsual(player: AppPlayer, name: string): Promise<void> {
  const { known, identity = {}, signal } = player
  const run = await player.play([])
  signal?.throwIfAborted()
  requirePassed(run, `Failed to replay: ${name} fails without faults. Make it pass first.`)
  observeCalls(run.entries, [], known, identity)
}

/** Runs an app, and again if it passes: a flaky failure may pass once. */
export async function playTwice<Run extends Played>(
  signal: AbortSignal | undefined,
  play: () => Promise<Run>,
): Promise<Run> {
  const first = await play()
  return first.isPassed && signal?.aborted !== true ? play() : first
}
