/** The result of a hunt as a table: what became of each call under each class of faults. Plain data, for reports. */
import { isFlaky, type Pruned, type SearchResult } from './experiments.ts'
import { classOf, faultsOfClass } from './fault-classes.ts'
import type { FaultSet } from './fault-set.ts'
import { type KnownCalls, knownCall, labelOf } from './known-calls.ts'
import { type AppRun, hasRecovered } from './known-runs.ts'

/**
 * `failed`: the app fails under the fault alone. `failed in a pair`: only together with another one. `flaky`: not each
 * time. `unnoticed`: the answer was another one, and nothing differed. `survived`: the app worked each time. `kept`: it
 * did so in an earlier hunt. `pruned`: no set with the fault had to be run, and `pruned` says why. `not tried`: no run
 * came so far.
 */
export type CellOutcome =
  | 'survived'
  | 'failed'
  | 'failed in a pair'
  | 'flaky'
  | 'unnoticed'
  | 'kept'
  | 'pruned'
  | 'not tried'

/** Changed answers of a call, as faults such as `empty-text`, by what became of them. */
export interface ChangedAnswers {
  /** The app failed, asked something else, or showed something else than with the right answer. */
  readonly noticed: readonly string[]
  /** The app passed, asked the same and showed the same as with the right answer. */
  readonly unnoticed: readonly string[]
  /** Nothing differed, but nothing differs when the app handles an error of this call either, so it may have noticed. */
  readonly unclear: readonly string[]
}

/** A call under the faults of a class. */
export interface TableCell {
  readonly outcome: CellOutcome
  /** The runs in which the call had the fault. */
  readonly runs: number
  /** The sets with the fault that were not run, by the reason. */
  readonly pruned: Partial<Pruned>
  /** The places of findings with the fault in `findings`. */
  readonly findings: readonly number[]
  /** Faults that changed the answer, by what became of them; left out if there are none. */
  readonly answers?: ChangedAnswers
}

export interface TableRow {
  /** The number of the call in messages, from 1. */
  readonly call: number
  /** The name of the call, the same in each hunt: a hash of its body, or its place in the run. */
  readonly id: string
  /** `POST chat "Hello"` */
  readonly label: string
  /** True if only as many faults as may come together lead to the call, so that no other fault can hit it too. */
  readonly isBeyondDepth?: boolean
  /** One for each class, in their order. */
  readonly cells: readonly TableCell[]
}

export interface HuntTable {
  readonly classes: readonly string[]
  readonly rows: readonly TableRow[]
}

interface TableOptions {
  /** The class of a fault. Default: the fault itself if it is one, or the class that it is a variant of. */
  readonly nameOfClass?: (fault: string) => string
  /** Most faults that may come together. Default: no limit. */
  readonly depth?: number
  /** The cell of an earlier hunt, for a call that is not hunted again. */
  readonly keptCell?: KeptCell | undefined
}

/** Finds the cell of an earlier hunt whose result still holds. */
export type KeptCell = (call: string, className: string) => TableCell | undefined

/** @param classes the classes that were tried */
export function buildTable(
  result: SearchResult,
  known: KnownCalls,
  baseline: AppRun,
  classes: readonly string[],
  {
    nameOfClass = (fault) => (classes.includes(fault) ? fault : classOf(fault)),
    depth = Number.POSITIVE_INFINITY,
    keptCell,
  }: TableOptions = {},
): HuntTable {
  const rows = [...known.keys()].map((id, index): TableRow => {
    const answers = judgeAnswers(result, id, known, baseline)
    const cells = classes.map((name) => {
      const isChange = name === 'wrong-answer' && Object.values(answers).flat().length > 0
      const isHere = (call: string, fault: string): boolean => call === id && nameOfClass(fault) === name
      const cell = buildCell(result, isHere, isChange ? answers : undefined)
      const kept = cell.findings.length === 0 ? keptCell?.(id, name) : undefined
      return kept === undefined ? cell : { ...kept, ...(kept.outcome === 'survived' && { outcome: 'kept' as const }) }
    })
    const early = result.tried.filter(({ faults }) => faults.length < depth)
    const isEarly = [baseline, ...early.map(({ run }) => run)].some(({ calls }) => calls.some((call) => call.id === id))
    return { call: index + 1, id, label: labelOf(id, known), ...(!isEarly && { isBeyondDepth: true }), cells }
  })
  return { classes, rows }
}

function buildCell(
  { findings, tried, skipped }: SearchResult,
  isHere: (call: string, fault: string) => boolean,
  answers: ChangedAnswers | undefined,
): TableCell {
  const isPart = ({ faults }: { readonly faults: FaultSet }): boolean =>
    faults.some(({ call, fault }) => isHere(call, fault))
  const found = findings.flatMap((finding, index) => (isPart(finding) ? [index] : []))
  const withFault = tried.filter(isPart)
  const hit = withFault.filter(({ run }) => run.calls.some(({ id, fault = '' }) => isHere(id, fault)))
  const unrun = skipped.filter(isPart)
  const pruned: Partial<Record<keyof Pruned, number>> = {}
  for (const { reason } of unrun) pruned[reason] = (pruned[reason] ?? 0) + 1
  const refused = withFault.filter(({ run }) => run.calls.some(({ id, refused = '' }) => isHere(id, refused)))
  if (refused.length > 0) pruned.refused = (pruned.refused ?? 0) + refused.length
  const outcome = (): CellOutcome => {
    const sure = found.filter((index) => !isFlaky(findings[index]!))
    if (sure.some((index) => findings[index]!.faults.length === 1)) return 'failed'
    if (sure.length > 0) return 'failed in a pair'
    if (found.length > 0) return 'flaky'
    if ((answers?.unnoticed.length ?? 0) > 0) return 'unnoticed'
    if (hit.length > 0 || unrun.some(({ reason }) => reason === 'knownRun')) return 'survived'
    return Object.keys(pruned).length > 0 ? 'pruned' : 'not tried'
  }
  return { outcome: outcome(), runs: hit.length, pruned, findings: found, ...(answers !== undefined && { answers }) }
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
