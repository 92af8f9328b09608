/** Counts the calls that have ended, by endpoint, status and outcome, and their tokens, faults and refusals. */
import type { JournalEntry, Outcome } from './entry.ts'

export interface EndedCalls {
  /** `chat`, `embeddings`, `models`; `unknown` for a path that is not an endpoint. */
  readonly endpoint: string
  /** 0 when nothing was answered. */
  readonly status: number
  readonly outcome: Outcome
  count: number
}

export class CallCounts {
  // A list of a handful, where the first mostly matches: faster than a map with composed keys.
  readonly #counts: EndedCalls[] = []
  /** Number of calls that have begun and not ended. */
  open = 0
  promptTokens = 0
  completionTokens = 0
  /** Number of calls by the fault that was applied, and by the limit or budget that refused them. */
  readonly faults = new Map<string, number>()
  readonly limits = new Map<string, number>()

  add(endpoint: string, { status, usage, fault, limit }: JournalEntry, outcome: Outcome): void {
    this.promptTokens += usage?.promptTokens ?? 0
    this.completionTokens += usage?.completionTokens ?? 0
    if (fault !== undefined) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
    if (limit !== undefined) this.limits.set(limit, (this.limits.get(limit) ?? 0) + 1)
    const isSame = (one: EndedCalls): boolean =>
      one.status === status && one.outcome === outcome && one.endpoint === endpoint
    const known = this.#counts.find(isSame)
    if (known === undefined) this.#counts.push({ endpoint, status, outcome, count: 1 })
    else known.count++
  }

  all(): readonly Readonly<EndedCalls>[] {
    return this.#counts
  }
}
