/**
 * The client report, which says what clients did wrong over a run: their mistakes, the verdicts on the expectations, the calls
 * that no rule matched and the rules that were never used. It is data; write-report.ts makes texts of it.
 */
import type { Use } from '../decide/call/rule-usage.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { countOf } from '../lib/text/wording.ts'
import { groupBy } from './attempts.ts'
import { findChangedRecordings } from './changed-recordings.ts'
import { checkClient } from './client-findings.ts'
import { type Expectations, judge, type RunFacts } from './expectations.ts'

/** The uses of the prompt cache, summed over the calls of a run by `sumCache`. */
export type CacheSum = Readonly<NonNullable<ReturnType<typeof sumCache>>>

export type ClientReport = Readonly<ReturnType<typeof buildClientReport>>

/** @param facts with the uses of rules, and what the scenario expects; undefined if it expects nothing. */
export function buildClientReport(
  facts: RunFacts & { readonly coverage: readonly Use[]; readonly expectations: Expectations | undefined },
) {
  const { entries, coverage, expectations } = facts
  const cache = sumCache(entries)
  const recordings = findChangedRecordings(entries)
  return {
    /** The number of calls that were checked. */
    calls: entries.length,
    findings: checkClient(entries),
    // The verdict on each expectation of the scenario; left out if it has none.
    ...(expectations !== undefined && { expectations: judge(expectations, facts) }),
    /** The calls that were refused because nothing was recorded for them, or because no rule matches. */
    misses: findMisses(entries),
    /** Every reply rule, fault and limit of the scenario, with the number of its uses. */
    coverage,
    // The differences of requests from their recordings, the worst tier first; left out if there are none.
    ...(recordings.length > 0 && { recordings }),
    // Left out if the prompt cache was in play for no call.
    ...(cache !== undefined && { cache }),
  }
}

/**
 * The reasons why a run with this report fails, each as a clause: `retries does not meet <= 3`. Empty for a run that does
 * not fail.
 * @param isStrict true if a mistake, and an expectation without a verdict, fail it too.
 */
export function failuresOf({ findings, expectations = [] }: ClientReport, isStrict: boolean): string[] {
  const failures = expectations.flatMap(({ name, expected, verdict }) => {
    if (verdict === 'FAIL') return [`${name} does not meet ${expected}`]
    return isStrict && verdict === 'INCONCLUSIVE' ? [`${name} has no verdict (--conduct strict)`] : []
  })
  const mistakes = isStrict ? findings.filter(({ level }) => level === 'mistake') : []
  if (mistakes.length === 0) return failures
  const names = [...new Set(mistakes.map(({ name }) => name))].join(', ')
  return [...failures, `${countOf(mistakes.length, 'client mistake')} (--conduct strict): ${names}`]
}

/** The note on a report that does not cover all calls; undefined for one that does. */
export function describeGap(dropped: number, covered: number, isStrict: boolean): string | undefined {
  if (dropped === 0) return undefined
  const calls = `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'}`
  const gap = `the report covers the last ${covered} calls; ${calls} dropped from the journal`
  return isStrict ? `${gap}, so --conduct strict fails. Run fewer tests at a time.` : `${gap}.`
}

/** The calls for which nothing was recorded, or which no rule matches: one item for each request of a key, in the order of the first calls. */
function findMisses(entries: readonly JournalEntry[]) {
  const missed = entries.filter(
    ({ reason: { by, name } }) => by === 'request' && (name === 'not-recorded' || name === 'no-match'),
  )
  return groupBy(missed, ({ caller, request }) => `${caller} ${request}`).map((calls) => {
    const { key, nearMiss, endpoint, model } = calls[0]!
    return {
      /** The numbers of the calls; a client may have retried. */
      calls: calls.map(({ number }) => number),
      /** The masked key. */
      key,
      // The nearest rule: `replies[2]`; left out if no rule is near, or if the journal has freed it.
      ...(nearMiss && { rule: nearMiss.rule }),
      /** The nearest rule and what differs from it. */
      text: nearMiss?.text ?? `no rule for ${endpoint} with model '${model}'`,
    }
  })
}

/** Sums the uses of the prompt cache; undefined if it was in play for no call. */
export function sumCache(entries: readonly JournalEntry[]) {
  const uses = entries.flatMap(({ cache }) => cache ?? [])
  if (uses.length === 0) return undefined
  return {
    /** The calls whose prompts were long enough to be cached. */
    calls: uses.length,
    /** Those of them that read a part of their prompt from the cache. */
    hits: uses.filter(({ cachedTokens }) => cachedTokens > 0).length,
    cachedTokens: uses.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0),
    cacheWriteTokens: uses.reduce((sum, { cacheWriteTokens }) => sum + cacheWriteTokens, 0),
  }
}
