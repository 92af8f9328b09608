/**
 * The coverage of a hunt: how much of what could be tried was tried and noticed. A hunt of 2 calls under 10 classes has 20
 * cells. If 4 of them were pruned, 1 was not tried and 1 went unnoticed, the coverage is 14 of 16, so 87.5 %.
 */
import { countOf } from '../../core/lib/text/wording.ts'
import type { ChangedAnswers } from './changed-answers.ts'
import type { CellOutcome, HuntTable } from './hunt-table.ts'

/** Totals of the table of a hunt. A cell is a call under a class of faults. */
export interface FaultCoverage {
  /**
   * Percentage of the cells that were tried and whose changed answers were noticed, of those that could be tried. Rounded
   * down to a tenth, from 0 to 100.
   */
  readonly percent: number
  readonly cells: number
  /** Calls that appear only under `depth` faults, so that no further fault can be tried on them. Their cells are not counted. */
  readonly callsBeyondDepth: number
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

/** The totals of a table. */
export function coverageOf({ rows }: HuntTable): FaultCoverage {
  const cells = rows.flatMap((row) => (row.isBeyondDepth === true ? [] : row.cells))
  const count = (...outcomes: CellOutcome[]): number => cells.filter(({ outcome }) => outcomes.includes(outcome)).length
  const [pruned, notTried, unnoticed] = [count('pruned'), count('not tried'), count('unnoticed')]
  const sum = (verdict: keyof ChangedAnswers): number =>
    cells.reduce((total, { answers }) => total + (answers?.[verdict].length ?? 0), 0)
  const possible = cells.length - pruned
  return {
    percent: possible === 0 ? 0 : Math.floor((1000 * (possible - notTried - unnoticed)) / possible) / 10,
    cells: cells.length,
    callsBeyondDepth: rows.filter(({ isBeyondDepth }) => isBeyondDepth).length,
    // Every other outcome comes from a run, of this hunt or of an earlier one.
    tried: possible - notTried,
    kept: count('kept'),
    pruned,
    notTried,
    unnoticed,
    changedAnswers: { noticed: sum('noticed'), unnoticed: sum('unnoticed'), unclear: sum('unclear') },
  }
}

/** `87.5 % tried, 4.5 % pruned, 8 % not tried; 11 of 14 changed answers noticed` */
export function describeShares(coverage: FaultCoverage): string {
  const { cells, callsBeyondDepth, kept, changedAnswers } = coverage
  const share = (count: number, what: string): string =>
    `${Math.round((1000 * count) / Math.max(1, cells)) / 10} % ${what}`
  const { noticed, unnoticed, unclear } = changedAnswers
  const { tried, pruned, notTried } = coverage
  return [
    [share(tried, 'tried'), share(pruned, 'pruned'), share(notTried, 'not tried')].join(', '),
    ...(callsBeyondDepth > 0 ? [`${countOf(callsBeyondDepth, 'call')} beyond the depth not counted`] : []),
    ...(kept > 0 ? [`${share(kept, 'kept from an earlier hunt')}`] : []),
    ...(noticed + unnoticed > 0 ? [`${noticed} of ${noticed + unnoticed} changed answers noticed`] : []),
    ...(unclear > 0 ? [`${unclear} not judged`] : []),
  ].join('; ')
}
