/** A number of calls as scenarios write it: `1 call`, `5 calls`. */

export type CallCount = '1 call' | `${number} calls`

export const CALL_COUNT_PATTERN = /^(?:1 call|[1-9]\d{0,11} calls)$/

/** The form of a number of calls, for messages. */
export const CALL_COUNT = 'a number of calls such as 5 calls'

/** The number; undefined for anything else. */
export const parseCallCount = (value: unknown): number | undefined =>
  typeof value === 'string' && CALL_COUNT_PATTERN.test(value) ? Number.parseInt(value, 10) : undefined

/** The calls that pass before a fault applies: `skip: 5`, or `after: 5 calls`, which is the old name. */
export const skipOf = (skip: number | undefined, after: unknown): number | undefined => skip ?? parseCallCount(after)
