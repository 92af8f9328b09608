/** Counts the calls that have ended, by endpoint, status and outcome, by fault, by limit and by model. */
import type { Decision } from '../decide/pipeline/decision.ts'
import type { Outcome } from './entry.ts'
import { ModelCounts } from './model-counts.ts'
import type { StoredExchange } from './stored-exchange.ts'

/** The models with counts of their own. A scenario may list more, and later ones may be applied. */
const MAX_MODELS = 100
/** The models that the scenario does not list, and calls without a model: callers choose those names. */
const OTHER = 'other'

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
  /** Number of streams that have begun and not ended. */
  openStreams = 0
  /** Number of calls by the fault that was applied, and by the limit or budget that refused them. */
  readonly faults = new Map<string, number>()
  readonly limits = new Map<string, number>()
  /** The counts by model, as the scenario lists it. */
  readonly models = new Map([[OTHER, new ModelCounts()]])

  /** The counts of a model. @param listed its name or pattern in the scenario. */
  ofModel(listed = OTHER): ModelCounts {
    const known = this.models.get(listed)
    if (known !== undefined) return known
    if (this.models.size > MAX_MODELS) return this.ofModel()
    const counts = new ModelCounts()
    this.models.set(listed, counts)
    return counts
  }

  add(endpoint: string, entry: StoredExchange, decision: Decision, outcome: Outcome): void {
    const { status, fault, limit } = entry
    this.ofModel(entry.listed).add(entry, decision, outcome)
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
