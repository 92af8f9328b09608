/** Calls counted by status, as text. */
import { countOf } from './text.ts'

/** `3 calls (2 x 200, 1 x 429)`; `no calls` for none. */
export function statusCounts(calls: readonly { readonly status: number }[]): string {
  const counts = new Map<number, number>()
  for (const { status } of calls) counts.set(status, (counts.get(status) ?? 0) + 1)
  const statuses = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} x ${status === 0 ? 'no answer' : status}`)
  return calls.length === 0 ? 'no calls' : `${countOf(calls.length, 'call')} (${statuses.join(', ')})`
}
