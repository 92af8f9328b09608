/** The result of a hunt as a table: what became of each call under each class of faults. Plain data, for reports. */
import { isFlaky, type Pruned, type SearchResult } from './experiments.ts'
import type { FaultSet } from './fault-set.ts'
import type { KnownCall } from './known-calls.ts'

/**
 * `failed` and `flaky`: the fault is part of a finding. `survived`: the app worked each time. `pruned`: no set with the
 * fault had to be run, and `pruned` says why. `not tried`: no run came so far.
 */
export type CellOutcome = 'survived' | 'failed' | 'flaky' | 'pruned' | 'not tried'

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
 * @param classOf the class of a fault. Default: the fault is one
 */
export function buildTable(
  result: SearchResult,
  known: ReadonlyMap<string, Pick<KnownCall, 'label'>>,
  classes: readonly string[],
  classOf = (fault: string) => fault,
): HuntTable {
  const rows = [...known].map(([id, { label }], index): TableRow => {
    return {
      call: index + 1,
      label,
      cells: classes.map((name) => buildCell(result, (call, fault) => call === id && classOf(fault) === name)),
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
    if (found.length > 0) return found.every((index) => isFlaky(findings[index]!)) ? 'flaky' : 'failed'
    if (hit.length > 0 || unrun.some(({ reason }) => reason === 'knownRun')) return 'survived'
    return Object.keys(pruned).length > 0 ? 'pruned' : 'not tried'
  }
  return { outcome: outcome(), runs: hit.length, pruned, findings: found }
}
