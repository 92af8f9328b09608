/** The coverage of a hunt: how much of what could be tried was tried, and which changed answers went unnoticed. Pure. */
import type { SearchResult } from './experiments.ts'
import { classOf, faultsOfClass } from './fault-classes.ts'
import type { HuntTable } from './hunt-table.ts'
import { type KnownCalls, knownCall } from './known-calls.ts'
import { type AppRun, hasRecovered } from './known-runs.ts'

/** Faults that replace an answer by another one that a client can read, by what became of them: `empty-text`. */
export interface ChangedAnswers {
  /** The app failed, made other calls, or showed something else than with the right answer. */
  readonly noticed: readonly string[]
  /** The app passed, made the same calls, and showed the same as with the right answer. */
  readonly unnoticed: readonly string[]
  /** Nothing differed, but nothing differs when the app handles an error of this call either, so it may have noticed. */
  readonly unclear: readonly string[]
}

/** How much of what a hunt could try it has tried. A cell is a call under a class of faults. */
export interface FaultCoverage {
  /**
   * Percentage of the cells that were tried and whose changed answers were noticed, of those that could be tried. Rounded
   * down to a tenth, from 0 to 100.
   */
  readonly percent: number
  readonly cells: number
  /** Cells with at least one run, with those that are kept from an earlier hunt. */
  readonly tried: number
  /** Cells that are kept from an earlier hunt, which are not hunted again. */
  readonly kept: number
  /** Cells for which no run was needed or possible. They do not lower the percentage. */
  readonly pruned: number
  readonly notTried: number
  /** Cells with a changed answer that nothing noticed, and no failure. */
  readonly unnoticed: number
  /** Numbers of changed answers: faults such as `empty-text`, one for each call. */
  readonly changedAnswers: Readonly<Record<keyof ChangedAnswers, number>>
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
    const isHit = run.calls.some((call) => call.id === id && call.fault !== undefined)
    return fault?.call === id && others.length === 0 && isHit ? [{ fault: fault.fault, run }] : []
  })
  // Those from which a retry recovered do not tell if handling an error leaves a trace.
  const errors = alone.filter(({ fault, run }) => NO_ANSWER.includes(classOf(fault)) && !hasRecovered(run, baseline))
  const leavesTrace = errors.length > 0 && errors.every(({ run }) => !looksLike(run, baseline, (call) => call.id))
  const judged: Record<keyof ChangedAnswers, string[]> = { noticed: [], unnoticed: [], unclear: [] }
  const texts = alone.map(({ fault, run }) => ({ text: faultsOfClass(fault, knownCall(id, known))[0], run }))
  for (const text of CHANGES) {
    const runs = texts.flatMap((one) => (one.text === text ? [one.run] : []))
    if (runs.length === 0) continue
    const isSame = runs.every((run) => looksLike(run, baseline, (call) => `${call.id} ${call.attempt}`))
    const isJudged = isSame && leavesTrace && (baseline.shown ?? []).length > 0
    judged[isJudged ? 'unnoticed' : isSame ? 'unclear' : 'noticed'].push(text)
  }
  return judged
}

/** True if a run passed, and nothing that can be seen of it differs from the baseline. */
function looksLike(
  run: AppRun,
  { calls, shown = [] }: AppRun,
  nameOf: (call: AppRun['calls'][number]) => string,
): boolean {
  // Sorted, because calls that are made at the same time arrive in any order.
  const namesOf = (some: AppRun['calls']): string => JSON.stringify([...new Set(some.map(nameOf))].sort())
  // Of the digests, the strictest that both runs without faults share.
  const isShown = shown[0] === undefined || run.shown?.includes(shown[0]) === true
  return run.isPassed && isShown && namesOf(run.calls) === namesOf(calls)
}

/** The totals of a table. */
export function coverageOf({ rows }: HuntTable): FaultCoverage {
  const cells = rows.flatMap((row) => row.cells)
  const count = (...outcomes: string[]): number => cells.filter(({ outcome }) => outcomes.includes(outcome)).length
  const [pruned, notTried, unnoticed] = [count('pruned'), count('not tried'), count('unnoticed')]
  const sum = (verdict: keyof ChangedAnswers): number =>
    cells.reduce((total, { answers }) => total + (answers?.[verdict].length ?? 0), 0)
  const possible = cells.length - pruned
  return {
    percent: possible === 0 ? 0 : Math.floor((1000 * (possible - notTried - unnoticed)) / possible) / 10,
    cells: cells.length,
    tried: possible - notTried,
    kept: count('kept'),
    pruned,
    notTried,
    unnoticed,
    changedAnswers: { noticed: sum('noticed'), unnoticed: sum('unnoticed'), unclear: sum('unclear') },
  }
}

/** `Fault coverage 91.6 %: 87.5 % tried, 4.5 % pruned, 8 % not tried; 11 of 14 changed answers noticed` */
export function describeCoverage(coverage: FaultCoverage): string {
  const { percent, cells, kept, changedAnswers } = coverage
  const share = (count: number, what: string): string =>
    `${Math.round((1000 * count) / Math.max(1, cells)) / 10} % ${what}`
  const { noticed, unnoticed, unclear } = changedAnswers
  const parts = [
    share(coverage.tried, 'tried'),
    share(coverage.pruned, 'pruned'),
    share(coverage.notTried, 'not tried'),
  ]
  return [
    `Fault coverage ${percent} %: ${parts.join(', ')}`,
    ...(kept > 0 ? [`${share(kept, 'kept from an earlier hunt')}`] : []),
    ...(noticed + unnoticed > 0 ? [`${noticed} of ${noticed + unnoticed} changed answers noticed`] : []),
    ...(unclear > 0 ? [`${unclear} not judged`] : []),
  ].join('; ')
}
