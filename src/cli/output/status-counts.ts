/**
 * Calls counted by status, as text. Those with the status of a success say their faults too.
 *
 *     12 calls (9 x 200, 2 of them with the fault truncated, 3 x 429)
 */
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

  /** Returns `no calls` without any. */
  toString(): string {
    if (this.isEmpty) return 'no calls'
    let total = 0
    const parts: string[] = []
    for (const [status, { calls, cut, faulty, faults }] of [...this.#byStatus].sort(([a], [b]) => a - b)) {
      total += calls
      parts.push(`${calls} x ${status === 0 ? 'no answer' : status}`)
      // The status of an error says already that the call failed.
      if (status === 0 || status >= 400) continue
      if (faulty > 0) parts.push(`${faulty} of them with ${describeFaults([...faults])}`)
      if (cut > 0) parts.push(`${cut} of them cut`)
    }
    return `${countOf(total, 'call')} (${parts.join(', ')})`
  }
}

/** `the fault cut`, `the faults cut and truncated`, `5 faults` */
function describeFaults(names: readonly string[]): string {
  if (names.length > MAX_SHOWN_FAULTS) return `${names.length} faults`
  if (names.length > 1) return `the faults ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return `the fault ${names[0]}`
}
