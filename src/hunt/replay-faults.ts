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
 * @throws MockError when it fails without faults; the reason of the signal if that comes before
 */
export async function replayFaults(
  player: AppPlayer,
  name: string,
  faults: FaultSet,
  show: (now: FaultSet) => void = () => {},
): Promise<Replayed> {
  const { known, identity = {}, signal } = player
  // An earlier replay of this player may have run it without faults.
  if (known.size === 0) {
    const usual = await player.play([])
    signal?.throwIfAborted()
    requirePassed(usual, `Failed to replay: ${name} fails without faults. Make it pass first.`)
    observeCalls(usual.entries, [], known, identity)
  }
  let triedFaults = 0
  for (;;) {
    const onKnownCalls = faults.filter(({ call }) => known.has(call))
    if (onKnownCalls.length === triedFaults) {
      const missing = faults.flatMap(({ call }) => (known.has(call) ? [] : [call]))
      return { missing: `made no call ${missing.join(' or ')}. Its requests have changed. Hunt again.` }
    }
    triedFaults = onKnownCalls.length
    show(onKnownCalls)
    const first = await player.play(onKnownCalls)
    // A flaky failure may pass once.
    const run = first.isPassed && signal?.aborted !== true ? await player.play(onKnownCalls) : first
    if (signal?.aborted === true) return { run }
    const isHit = observeCalls(run.entries, onKnownCalls, known, identity).some(({ fault }) => fault !== undefined)
    // A fault on the second attempt of a call that is made only once says nothing.
    if (triedFaults === faults.length && run.isPassed && !isHit)
      return { missing: 'made none of the attempts that these faults hit. Hunt again.' }
    if (triedFaults === faults.length) return { run }
  }
}
