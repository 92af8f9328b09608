/** Calls counted by status, as text. */
import { countOf } from '../../core/text/count-of.ts'

/** `3 calls (2 x 200, 1 x 429)`; `no calls` for an empty map. @param counts the number of calls by status */
export function statusCounts(counts: ReadonlyMap<number, number>): string {
  if (counts.size === 0) return 'no calls'
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const statuses = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} x ${status === 0 ? 'no answer' : status}`)
  return `${countOf(total, 'call')} (${statuses.join(', ')})`
}

export function countStatuses(calls: readonly { readonly status: number }[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { status } of calls) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}
