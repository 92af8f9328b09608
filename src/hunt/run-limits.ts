/** The limits of one run of a hunt. */

/** An app that makes more calls in one run retries without end. */
export const MAX_CALLS = 1000

export const TOO_MANY_CALLS =
  'It made more than 1,000 calls, the limit of a run. Limit its retries, or hunt a smaller part.'

/** Room for all calls of a run. */
export const HUNT_JOURNAL = { entries: 10_000 }
