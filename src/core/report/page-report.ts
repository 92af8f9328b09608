/** The data inside the page that `run --report html` writes, and the choice of the calls that have room in it. */
import type { CallDetails } from '../journal/call-details.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { ClientReport } from './client-report.ts'

/** The data inside the page. */
export interface PageReport {
  readonly title: string
  /** `12 calls (10 x 200, 2 x 429)` */
  readonly summary: string
  /** The reasons why the run failed, each as a clause; empty for a run that did not fail. */
  readonly failures: readonly string[]
  readonly run: {
    readonly exitCode: number
    readonly command: string
    /** In UTC: `2026-11-23T15:04:05.678Z`. */
    readonly startedAt: string
    readonly durationMs: number
    /** The version of this package. */
    readonly version: string
  }
  readonly report: ClientReport
  readonly scenario: { readonly name: string; readonly text: string }
  /** The same moment in milliseconds of the mock's clock, and in milliseconds since 1970. */
  readonly clock: { readonly now: number; readonly time: number }
  /** The number of calls of the run that are not in `calls`. */
  readonly leftOut: number
  /** Ascending by number. */
  readonly calls: readonly CallDetails[]
}

/** The calls in the order in which a page of limited size takes them: those of the report, failed ones, then the newest. */
export function orderByImportance<Entry extends Pick<JournalEntry, 'number' | 'status' | 'outcome'>>(
  entries: readonly Entry[],
  { findings, misses }: Pick<ClientReport, 'findings' | 'misses'>,
): readonly Entry[] {
  const named = new Set([...findings, ...misses].flatMap(({ calls }) => calls))
  const rankOf = ({ number, status, outcome }: Entry): number => {
    if (named.has(number)) return 0
    return status >= 400 || outcome !== 'complete' ? 1 : 2
  }
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry) }))
  return ranked.sort((a, b) => a.rank - b.rank || b.entry.number - a.entry.number).map(({ entry }) => entry)
}
