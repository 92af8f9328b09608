/** Durations as scenarios write them (`300ms`, `1m30s`) and as the service does, in Go's form (`6m0s`). */

type DurationPart = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** A duration of one to three parts, each with a unit: `300ms`, `1m30s`, `1h30m10s`. */
export type Duration = DurationPart | `${DurationPart}${DurationPart}` | `${DurationPart}${DurationPart}${DurationPart}`

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g

/**
 * Matches what `parseDuration` accepts; shared with the scenario schema. Not `+`: a loop over millions of groups overflows
 * the stack of the engine.
 */
export const DURATION_PATTERN = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d)){1,10}$/

/** The units of rates: `60 per minute`. */
export const WINDOWS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** Milliseconds of `1m30s`, `300ms`, `0.5s`; undefined for any value that is not a duration. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value !== 'string' || !DURATION_PATTERN.test(value)) return undefined
  let ms = 0
  for (const [, amount, unit] of value.matchAll(PART)) ms += Number(amount) * UNITS[unit!]!
  return ms
}

/** Milliseconds of a duration that has been checked; 0 for undefined. */
export const durationMs = (checked: string | undefined): number => parseDuration(checked) ?? 0

/**
 * Milliseconds as a Go duration, the way the service prints its reset headers and "try again in".
 * @example goDuration(73588) // '1m13.588s'
 */
export function goDuration(ms: number): string {
  const whole = Math.max(0, Math.floor(ms))
  if (whole === 0) return '0s'
  if (whole < 1000) return `${whole}ms`
  const hours = Math.floor(whole / 3_600_000)
  const minutes = Math.floor(whole / 60_000) % 60
  const seconds = `${(whole % 60_000) / 1000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
