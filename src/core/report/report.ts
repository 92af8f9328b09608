/** The conduct report: what a client did wrong, whether the expectations hold, which calls no rule matched and what was never used. */
import type { Use } from '../decide/call/rule-usage.ts'
import { countOf } from '../lib/text/count-of.ts'
import { type CacheSum, sumCache } from './cache-sum.ts'
import { type Finding, findConduct } from './conduct.ts'
import { type ExpectationResult, type Expectations, judge, type RunFacts } from './expectations.ts'
import { findMisses, type MissedCall } from './misses.ts'
import { findUncheckedLimits, type UncheckedLimits } from './unchecked-limits.ts'

export interface ConductReport {
  /** How many calls were checked. */
  readonly calls: number
  readonly findings: readonly Finding[]
  /** The verdict on each expectation of the scenario; left out if it has none. */
  readonly expectations?: readonly ExpectationResult[]
  /** The calls that were refused because nothing was recorded for them, or because no rule matches. */
  readonly misses: readonly MissedCall[]
  /** Every reply rule, fault and limit of the scenario, with how often it was used. */
  readonly coverage: readonly Use[]
  /** Left out if the limits of all calls were checked. */
  readonly uncheckedLimits?: UncheckedLimits
  /** Left out if the prompt cache was in play for no call. */
  readonly cache?: CacheSum
}

export interface ReportFacts extends RunFacts {
  readonly coverage: readonly Use[]
  /** Undefined for a scenario without any. */
  readonly expectations: Expectations | undefined
}

export function reportOf({ coverage, expectations, ...run }: ReportFacts): ConductReport {
  const { entries } = run
  const cache = sumCache(entries)
  const uncheckedLimits = findUncheckedLimits(entries)
  return {
    calls: entries.length,
    findings: findConduct(entries),
    ...(expectations !== undefined && { expectations: judge(expectations, run) }),
    misses: findMisses(entries),
    coverage,
    ...(uncheckedLimits !== undefined && { uncheckedLimits }),
    ...(cache !== undefined && { cache }),
  }
}

/**
 * Why a run with this report fails, each as a clause: `retries does not meet <= 3`. Empty for a run that does not fail.
 * @param isStrict whether a mistake, and an expectation without a verdict, fail it too.
 */
export function failuresOf({ findings, expectations = [] }: ConductReport, isStrict: boolean): string[] {
  const failures = expectations.flatMap(({ name, expected, verdict }) => {
    if (verdict === 'FAIL') return [`${name} does not meet ${expected}`]
    return isStrict && verdict === 'INCONCLUSIVE' ? [`${name} has no verdict (--conduct strict)`] : []
  })
  const mistakes = isStrict ? findings.filter(({ level }) => level === 'mistake') : []
  if (mistakes.length === 0) return failures
  const names = [...new Set(mistakes.map(({ name }) => name))].join(', ')
  return [...failures, `${countOf(mistakes.length, 'client mistake')} (--conduct strict): ${names}`]
}

/** Whether a run with this report fails. */
export const hasFailures = (report: ConductReport, isStrict: boolean): boolean =>
  failuresOf(report, isStrict).length > 0

/** What to say of a report that does not cover all calls; undefined for one that does. */
export function describeGap(dropped: number, covered: number, isStrict: boolean): string | undefined {
  if (dropped === 0) return undefined
  const calls = `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'}`
  const gap = `the report covers the last ${covered} calls; ${calls} dropped from the journal`
  return isStrict ? `${gap}, so --conduct strict fails. Run fewer tests at a time.` : `${gap}.`
}
