/** How many calls have ended, by endpoint, status and outcome: few numbers, however many calls. */
import type { Outcome } from './entry.ts'

export interface CallCount {
  /** `chat`, `embeddings`, `models`; `none` for a path that is none of the service. */
  readonly endpoint: string
  /** 0 when nothing was answered. */
  readonly status: number
  readonly outcome: Outcome
  count: number
}

export class CallCounts {
  // A list: of a handful, the first is mostly the one, and no name has to be made to find it.
  readonly #counts: CallCount[] = []

  add(endpoint: string, status: number, outcome: Outcome): void {
    const isSame = (one: CallCount): boolean =>
      one.status === status && one.outcome === outcome && one.endpoint === endpoint
    const known = this.#counts.find(isSame)
    if (known === undefined) this.#counts.push({ endpoint, status, outcome, count: 1 })
    else known.count++
  }

  all(): readonly Readonly<CallCount>[] {
    return this.#counts
  }
}
