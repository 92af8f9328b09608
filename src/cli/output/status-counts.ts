/** Calls counted by status, as text, with the faults of those whose status is that of a success. */
import type { JournalEntry } from '../../core/journal/entry.ts'
import { countOf } from '../../core/lib/text/wording.ts'

const MAX_SHOWN_FAULTS = 3

type CountedCall = Pick<JournalEntry, 'status' | 'fault' | 'outcome'>

/** Counts calls by status, in a size that does not grow with the calls. */
export class StatusCounts {
  /** By status: all calls, those cut without a fault, those with a fault, and the names of the faults. */
  readonly #byStatus = new Map<number, { calls: number; cut: number; faulty: number; faults: Set<string> }>()

  static of(calls: Iterable<CountedCall>): StatusCounts {
    const counts = new StatusCounts()
    for (const call of calls) counts.add(call)
    return counts
  }

  get isEmpty(): boolean {
    return this.#byStatus.size === 0
  }

  add({ status, fault, outcome }: CountedCall): void {
    const count = this.#byStatus.get(status) ?? { calls: 0, cut: 0, faulty: 0, faults: new Set() }
    this.#byStatus.set(status, count)
    count.calls++
    if (fault !== undefined) {
      count.faulty++
      count.faults.add(fault)
    } else if (outcome === 'cut') count.cut++
  }

  /** `4 calls (3 x 200, 1 of them with the fault truncated, 1 x 429)`; `no calls` without any. */
  toString(): string {
    if (this.isEmpty) return 'no calls'
    let total = 0
    const parts: string[] = []
    for (const [status, { calls, cut, faulty, faults }] of [...this.#byStatus].sort(([a], [b]) => a - b)) {
      total += calls
      parts.push(`${calls} x ${status === 0 ? 'no answer' : status}`)
      // The status of an error says already that the call failed.
      if (status === 0 || status >= 400) continue
      const names = [...faults]
      let shown = `the fault ${names[0]}`
      if (names.length > 1) shown = `the faults ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
      if (names.length > MAX_SHOWN_FAULTS) shown = `${names.length} faults`
      if (faulty > 0) parts.push(`${faulty} of them with ${shown}`)
      if (cut > 0) parts.push(`${cut} of them cut`)
    }
    return `${countOf(total, 'call')} (${parts.join(', ')})`
  }
}
