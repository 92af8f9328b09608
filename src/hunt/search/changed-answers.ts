/**
 * Wrong answers that nothing shows. A hunt changes an answer, for example into an empty text, and compares the run with that
 * without faults. If the app asks and prints the same, its user does not see that the answer was wrong.
 */
import type { SearchResult } from './experiments.ts'
import { classOf, FAULT_CLASSES, faultsOfClass } from './fault-classes.ts'
import { type KnownCalls, knownCall } from './known-calls.ts'
import { type AppRun, hasRecovered } from './known-runs.ts'

/** Changed answers of a call, as faults such as `empty-text`, by what became of them. */
export interface ChangedAnswers {
  /** The app failed, asked something else, or showed something else than with the right answer. */
  readonly noticed: readonly string[]
  /** The app passed, asked the same and showed the same as with the right answer. */
  readonly unnoticed: readonly string[]
  /** Nothing differed, but nothing differs when the app handles an error of this call either, so it may have noticed. */
  readonly unclear: readonly string[]
}

/** The faults that change an answer. Not `shuffled-embeddings`: a client that sorts them has the right answer. */
const CHANGES = new Set<string>(Object.values(FAULT_CLASSES['wrong-answer'].faults).flat())
CHANGES.delete('shuffled-embeddings')
/** Classes without an answer: an app has to do something else then. */
const NO_ANSWER = ['server-error', 'rate-limit', 'bad-request', 'broken-connection', 'hang']

/**
 * Judges the changed answers of a call, by the runs in which no other fault was planned. For an answer without text:
 *
 * - noticed: the app fails, asks something else, or shows something else than with the right answer.
 * - unnoticed: it shows the same, although it shows "Please try again" when the call gets a 500.
 * - unclear: it shows the same, and after a 500 too. So nobody can see what it did with the answer.
 */
export function judgeAnswers(
  { tried }: Pick<SearchResult, 'tried'>,
  id: string,
  known: KnownCalls,
  baseline: AppRun,
): ChangedAnswers {
  const alone = tried.flatMap(({ faults: [fault, ...others], run }) => {
    if (fault?.call !== id || others.length > 0) return []
    const isHit = run.calls.some((seen) => seen.id === id && seen.fault !== undefined)
    return isHit ? { fault: fault.fault, run } : []
  })
  // Errors from which a retry recovered do not tell if handling an error leaves a trace.
  const errors = alone.filter(({ fault, run }) => NO_ANSWER.includes(classOf(fault)) && !hasRecovered(run, baseline))
  const showsErrors = errors.length > 0 && errors.every(({ run }) => !looksLike(run, baseline))
  const call = knownCall(id, known)
  // A call that is known by its position only may be another call in each run.
  const isSameCall = call.when.request !== undefined
  const wouldShow = showsErrors && isSameCall && (baseline.shown ?? []).length > 0
  // Sorted, because calls that are made at the same time arrive in any order.
  const asksOf = ({ calls }: AppRun): string =>
    JSON.stringify(calls.map((seen) => knownCall(seen.id, known).asked).sort())
  const judged: Record<keyof ChangedAnswers, string[]> = { noticed: [], unnoticed: [], unclear: [] }
  for (const change of CHANGES) {
    const runs = alone.filter(({ fault }) => faultsOfClass(fault, call)[0] === change)
    if (runs.length === 0) continue
    const isSame = runs.every(({ run }) => looksLike(run, baseline) && asksOf(run) === asksOf(baseline))
    if (!isSame) judged.noticed.push(change)
    else judged[wouldShow ? 'unnoticed' : 'unclear'].push(change)
  }
  return judged
}

/** True if a run passed and showed the same as the baseline. The first digest of the baseline is the strictest that repeats. */
const looksLike = (run: AppRun, { shown: [digest] = [] }: AppRun): boolean =>
  run.isPassed && (digest === undefined || run.shown?.includes(digest) === true)
