/** The result of a hunt as a table: what became of each call under each class of faults. Plain data, for reports. */
import { isFlaky, type Pruned, type SearchResult } from './experiments.ts'
import { classOf } from './fault-classes.ts'
import type { FaultSet } from './fault-set.ts'
import { type KnownCalls, labelOf } from './known-calls.ts'

/**
 * `failed`: the app fails under the fault alone. `failed in a pair`: only together with another one. `flaky`: not each
 * time. `survived`: the app worked each time. `pruned`: no set with the
 * fault had to be run, and `pruned` says why. `not tried`: no run came so far.
 */
export type CellOutcome = 'survived' | 'failed' | 'failed in a pair' | 'flaky' | 'pruned' | 'not tried'

/** A call under the faults of a class. */
export interface TableCell {
  readonly outcome: CellOutcome
  /** The runs in which the call had the fault. */
  readonly runs: number
  /** The sets with the fault that were not run, by the reason. */
  readonly pruned: Partial<Pruned>
  /** The places of findings with the fault in `findings`. */
  readonly findings: readonly number[]
}

export interface TableRow {
  /** The number of the call in messages, from 1. */
  readonly call: number
  /** `POST chat "Hello"` */
  readonly label: string
  /** One for each class, in their order. */
  readonly cells: readonly TableCell[]
}

export interface HuntTable {
  readonly classes: readonly string[]
  readonly rows: readonly TableRow[]
}

/**
 * @param classes the classes that were tried
 * @param nameOfClass the class of a fault; by default the fault itself is one, or a variant of one
 */
export function buildTable(
  result: SearchResult,
  known: KnownCalls,
  classes: readonly string[],
  nameOfClass = (fault: string) => (classes.includes(fault) ? fault : classOf(fault)),
): HuntTable {
  const rows = [...known.keys()].map((id, index): TableRow => {
    return {
      call: index + 1,
      label: labelOf(id, known),
      cells: classes.map((name) => buildCell(result, (call, fault) => call === id && nameOfClass(fault) === name)),
    }
  })
  return { classes, rows }
}

function buildCell(
  { findings, tried, skipped }: SearchResult,
  isHere: (call: string, fault: string) => boolean,
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
    if (hit.length > 0 || unrun.some(({ reason }) => reason === 'knownRun')) return 'survived'
    return Object.keys(pruned).length > 0 ? 'pruned' : 'not tried'
  }
  return { outcome: outcome(), runs: hit.length, pruned, findings: found }
}
