/** Counts the calls that have ended, by endpoint, status and outcome. */
import type { Outcome } from './entry.ts'

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

  add(endpoint: string, status: number, outcome: Outcome): void {
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
