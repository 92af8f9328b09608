/** Replays a set of faults: runs an app under them once more, to see if it still fails. */
import type { AppPlayer } from './drive.ts'
import type { Played } from './played-run.ts'
import type { FaultSet } from './search/fault-set.ts'
import { observeCalls } from './search/known-calls.ts'

/** A flaky failure may pass once. */
const TRIES = 2

/** Runs an app until it fails, at most twice. */
export async function playTwice<Run extends Played>(
  signal: AbortSignal | undefined,
  play: () => Promise<Run>,
): Promise<Run> {
  let run = await play()
  for (let tries = 1; run.isPassed && tries < TRIES && signal?.aborted !== true; tries++) run = await play()
  return run
}

/**
 * Runs an app under faults. They name calls by their requests, so those that appear only under other faults have to be seen
 * first. The calls without faults were seen.
 * @returns the run with all faults; or the calls that the app did not make
 */
export async function replayFaults(
  player: AppPlayer,
  faults: FaultSet,
  show: (now: FaultSet) => void = () => {},
): Promise<{ readonly run: Played } | { readonly missing: readonly string[] }> {
  const { known, identity = {}, signal } = player
  for (let seen = 0; ; ) {
    const now = faults.filter(({ call }) => known.has(call))
    if (now.length <= seen) return { missing: faults.filter(({ call }) => !known.has(call)).map(({ call }) => call) }
    seen = now.length
    show(now)
    const run = await playTwice(signal, () => player.play(now))
    if (signal?.aborted === true || now.length === faults.length) return { run }
    observeCalls(run.entries, now, known, identity)
  }
}
