/** Changed answers: faults that replace an answer by another one that a client can read, and if an app noticed them. */
import type { SearchResult } from './experiments.ts'
import { classOf, faultsOfClass } from './fault-classes.ts'
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

/** Not `shuffled-embeddings`: a client that sorts them has the right answer. */
const CHANGES = [
  ...['empty-text', 'refusal', 'truncated-json', 'missing-required', 'wrong-type', 'wrong-enum'],
  ...['undeclared-tool', 'wrong-dimension'],
]
/** Classes without an answer: an app has to do something else then. */
const NO_ANSWER = ['server-error', 'rate-limit', 'bad-request', 'broken-connection', 'hang']

/** Judges the changed answers of a call, by the runs in which no other fault was planned. */
export function judgeAnswers(
  { tried }: Pick<SearchResult, 'tried'>,
  id: string,
  known: KnownCalls,
  baseline: AppRun,
): ChangedAnswers {
  const alone = tried.flatMap(({ faults: [fault, ...others], run }) => {
    if (fault?.call !== id || others.length > 0) return []
    const isHit = run.calls.some((call) => call.id === id && call.fault !== undefined)
    return isHit ? { fault: fault.fault, run } : []
  })
  // Those from which a retry recovered do not tell if handling an error leaves a trace.
  const errors = alone.filter(({ fault, run }) => NO_ANSWER.includes(classOf(fault)) && !hasRecovered(run, baseline))
  // A fallback is no trace: nobody sees then what the app does with an answer that it finds wrong.
  const leavesTrace = errors.length > 0 && errors.every(({ run }) => !looksLike(run, baseline))
  // Sorted, because calls that are made at the same time arrive in any order.
  const asksOf = ({ calls }: AppRun): string =>
    JSON.stringify(calls.map((call) => knownCall(call.id, known).asked).sort())
  const judged: Record<keyof ChangedAnswers, string[]> = { noticed: [], unnoticed: [], unclear: [] }
  const texts = alone.map(({ fault, run }) => ({ text: faultsOfClass(fault, knownCall(id, known))[0], run }))
  for (const text of CHANGES) {
    const runs = texts.flatMap((one) => (one.text === text ? [one.run] : []))
    if (runs.length === 0) continue
    const isSame = runs.every((run) => looksLike(run, baseline) && asksOf(run) === asksOf(baseline))
    // A call that is known by its place only may be any call.
    const isExact = knownCall(id, known).when.request !== undefined
    const isJudged = isSame && leavesTrace && isExact && (baseline.shown ?? []).length > 0
    judged[isJudged ? 'unnoticed' : isSame ? 'unclear' : 'noticed'].push(text)
  }
  return judged
}

/** True if a run passed and showed the same as the baseline. Of the digests, the strictest counts that both runs without faults share. */
const looksLike = (run: AppRun, { shown: [digest] = [] }: AppRun): boolean =>
  run.isPassed && (digest === undefined || run.shown?.includes(digest) === true)
