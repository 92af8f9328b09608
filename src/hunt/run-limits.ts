/** The limits of one run of a hunt. */

/** An app that makes more calls in one run retries without end. */
export const MAX_CALLS = 1000

export const TOO_MANY_CALLS = `It made ${MAX_CALLS} calls and had not ended.`

/** Room for all calls of a run. */
export const HUNT_JOURNAL = { entries: 10_000 }
