/** The limits of one run of a hunt. */
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'

/** An app that makes more calls in one run retries without end. */
export const MAX_CALLS = 1000

export const TOO_MANY_CALLS =
  'It made more than 1,000 calls, the limit of a run. Limit its retries, or hunt a smaller part.'

/** Room for all calls of a run. */
export const HUNT_JOURNAL = { entries: 10_000 }

/** Runs share nothing, and virtual time is not that of a store. @throws MockError for a scenario with shared limits */
export function refuseSharedLimits({ limits }: ScenarioSource): void {
  if (limits?.shared === undefined) return
  throw new MockError(
    'unsupported-scenario',
    'Failed to hunt: the scenario has limits.shared, and each run of a hunt has limits of its own. Remove limits.shared.',
  )
}
