/** The type of a journal entry: one exchange with its call, its plan, the times of its events and its outcome. */

import type { JsonObject } from '../lib/text/json.ts'
import type { Reason } from '../protocol/plan/plan.ts'
import type { RoutedEndpoint } from '../protocol/request/endpoints.ts'
import type { CachedPrompt } from '../protocol/turn/reply.ts'
import type { NearMiss } from '../scenario/check/near-miss.ts'

export const OUTCOMES = ['open', 'complete', 'cut', 'client-left'] as const

/** The end of an exchange: everything was sent, the mock cut it off, or the client left first; `open` until then. */
export type Outcome = (typeof OUTCOMES)[number]

/**
 * One step of the plan. `atMs` is when it happened (for a wait, when it began), in milliseconds of the mock's clock since
 * the call arrived; a step without it did not happen.
 */
export type Step = { readonly atMs?: number } & (
  | { readonly type: 'head'; readonly status: number }
  | { readonly type: 'wait'; readonly ms: number }
  /** Without `data` when the call repeated an API key, which the data could contain. */
  | { readonly type: 'send' | 'raw'; readonly bytes: number; readonly data?: string }
  | { readonly type: 'flush' | 'end' | 'close' | 'reset' | 'stall' }
)

/** The tokens of an answer. */
export interface CallUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** The part of `completionTokens` that is reasoning; left out for an answer without it. */
  readonly reasoningTokens?: number
  /** The cost in US dollars, by the `prices` of the model; left out for a model without prices. */
  readonly usd?: number
}

/** The tiers of findings about a recording, the worst one first. */
export const TIERS = ['would be refused', 'worth a look', 'harmless'] as const

/** A difference of a request from its recording, or the error that the service gives for it today. */
export interface RecordingFinding {
  readonly tier: (typeof TIERS)[number]
  /** The field that differs: `request.user`; left out for an error. */
  readonly field?: string
  /** `request.user: 'b' instead of 'a'` */
  readonly text: string
  /** The change that helps; left out where nothing has to be done. */
  readonly remedy?: string
}

/** One exchange: the same object in code, over the control plane and on the page. */
export interface JournalEntry {
  /** Counts from 1; the journal drops the oldest entries first. */
  readonly number: number
  /** When the call arrived, in milliseconds of the mock's clock. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** The query string, with the keys in it masked. */
  readonly query?: string | undefined
  /** `unknown` for a path that is not an endpoint. */
  readonly endpoint: RoutedEndpoint
  /** The API key, masked. */
  readonly key: string
  /** A name for the key that tells apart keys with the same mask; '' without a key. */
  readonly caller: string
  /** The session that the call names; left out when it names none. */
  readonly session?: string | undefined
  /**
   * The header `traceparent`; left out when it is missing or not valid.
   * @see https://www.w3.org/TR/trace-context/#traceparent-header
   */
  readonly traceparent?: string | undefined
  readonly model: string
  /** A fingerprint of the request: calls with the same method, path and body share it. */
  readonly request: string
  /** The number of times that this key has sent this request, this call included. */
  readonly attempt: number
  /** The scenario's state when the call arrived; left out when it has no states. */
  readonly state?: string | undefined
  /** The request body; left out when it was not JSON, or is no longer stored. */
  readonly body?: JsonObject | undefined
  /** 0 when nothing was answered. */
  readonly status: number
  /** The headers of the answer; empty when nothing was answered. */
  readonly headers: Readonly<Record<string, string>>
  /** The stage and the rule, fault or limit that decided the answer. */
  readonly reason: Reason
  /** The reply rule that matched: `replies[2]`. */
  readonly rule?: string | undefined
  /** The fault that was applied: `rate-limit`. */
  readonly fault?: string | undefined
  /** The options of the fault that are not at their default, as a scenario writes them: `{ after: 2, end: 'clean' }`. */
  readonly faultOptions?: Readonly<Record<string, string | number>> | undefined
  /** The limit or budget that refused the call: `requests`, `tokens`, `concurrent`, `budget.tokens`. */
  readonly limit?: string | undefined
  /** The tokens of the prompt and of the whole answer; left out for a call that used none, or that does not say. */
  readonly usage?: CallUsage | undefined
  /** The tokens read from and written to the prompt cache; left out where prompts are not cached, and for a prompt of less than 1,024 tokens. */
  readonly cache?: CachedPrompt | undefined
  readonly notes: readonly string[]
  /** True for a chat that none of the scenario's reply rules matched, or a call that was not recorded. */
  readonly unmatched: boolean
  /** The rule that came closest, for an `unmatched` call. */
  readonly nearMiss?: NearMiss | undefined
  /** The recording that answered the call, or came closest, and how the request differs from it; left out where nothing differs. */
  readonly recording?: { readonly rule: string; readonly findings: readonly RecordingFinding[] } | undefined
  readonly outcome: Outcome
  /** From the arrival of the call to the end of the answer, in milliseconds of the mock's clock; 0 while it is open. */
  readonly durationMs: number
  /** The bytes of the answer's body that were sent. */
  readonly bytes: number
  /** The plan, each step with its time; left out when it is no longer stored. */
  readonly timeline?: readonly Step[] | undefined
}
