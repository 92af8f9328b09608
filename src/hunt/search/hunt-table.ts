/**
 * The result of a hunt as a table: what became of each call under each class of faults. Plain data, for reports:
 *
 *     { classes: ['server-error', 'cut'],
 *       rows: [{ call: 1, id: '1q307jmytm5', label: 'POST chat "Hello"',
 *                cells: [{ outcome: 'survived', runs: 6, pruned: {}, findings: [] },
 *                        { outcome: 'failed', runs: 3, pruned: {}, findings: [0] }] }] }
 */
import { type ChangedAnswers, judgeAnswers } from './changed-answers.ts'
import { isFlaky, type Pruned, type SearchResult } from './experiments.ts'
import { classOf } from './fault-classes.ts'
import type { FaultSet } from './fault-set.ts'
import { type KnownCalls, labelOf } from './known-calls.ts'
import type { AppRun } from './known-runs.ts'

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

/** A call under the faults of a class. */
export interface TableCell {
  readonly outcome: CellOutcome
  /** The runs in which the call had the fault. */
  readonly runs: number
  /** The sets with the fault that were not run, by the reason. */
  readonly pruned: Partial<Pruned>
  /** The indices of findings with the fault, among those of the result. */
  readonly findings: readonly number[]
  /** Faults that changed the answer, by what became of them; left out if there are none. */
  readonly answers?: ChangedAnswers
}

export interface TableRow {
  /** The number of the call in messages, from 1. */
  readonly call: number
  /** The name of the call, the same in each hunt: a hash of its body, or its position in the run. */
  readonly id: string
  /** `POST chat "Hello"` */
  readonly label: string
  /** True if the call appears only under `depth` faults, so that no further fault can be tried on it. */
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
  /** The cells of an earlier hunt, for calls that are not hunted again. */
  readonly kept?: KeptCells | undefined
}

/** The cells of an earlier hunt whose results still hold, by the names of calls: one for each class, in their order. */
export type KeptCells = ReadonlyMap<string, readonly TableCell[]>

/**
 * Builds the table of a search that has ended or was stopped.
 * @param classes the classes that were tried
 */
export function buildTable(
  result: SearchResult,
  known: KnownCalls,
  baseline: AppRun,
  classes: readonly string[],
  {
    nameOfClass = (fault) => (classes.includes(fault) ? fault : classOf(fault)),
    depth = Number.POSITIVE_INFINITY,
    kept,
  }: TableOptions = {},
): HuntTable {
  const runsBelowDepth = result.tried.filter(({ faults }) => faults.length < depth).map(({ run }) => run)
  const idsBelowDepth = new Set([baseline, ...runsBelowDepth].flatMap(({ calls }) => calls.map(({ id }) => id)))
  const rows = [...known.keys()].map((id, index): TableRow => {
    const answers = judgeAnswers(result, id, known, baseline)
    const hasAnswers = Object.values(answers).flat().length > 0
    const cells = classes.map((name, place): TableCell => {
      const isInCell = (call: string, fault: string): boolean => call === id && nameOfClass(fault) === name
      const cell = buildCell(result, isInCell, name === 'wrong-answer' && hasAnswers ? answers : undefined)
      // One fault is tried on a call that is kept too. If the app fails under it, the earlier result no longer holds.
      const earlier = cell.findings.length === 0 ? kept?.get(id)?.[place] : undefined
      if (earlier === undefined) return cell
      return earlier.outcome === 'survived' ? { ...earlier, outcome: 'kept' } : earlier
    })
    const isBeyondDepth = !idsBelowDepth.has(id)
    return { call: index + 1, id, label: labelOf(id, known), ...(isBeyondDepth && { isBeyondDepth }), cells }
  })
  return { classes, rows }
}

/**
 * The cell of a call and a class, from all sets with a fault of the class on the call.
 * @param isInCell true for such a fault
 */
function buildCell(
  { findings, tried, skipped }: SearchResult,
  isInCell: (call: string, fault: string) => boolean,
  answers: ChangedAnswers | undefined,
): TableCell {
  const isOfCell = ({ faults }: { readonly faults: FaultSet }): boolean =>
    faults.some(({ call, fault }) => isInCell(call, fault))
  const foundIndices = findings.flatMap((finding, index) => (isOfCell(finding) ? [index] : []))
  const triedHere = tried.filter(isOfCell)
  const hits = triedHere.filter(({ run }) => run.calls.some(({ id, fault = '' }) => isInCell(id, fault)))
  const refusals = triedHere.filter(({ run }) => run.calls.some(({ id, refused = '' }) => isInCell(id, refused)))
  const pruned: Partial<Record<keyof Pruned, number>> = {}
  for (const { reason } of skipped.filter(isOfCell)) pruned[reason] = (pruned[reason] ?? 0) + 1
  if (refusals.length > 0) pruned.refused = (pruned.refused ?? 0) + refusals.length
  const steady = findings.filter((finding) => isOfCell(finding) && !isFlaky(finding))
  const judgeOutcome = (): CellOutcome => {
    if (steady.some(({ faults }) => faults.length === 1)) return 'failed'
    if (steady.length > 0) return 'failed in a pair'
    if (foundIndices.length > 0) return 'flaky'
    if (answers !== undefined && answers.unnoticed.length > 0) return 'unnoticed'
    if (hits.length > 0 || pruned.knownRun !== undefined) return 'survived'
    return Object.keys(pruned).length > 0 ? 'pruned' : 'not tried'
  }
  return {
    outcome: judgeOutcome(),
    runs: hits.length,
    pruned,
    findings: foundIndices,
    ...(answers !== undefined && { answers }),
  }
}
