/** A number of calls as scenarios write it: `1 call`, `5 calls`. */

export type CallCount = '1 call' | `${number} calls`

export const CALL_COUNT_PATTERN = /^(?:1 call|[1-9]\d{0,11} calls)$/

/** The number; undefined for anything else. */
export const parseCallCount = (value: unknown): number | undefined =>
  typeof value === 'string' && CALL_COUNT_PATTERN.test(value) ? Number.parseInt(value, 10) : undefined
