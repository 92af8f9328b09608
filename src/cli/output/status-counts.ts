/** Calls counted by status, as text, with the faults of those whose status is that of a success. */
import type { JournalEntry } from '../../core/journal/entry.ts'
import { countOf } from '../../core/lib/text/count-of.ts'

const MAX_SHOWN_FAULTS = 3

type CountedCall = Pick<JournalEntry, 'status' | 'fault' | 'outcome'>

/** The calls of one status. */
interface StatusCount {
  readonly status: number
  calls: number
  /** The calls that were cut without a fault. */
  cut: number
  /** The calls with a fault. */
  faulty: number
  readonly faults: Set<string>
}

/** Counts calls by status, in a size that does not grow with the calls. */
export class StatusCounts {
  readonly #byStatus = new Map<number, StatusCount>()

  static of(calls: Iterable<CountedCall>): StatusCounts {
    const counts = new StatusCounts()
    for (const call of calls) counts.add(call)
    return counts
  }

  get isEmpty(): boolean {
    return this.#byStatus.size === 0
  }

  add({ status, fault, outcome }: CountedCall): void {
    let count = this.#byStatus.get(status)
    if (count === undefined) {
      count = { status, calls: 0, cut: 0, faulty: 0, faults: new Set() }
      this.#byStatus.set(status, count)
    }
    count.calls++
    if (fault !== undefined) {
      count.faulty++
      count.faults.add(fault)
    } else if (outcome === 'cut') count.cut++
  }

  /** `4 calls (3 x 200, 1 of them with the fault truncated, 1 x 429)`; `no calls` without any. */
  toString(): string {
    if (this.isEmpty) return 'no calls'
    const counts = [...this.#byStatus.values()].sort((a, b) => a.status - b.status)
    const total = counts.reduce((sum, { calls }) => sum + calls, 0)
    return `${countOf(total, 'call')} (${counts.flatMap(formatCount).join(', ')})`
  }
}

function formatCount({ status, calls, cut, faulty, faults }: StatusCount): string[] {
  const parts = [`${calls} x ${status === 0 ? 'no answer' : status}`]
  // The status of an error says already that the call failed.
  if (status === 0 || status >= 400) return parts
  if (faulty > 0) parts.push(`${faulty} of them with ${formatFaults([...faults])}`)
  if (cut > 0) parts.push(`${cut} of them cut`)
  return parts
}

function formatFaults(faults: readonly string[]): string {
  if (faults.length === 1) return `the fault ${faults[0]}`
  if (faults.length > MAX_SHOWN_FAULTS) return `${faults.length} faults`
  return `the faults ${faults.slice(0, -1).join(', ')} and ${faults.at(-1)}`
}
