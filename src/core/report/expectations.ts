/**
 * Judges what a scenario expects of a run: PASS, FAIL, or INCONCLUSIVE with the reason.
 *
 *   expect: { errors: < 1% }   ->   { name: 'errors', expected: '< 1%', found: '0 of 120 calls (0%)', verdict: 'PASS' }
 *
 * Shares and percentiles need enough calls: while a single call decides whether the bound holds, nothing can be said. So
 * `errors: < 1%` and `p99` need 100 calls; with fewer they fail only if one bad call less would fail too.
 */
import type { JournalEntry } from '../journal/entry.ts'
import { countOf } from '../lib/text/wording.ts'
import type { ScenarioSource } from '../scenario/scenario-source.ts'
import { findRetryRows, groupAttempts, hasFailed } from './attempts.ts'
import { type Bound, isWithin, parseBound } from './bound.ts'

/** The expectations of a scenario about a run. */
export type Expectations = NonNullable<ScenarioSource['expect']>

/** The facts by which a run is judged. */
export interface RunFacts {
  /** The calls of the journal, oldest first. */
  readonly entries: readonly JournalEntry[]
  /** The number of earlier calls that the journal no longer has. */
  readonly dropped: number
  /** The mock's own waits: `valid` if they were exact enough to judge times. */
  readonly timing: { readonly valid: boolean; readonly verdict: string }
}

interface Judgement {
  /** The value of the run: `1204 ms over 340 calls`. */
  readonly found: string
  readonly verdict: 'PASS' | 'FAIL' | 'INCONCLUSIVE'
  /** The reason why it is inconclusive. */
  readonly reason?: string
}

export type ExpectationResult = Readonly<ReturnType<typeof judge>[number]>

/** A verdict on each expectation. */
export function judge(expectations: Expectations, facts: RunFacts) {
  const { dropped } = facts
  const entries = facts.entries.filter(({ method }) => method !== 'OPTIONS')
  const calls = entries.length
  const errors = entries.filter(hasFailed).length
  const rows = groupAttempts(entries).flatMap(findRetryRows)
  const retries = rows.reduce((sum, { length }) => sum + length, 0)
  const mostRetries = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const judgeField = (name: string, bound: Bound): Judgement => {
    // Their number is known, whatever the journal has dropped.
    if (name === 'calls') return judgeCount(calls + dropped, bound, countOf(calls + dropped, 'call'), 0)
    if (calls === 0) return inconclusive('no calls', 'There were no calls.')
    switch (name) {
      case 'errors':
        return judgeBad(errors, calls, bound, 'call', dropped)
      case 'unrecovered':
        // Each retry follows one failed call. A request is a call that is no retry.
        return judgeBad(errors - retries, calls - retries, bound, 'request', dropped)
      case 'retries':
        return judgeCount(mostRetries, bound, countOf(mostRetries, 'retry'), dropped)
      // `p99`
      default:
        return judgePercentile(Number(name.slice(1)), { ...facts, entries }, bound)
    }
  }
  return Object.entries(expectations).map(([name, value]) => {
    /** As the scenario writes it: `< 2s`. */
    const expected = String(value)
    return { name, expected, ...judgeField(name, parseBound(expected)) }
  })
}

/**
 * Judges a number of the known calls.
 * @param dropped the number of calls that are no longer known, which could only increase the number.
 */
function judgeCount(value: number, bound: Bound, found: string, dropped: number): Judgement {
  const verdict = isWithin(value, bound) ? 'PASS' : 'FAIL'
  if (dropped === 0 || isFinal(value, bound)) return { found, verdict }
  return inconclusive(found, `The journal has dropped ${countOf(dropped, 'earlier call')}.`)
}

/** True if a larger value would have the same verdict: 3 is not `<= 2`, and neither is 4. */
function isFinal(value: number, bound: Bound): boolean {
  switch (bound.comparison) {
    case 'at least':
      return isWithin(value, bound)
    case 'exactly':
      return value > bound.value
    case 'below':
    case 'at most':
      return !isWithin(value, bound)
    default:
      return bound.comparison satisfies never
  }
}

/** Judges the bad calls or requests among all: their number, or their share. */
function judgeBad(bad: number, all: number, bound: Bound, noun: string, dropped: number): Judgement {
  const found = `${bad} of ${countOf(all, noun)} (${Number(((bad / all) * 100).toPrecision(3))}%)`
  if (!bound.isShare) return judgeCount(bad, bound, found, dropped)
  // So many that a single bad one is within the share: 100 for 1%.
  const enough = bound.value === 0 ? 1 : Math.ceil(1 / bound.value)
  return judgeShare(bad, all, (count) => isWithin(count / all, bound), { found, enough, noun })
}

/**
 * Judges a share of which too few calls say nothing.
 * @param holdsWith true if the bound holds with so many bad ones.
 * @param enough the number of all that is enough for a verdict.
 */
function judgeShare(
  bad: number,
  all: number,
  holdsWith: (bad: number) => boolean,
  { found, enough, noun }: { readonly found: string; readonly enough: number; readonly noun: string },
): Judgement {
  if (all >= enough) return { found, verdict: holdsWith(bad) ? 'PASS' : 'FAIL' }
  if (bad > 0 && !holdsWith(bad - 1)) return { found, verdict: 'FAIL' }
  return inconclusive(found, `Too few to tell: expected at least ${countOf(enough, noun)}, got ${all}.`)
}

/** Judges the time that a percentage of the answered calls took at most. */
function judgePercentile(percent: number, { entries, timing }: RunFacts, bound: Bound): Judgement {
  const times = entries
    .filter(({ status, outcome }) => status > 0 && status < 400 && outcome !== 'open')
    .map(({ durationMs }) => durationMs)
    .sort((a, b) => a - b)
  if (times.length === 0) return inconclusive('no times to judge', 'No call was answered.')
  const rank = Math.ceil((times.length * percent) / 100)
  const found = `${Math.round(times[rank - 1]! * 10) / 10} ms over ${countOf(times.length, 'answered call')}`
  if (!timing.valid) return inconclusive(found, `The times cannot be trusted: ${timing.verdict}`)
  const slow = times.filter((ms) => !isWithin(ms, bound)).length
  return judgeShare(slow, times.length, (count) => count <= times.length - rank, {
    found,
    enough: callsNeeded(percent),
    noun: 'answered call',
  })
}

/** So many that one of them may be slower than the percentile: 100 for p99. */
const callsNeeded = (percent: number): number => Math.ceil(100 / (100 - percent))

/** Percentiles that need more than 10 calls: `expect.p99 cannot pass with fewer than 100 answered calls.` */
export function describeNeededCalls(expectations: Expectations = {}): string[] {
  const percentiles = Object.keys(expectations).filter((name) => /^p\d/.test(name))
  return percentiles.flatMap((name) => {
    const needed = callsNeeded(Number(name.slice(1)))
    return needed > 10 ? [`expect.${name} cannot pass with fewer than ${needed} answered calls.`] : []
  })
}

const inconclusive = (found: string, reason: string): Judgement => ({ found, verdict: 'INCONCLUSIVE', reason })
