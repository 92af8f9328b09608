/** The calls that were answered without limits, because the store of `limits.shared` did not answer. */
import { UNCHECKED_LIMITS } from '../decide/pipeline/rate-limit.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { countOf } from '../lib/text/count-of.ts'

export interface UncheckedLimits {
  readonly calls: number
  /** Why the limits of the last of these calls were not checked. */
  readonly problem: string
}

/** Undefined if the limits of all calls were checked. */
export function findUncheckedLimits(entries: readonly JournalEntry[]): UncheckedLimits | undefined {
  const problems = entries.flatMap(({ notes }) => notes.filter((note) => note.startsWith(UNCHECKED_LIMITS)))
  const last = problems.at(-1)
  return last === undefined ? undefined : { calls: problems.length, problem: last.slice(UNCHECKED_LIMITS.length) }
}

/** `limits were not checked for 4 calls: redis://store:6379 does not answer (timeout)` */
export const uncheckedLimitsText = ({ calls, problem }: UncheckedLimits): string =>
  `limits were not checked for ${countOf(calls, 'call')}: ${problem}`
