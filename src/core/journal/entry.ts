/** What the journal tells of one exchange: the call, the plan, what was really sent and when, and how it ended. */

import type { Reason } from '../plan/plan.ts'
import type { RoutedEndpoint } from '../request/endpoints.ts'
import type { NearMiss } from '../scenario/diagnostics/near-miss.ts'
import type { JsonObject } from '../text/json.ts'

export const OUTCOMES = ['open', 'complete', 'cut', 'client-left'] as const

/** How an exchange ended: all was sent, the mock broke it off, or the client went away first; `open` until then. */
export type Outcome = (typeof OUTCOMES)[number]

/**
 * One step of an answer as it was planned. `atMs` is when it was taken (a wait: when it began), counted from the
 * call's arrival in milliseconds of the mock's clock; a step without it never came to pass.
 */
export type Step = { readonly atMs?: number } & (
  | { readonly type: 'head'; readonly status: number }
  | { readonly type: 'wait'; readonly ms: number }
  /** Without `data` where it could hold a key: the call repeated one. */
  | { readonly type: 'send' | 'raw'; readonly bytes: number; readonly data?: string }
  | { readonly type: 'flush' | 'end' | 'close' | 'reset' | 'stall' }
)

/** One exchange: the same object in code, over the control plane and on the page. */
export interface JournalEntry {
  /** Counts from 1; a gap at the front shows that older entries were dropped. */
  readonly number: number
  /** When it came, in milliseconds of the mock's clock. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** What stands behind the question mark of the address, with the keys in it shortened. */
  readonly query?: string | undefined
  /** Undefined for a path that is none of the service. */
  readonly endpoint: RoutedEndpoint
  /** The key, shortened. */
  readonly key: string
  /** A name for the key: tells apart keys that look alike when they are shortened. '' without a key. */
  readonly caller: string
  readonly model: string
  /** A name for the request: calls with the same method, path and body share it. */
  readonly request: string
  /** How often this key has sent this very request. */
  readonly attempt: number
  /** The state that the call found the scenario in; left out when it has none. */
  readonly state?: string | undefined
  /** The request body; left out when it was no JSON, and when it is more than the journal has room for. */
  readonly body?: JsonObject | undefined
  /** 0 when nothing was answered. */
  readonly status: number
  /** The headers of the answer; none when nothing was answered. */
  readonly headers: Readonly<Record<string, string>>
  /** What decided the answer. */
  readonly reason: Reason
  /** The reply rule that matched: `replies[2]`. */
  readonly rule?: string | undefined
  /** The fault that struck: `rate-limit`. */
  readonly fault?: string | undefined
  /** The limit that refused the call: `requests`, `tokens`. */
  readonly limit?: string | undefined
  readonly notes: readonly string[]
  /** Whether the scenario has reply rules for chats, this is one, and none of them matched. */
  readonly unmatched: boolean
  /** The rule that nearly matched, for a call that is `unmatched`. */
  readonly nearMiss?: NearMiss | undefined
  readonly outcome: Outcome
  /** From the call's arrival to the end of the answer, in milliseconds of the mock's clock; 0 while it is open. */
  readonly durationMs: number
  /** How many bytes of the answer's body were handed to the network. */
  readonly bytes: number
  /** The plan, each step with the time it was taken; left out when it is more than the journal has room for. */
  readonly timeline?: readonly Step[] | undefined
}
