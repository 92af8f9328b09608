/** The conduct report: what a client did wrong, which calls no rule matched and which parts of the scenario were never used. */
import type { JournalEntry } from '../journal/entry.ts'
import type { Use } from '../journal/rule-usage.ts'
import { type CacheSum, sumCache } from './cache-sum.ts'
import { type Finding, findConduct } from './conduct.ts'
import { findMisses, type MissedCall } from './misses.ts'

export interface ConductReport {
  /** How many calls were checked. */
  readonly calls: number
  readonly findings: readonly Finding[]
  /** The calls that were refused because nothing was recorded for them, or because no rule matches. */
  readonly misses: readonly MissedCall[]
  /** Every reply rule, fault and limit of the scenario, with how often it was used. */
  readonly coverage: readonly Use[]
  /** Left out if the prompt cache was in play for no call. */
  readonly cache?: CacheSum
}

export function reportOf(entries: readonly JournalEntry[], coverage: readonly Use[]): ConductReport {
  const cache = sumCache(entries)
  return {
    calls: entries.length,
    findings: findConduct(entries),
    misses: findMisses(entries),
    coverage,
    ...(cache !== undefined && { cache }),
  }
}

/** Whether there is a finding that is always wrong. */
export const hasMistakes = ({ findings }: ConductReport): boolean => findings.some(({ level }) => level === 'mistake')

/** What to say of a report that does not cover all calls; undefined for one that does. */
export function describeGap(dropped: number, covered: number, isStrict: boolean): string | undefined {
  if (dropped === 0) return undefined
  const calls = `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'}`
  const gap = `the report covers the last ${covered} calls; ${calls} dropped from the journal`
  return isStrict ? `${gap}, so --conduct strict fails. Run fewer tests at a time.` : `${gap}.`
}
