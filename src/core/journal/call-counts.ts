/**
 * Counts of calls for the metrics: those that have ended, by endpoint, status and outcome, by fault, by limit and by model;
 * and those that are open.
 *
 *     { endpoint: 'chat', status: 429, outcome: 'complete', count: 3 }
 */
import type { Decision } from '../decide/pipeline/decide.ts'
import type { Outcome } from './entry.ts'
import { Histogram } from './histogram.ts'
import type { StoredExchange } from './stored-exchange.ts'
import { timesIn } from './timeline.ts'

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
  /** The ended calls of each kind. A list of a handful, where the first mostly matches: faster than a map with composed keys. */
  readonly ended: EndedCalls[] = []
  /** Number of streams that have begun and not ended. */
  openStreams = 0
  /** Number of calls by the fault that was applied, and by the limit or budget that refused them. */
  readonly faults = new Map<string, number>()
  readonly limits = new Map<string, number>()
  /** The counts by model, as the scenario lists it. */
  readonly models = new Map([[OTHER, new ModelCounts()]])

  /** Finds the counts of a model, and adds them for its first call. @param listed its name or pattern in the scenario. */
  #findOrAdd(listed = OTHER): ModelCounts {
    const label = this.models.has(listed) || this.models.size <= MAX_MODELS ? listed : OTHER
    const counts = this.models.get(label) ?? new ModelCounts()
    this.models.set(label, counts)
    return counts
  }

  /** Adds a call that has begun. */
  begin({ listed }: StoredExchange, { plan }: Decision): void {
    this.#findOrAdd(listed).open++
    if (plan.isStream) this.openStreams++
  }

  /** Adds a call that has ended. */
  end(endpoint: string, entry: StoredExchange, decision: Decision, outcome: Outcome): void {
    const { listed, status, fault, limit } = entry
    if (decision.plan.isStream) this.openStreams--
    this.#findOrAdd(listed).end(entry, decision, outcome)
    if (fault !== undefined) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
    if (limit !== undefined) this.limits.set(limit, (this.limits.get(limit) ?? 0) + 1)
    const known = this.ended.find(
      (calls) => calls.status === status && calls.outcome === outcome && calls.endpoint === endpoint,
    )
    if (known === undefined) this.ended.push({ endpoint, status, outcome, count: 1 })
    else known.count++
  }
}

// biome-ignore format: one line each
const BOUNDS = {
  // Those of vLLM; the first sixteen and thirteen are those that OpenTelemetry recommends.
  // https://docs.vllm.ai/en/latest/api/vllm/v1/metrics/buckets/
  firstToken: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560],
  betweenTokens: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80],
  // Those of OpenTelemetry: vLLM's begin at 0.3 s, where most calls of a mock have ended.
  // https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/
  duration: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
}

/** Counts and durations of the calls for one model. */
class ModelCounts {
  /** Number of calls that have begun and not ended. */
  open = 0
  promptTokens = 0
  completionTokens = 0
  /** Number of answers (2xx) that have ended, by the reason: `length` at their most tokens, `abort` when broken off. */
  readonly finished = { stop: 0, length: 0, abort: 0 }
  /** Time from the arrival of a call to the first token of its stream. */
  readonly firstToken = new Histogram(BOUNDS.firstToken)
  /** Time from each event with tokens of a stream to the next one. */
  readonly betweenTokens = new Histogram(BOUNDS.betweenTokens)
  /** Time from the arrival of a call to the end of its answer (2xx). */
  readonly duration = new Histogram(BOUNDS.duration)

  end(entry: StoredExchange, { plan, usage }: Decision, outcome: Outcome): void {
    const { status, durationMs } = entry
    this.open--
    this.promptTokens += entry.usage?.promptTokens ?? 0
    this.completionTokens += entry.usage?.completionTokens ?? 0
    if (status < 200 || status > 299) return
    const reason = usage?.isCut === true ? 'length' : 'stop'
    this.finished[outcome === 'complete' ? reason : 'abort']++
    this.duration.observe(durationMs)
    if (!plan.isStream) return
    const timeOf = timesIn(entry.progressOf(plan.events.length))
    let index = 0
    let previousMs: number | undefined
    for (const event of plan.events) {
      const atMs = timeOf(index)
      // The rest was not sent.
      if (atMs === undefined) return
      index++
      // The events of other choices have the same tokens.
      if (event.type !== 'send' || !event.tokens || event.isBeside) continue
      if (previousMs === undefined) this.firstToken.observe(atMs)
      else this.betweenTokens.observe(atMs - previousMs)
      previousMs = atMs
    }
  }
}
