/**
 * Calls counted by status, as text. Those with the status of a success say whether they were whole.
 *
 *     12 calls (9 x 200, 2 of them with a fault or cut, 3 x 429)
 */
import type { JournalEntry } from '../../core/journal/entry.ts'
import { countOf } from '../../core/lib/text/wording.ts'

type CountedCall = Pick<JournalEntry, 'status' | 'fault' | 'outcome'>

/** Counts calls by status, in a size that does not grow with the calls. */
export class StatusCounts {
  /** By status: all calls, and those with a fault or cut. */
  readonly #byStatus = new Map<number, { readonly calls: number; readonly broken: number }>()

  constructor(calls: Iterable<CountedCall> = []) {
    for (const call of calls) this.add(call)
  }

  get isEmpty(): boolean {
    return this.#byStatus.size === 0
  }

  add({ status, fault, outcome }: CountedCall): void {
    const { calls, broken } = this.#byStatus.get(status) ?? { calls: 0, broken: 0 }
    const isBroken = fault !== undefined || outcome === 'cut'
    this.#byStatus.set(status, { calls: calls + 1, broken: broken + Number(isBroken) })
  }

  /** Returns `no calls` without any. */
  toString(): string {
    if (this.isEmpty) return 'no calls'
    let total = 0
    const parts: string[] = []
    for (const [status, { calls, broken }] of [...this.#byStatus].sort(([a], [b]) => a - b)) {
      total += calls
      parts.push(`${calls} x ${status === 0 ? 'no answer' : status}`)
      // The status of an error says already that the call failed.
      if (broken > 0 && status > 0 && status < 400) parts.push(`${broken} of them with a fault or cut`)
    }
    return `${countOf(total, 'call')} (${parts.join(', ')})`
  }
}
